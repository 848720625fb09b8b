// node --experimental-websocket test/drive_load.mjs [SECONDS] [OPTION OF drive...]: step times of the live loop without
// anybody, with readers, with watchers that never read, with a crowd of connections and with two browsers. Prints the
// numbers; a judgement is left to the reader, since browsers also take processors from the loop where there are few.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { launch } from './harness.mjs';
import { drive, sleep } from './drive_support.mjs';

const [seconds = '20', ...options] = process.argv.slice(2);

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
/// Opens connections again and again, 1000 in 5 s, and says nothing.
function crowd(url) {
  const u = new URL(url), open = new Set();
  const timer = setInterval(() => {
    for (let k = 0; k < 20; ++k) {
      const s = connect(Number(u.port), u.hostname);
      s.on('error', () => {});
      s.on('close', () => open.delete(s));
      open.add(s);
      setTimeout(() => s.destroy(), 3000);
    }
  }, 100);
  return { close: () => (clearInterval(timer), open.forEach((s) => s.destroy())) };
}
/// Started before the car, since that takes seconds.
const browser = await launch();
const pages = await Promise.all([0, 1].map(() => browser.newPage({ viewport: { width: 1280, height: 800 } })));
const cases = {
  'nobody': async () => [],
  'two that read': async (url) => [watcher(url), watcher(url)],
  'two that never read': async (url) => [sleeper(url), sleeper(url)],
  '200 connections a second': async (url) => [crowd(url)],
  'two browsers': async (url) => {
    await Promise.all(pages.map((p) => p.goto(url)));
    return [];
  },
};
const busy = () => {
  const [user, nice, system, idle, ...more] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1).map(Number);
  const all = user + nice + system + idle + more.slice(0, 4).reduce((a, b) => a + b, 0);
  return { idle: idle + more[0], all };
};
console.log(`${cpus().length} processors, load ${loadavg()[0].toFixed(1)} at the begin; ${seconds} s each; options: ${options.join(' ') || 'none'}`);
console.log(`${'us'.padEnd(26)}${['50 %', '99 %', '99.9 %', 'max', 'CPU 50 %', 'CPU 99 %', 'late 99 %', 'late max', 'overruns', 'skipped', 'sent', 'replaced', 'pictures', 'busy %'].map((t) => t.padStart(10)).join('')}`);
for (const [name, join] of Object.entries(cases)) {
  const car = await drive('drive.yaml', '--seconds', seconds, ...options);
  const from = busy();
  const guests = await join(car.url).catch((e) => (console.log(String(e)), []));
  const r = await car.result();
  const to = busy();
  for (const g of guests) await g.close();
  const pictures = (await Promise.all(pages.map((p) => p.evaluate(() => window.__monocoque?.stats.frames ?? 0)))).reduce((a, b) => a + b, 0);
  const n = [r.step_us.p50, r.step_us.p99, r.step_us.p999, r.step_us.max, r.step_cpu_us.p50, r.step_cpu_us.p99, r.latency_us.p99, r.latency_us.max];
  const load = 100 * (1 - (to.idle - from.idle) / Math.max(1, to.all - from.all));
  console.log(name.padEnd(26) + n.map((v) => v.toFixed(0).padStart(10)).join('') +
    [r.overruns.count, r.overruns.skipped_periods, r.server.states_sent, r.server.states_replaced, pictures, load.toFixed(0)].map((v) => String(v).padStart(10)).join(''));
  await sleep(500);
}
await browser.close();
process.exit(0);
