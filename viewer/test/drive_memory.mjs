// node test/drive_memory.mjs [MINUTES]: memory of the page and of the program while the car is driven in circles; prints a
// line each half minute, and at the end whether the second half of the time needed more than the first.
import { launch } from './harness.mjs';
import { drive, sleep } from './drive_support.mjs';

const minutes = Number(process.argv[2] ?? 10);
const car = await drive('drive-random-road.yaml');
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
const problems = [];
page.on('pageerror', (e) => problems.push(String(e)));
await page.goto(car.url);
await page.waitForFunction(() => window.__live?.get().frames > 5, null, { timeout: 60000 });
const inspector = await page.context().newCDPSession(page);
const measure = async () => {
  await inspector.send('HeapProfiler.collectGarbage');
  const { usedSize } = await inspector.send('Runtime.getHeapUsage');
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const gpu = await page.evaluate(() => window.__monocoque.app.stageView.memory());
  const { stats, t, place, frames } = await page.evaluate(() => window.__live.get());
  return { heap: usedSize / 1e6, server: stats.rss_kB / 1e3, nodes, ...gpu, t, place, frames, fps: await page.evaluate(() => window.__monocoque.stats.fps), rt: stats.rt_factor };
};
const rows = [];
await page.keyboard.down('ArrowLeft');
await page.keyboard.down('ArrowUp');
const begin = Date.now();
for (let k = 0; Date.now() - begin < 60000 * minutes; ++k) {
  // Fast and slow, flexible and rigid, back to the start from time to time: everything that could gather something.
  await sleep(Math.min(30000, 60000 * minutes / 6));
  const m = await measure();
  rows.push(m);
  console.log(`${((Date.now() - begin) / 1000).toFixed(0).padStart(4)} s  page ${m.heap.toFixed(2)} MB, ${m.nodes} elements, ${m.geometries} geometries, ${m.textures} textures; program ${m.server.toFixed(1)} MB; t = ${m.t.toFixed(1)} s, real-time factor ${m.rt.toFixed(3)}, ${m.fps.toFixed(0)} pictures/s`);
  await page.keyboard.press(k % 3 === 1 ? 'r' : 'f');
}
await browser.close();
const result = await car.stop();
const half = Math.floor(rows.length / 2), mean = (list, key) => list.reduce((s, r) => s + r[key], 0) / list.length;
const grown = (key) => mean(rows.slice(half), key) - mean(rows.slice(1, half + 1), key);
console.log(`second half against first: page ${grown('heap').toFixed(2)} MB, program ${grown('server').toFixed(2)} MB; ${result.resets} resets, ${result.switches} switches, ${result.failures} failures, overruns ${result.overruns.count}`);
for (const p of problems) console.log(p);
process.exit(problems.length || grown('heap') > 2 || grown('server') > 2 ? 1 : 0);
