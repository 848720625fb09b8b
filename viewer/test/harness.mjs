// What browser tests need: runs made by the real program, its real server, Debian's Chromium with software rendering.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../..');
export const program = process.env.MONOCOQUE ?? join(root, 'build/release/src/apps/monocoque');
export const shots = process.env.SHOTS ?? join(here, 'shots');
export const folder = mkdtempSync(join(tmpdir(), 'viewer-'));
mkdirSync(shots, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs the program and gives what it printed. */
export const monocoque = (...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 }).toString();

/** Simulates a file below models/ and gives the run file; RUNS=folder keeps runs from one call to the next. */
export function makeRun(name, model, ...args) {
  const file = join(process.env.RUNS ?? folder, name);
  if (existsSync(file)) return file;
  monocoque('run', '-q', join(root, 'models', model), '-o', file, ...args);
  return file;
}

/** Channels of a run file as the program exports them: { time, 'car/position/x': [...] } */
export function channels(file, ...patterns) {
  const lines = monocoque('export', file, '--digits', '17', '-c', ...patterns).trim().split('\n').filter((l) => !l.startsWith('#'));
  const names = lines[0].split(',').map((n) => n.replace(/^"|"$/g, '').replace(/\s*\[.*\]$/, ''));
  const out = Object.fromEntries(names.map((n) => [n, []]));
  for (const line of lines.slice(1)) line.split(',').forEach((v, i) => out[names[i]].push(Number(v)));
  out.time ??= out[names[0]];
  return out;
}

/** Linear between rows. */
export function at(table, name, t) {
  const { time } = table;
  let i = time.findIndex((v) => v > t) - 1;
  if (i < 0) i = time.length - 2;
  const f = (t - time[i]) / (time[i + 1] - time[i]);
  return table[name][i] + f * (table[name][i + 1] - table[name][i]);
}

const started = new Set();

/** Serves run files; { address, stop }. */
export function view(...files) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['view', ...files, '--no-browser', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    started.add(child);
    let text = '';
    const read = (chunk) => {
      text += chunk;
      const m = /http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+/.exec(text);
      if (m) resolve({ address: m[0], child, stop: () => child.kill() });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => {
      started.delete(child);
      reject(new Error(`monocoque view ended with ${code}: ${text}`));
    });
  });
}
process.on('exit', () => started.forEach((c) => c.kill()));

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });

/** A page with everything drawn; page.problems collects errors and requests to anywhere else. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // PAGE=dist/index.html tries a page that is not yet in the program.
  if (process.env.PAGE && address.startsWith('http')) await context.route(`${address}/`, (r) => r.fulfill({ path: process.env.PAGE, contentType: 'text/html' }));
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.problems = [];
  page.on('pageerror', (e) => page.problems.push(e.message));
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  page.on('request', (r) => /^(data|blob):/.test(r.url()) || r.url().startsWith(address) || page.problems.push(`asked ${r.url()}`));
  await page.goto(address, { timeout: 120000 });
  await page.waitForFunction(() => !Number.isNaN(window.__monocoque?.firstPicture ?? NaN), null, { timeout: 120000 });
  return page;
}

/** Sets the time and waits until the picture shows it. */
export async function setTime(page, t) {
  await page.evaluate(async (v) => {
    const m = window.__monocoque;
    m.bus.setPlaying(false);
    m.bus.setTime(v);
    // Blocks of rows may still be on their way: two quiet pictures in a row.
    let same = 0, last = '';
    for (let k = 0; k < 200 && same < 3; ++k) {
      m.app.redraw();
      await new Promise((r) => setTimeout(r, 30));
      await new Promise(requestAnimationFrame);
      const now = JSON.stringify(m.row());
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }, t);
}

/** A container answer of the server, read by code of its own. */
export async function container(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const n = bytes.readUInt32LE(0), head = JSON.parse(bytes.subarray(4, 4 + n).toString());
  const begin = 4 + n + ((8 - ((4 + n) % 8)) % 8), size = { f32: 4, f64: 8, u32: 4, i32: 4 };
  const read = { f32: 'readFloatLE', f64: 'readDoubleLE', u32: 'readUInt32LE', i32: 'readInt32LE' };
  const out = { head };
  for (const a of head.arrays) {
    const count = a.shape.reduce((x, y) => x * y, 1), data = new Float64Array(count);
    for (let i = 0; i < count; ++i) data[i] = bytes[read[a.type]](begin + a.offset + i * size[a.type]);
    out[a.name] = { data, shape: a.shape };
  }
  return out;
}
