// node viewer/test/run.mjs [NAME...]: all tests of the page, one file after the other (the browser needs the cores).
//   MONOCOQUE=path of the program; SHOTS=folder of the pictures.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here)
  .filter((f) => f.endsWith('.mjs') && !['run.mjs', 'harness.mjs', 'speed.mjs', 'drive_support.mjs', 'drive_load.mjs', 'drive_memory.mjs'].includes(f))
  .filter((f) => !wanted.length || wanted.some((w) => f.includes(w)))
  .map((f) => join(here, f));
const done = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files], { stdio: 'inherit' });
process.exit(done.status ?? 1);
