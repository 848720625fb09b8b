// node build.mjs OUTDIR: one self-contained index.html, with scripts and styles inline and allowed by their hashes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error('usage: node build.mjs OUTDIR');
  process.exit(2);
}

const bundle = await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.ts' },
  outdir: 'unused',
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
});
// A closing tag inside a string would end the inline element.
const text = (end) => {
  const file = bundle.outputFiles.find((f) => f.path.endsWith(end));
  return (file?.text ?? '').trim();
};
const script = text('.js').replaceAll('</script', '<\\/script');
const style = text('.css').replaceAll('</style', '<\\/style');
const hash = (s) => `'sha256-${createHash('sha256').update(s, 'utf8').digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Functions, since the texts may hold replacement patterns of String.replace.
const page = readFileSync(join(here, 'index.html'), 'utf8')
  .replace('<!--policy-->', () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
  .replace('<!--style-->', () => `<style>${style}</style>`)
  .replace('<!--script-->', () => `<script>${script}</script>`);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'index.html'), page);
