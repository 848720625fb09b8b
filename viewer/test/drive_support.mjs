// Starts `monocoque drive` for a test and reads back what it recorded.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const binary = process.env.MONOCOQUE ?? join(root, 'build/release/src/apps/monocoque');
export const folder = mkdtempSync(join(tmpdir(), 'monocoque-drive-'));
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL'); // a car left alone would drive for ever
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

/// A running car: its address, and stop() that ends it by Ctrl-C and gives its JSON.
export async function drive(scenario, ...options) {
  const child = spawn(binary, ['drive', join(root, 'models/camry/scenarios', scenario), '--no-browser', '--port', '0', '--json', ...options]);
  let out = '', err = '';
  child.stdout.on('data', (d) => (out += d));
  child.stderr.on('data', (d) => (err += d));
  running.add(child);
  const ended = new Promise((r) => child.on('exit', (code) => (running.delete(child), r(code))));
  for (let k = 0; k < 600 && !/http:\S+/.test(err); ++k) {
    if (child.exitCode !== null) throw new Error(`drive ended: ${err}`);
    await sleep(100);
  }
  const url = err.match(/http:\S+/)?.[0];
  if (!url) throw new Error(`no address in: ${err}`);
  const result = async () => {
    const code = await ended;
    if (code !== 0) throw new Error(`drive ended with ${code}: ${err}`);
    return JSON.parse(out);
  };
  return {
    url,
    result,
    stop: () => {
      child.kill('SIGINT');
      return result();
    },
  };
}

/// Columns of a run file by channel path, and its times.
export function recorded(file, ...channels) {
  const p = spawnSync(binary, ['export', file, '--json', '--channels', ...channels], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (p.status !== 0) throw new Error(p.stderr);
  const run = JSON.parse(p.stdout);
  return { time: run.time.values, ...Object.fromEntries(Object.entries(run.channels).map(([k, c]) => [k, c.values])) };
}

let failures = 0;
export function check(what, ok, detail = '') {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${detail === '' ? '' : `: ${detail}`}`);
  if (!ok) ++failures;
}
export const verdict = () => {
  if (failures) console.log(`${failures} failed`);
  return failures ? 1 : 0;
};
