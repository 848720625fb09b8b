// node --experimental-websocket test/drive_load.mjs [SECONDS]: step times of the live loop without anybody, with two
// plain watchers, with one that never reads, and with two browsers. Prints the numbers; a judgement is left to the reader,
// since browsers also take processors from the loop where there are few.
import { connect } from 'node:net';
import { chromium } from 'playwright-core';
import { drive, sleep } from './drive_support.mjs';

const seconds = process.argv[2] ?? '20';

/// Completes the handshake and never reads again.
function sleeper(url) {
  const u = new URL(url), socket = connect(Number(u.port), u.hostname);
  socket.write(`GET /live HTTP/1.1\r\nHost: ${u.host}\r\nOrigin: ${u.origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n');
  socket.pause();
  socket.on('error', () => {});
  return { close: () => socket.destroy() };
}
function watcher(url) {
  const socket = new WebSocket(url.replace('http', 'ws') + 'live');
  socket.onerror = () => {};
  return { close: () => socket.close() };
}
const cases = {
  'nobody': async () => [],
  'two plain watchers': async (url) => [watcher(url), watcher(url)],
  'two that never read': async (url) => [sleeper(url), sleeper(url)],
  'two browsers': async (url) => {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-gl=swiftshader', '--enable-unsafe-swiftshader'] });
    for (let k = 0; k < 2; ++k) await (await browser.newPage()).goto(url);
    return [browser];
  },
};
console.log(`${'us'.padEnd(22)}${['50 %', '99 %', '99.9 %', 'max', 'CPU 50 %', 'CPU 99 %', 'overruns', 'sent', 'replaced'].map((t) => t.padStart(10)).join('')}`);
for (const [name, join] of Object.entries(cases)) {
  const car = await drive('drive.yaml', '--seconds', seconds);
  const guests = await join(car.url).catch((e) => (console.log(String(e)), []));
  const r = await car.result();
  for (const g of guests) await g.close();
  const n = [r.step_us.p50, r.step_us.p99, r.step_us.p999, r.step_us.max, r.step_cpu_us.p50, r.step_cpu_us.p99];
  console.log(name.padEnd(22) + n.map((v) => v.toFixed(1).padStart(10)).join('') +
    [r.overruns.count, r.server.states_sent, r.server.states_replaced].map((v) => String(v).padStart(10)).join(''));
  await sleep(500);
}
process.exit(0);
