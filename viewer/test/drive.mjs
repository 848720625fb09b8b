// node test/drive.mjs: the live car in a browser, driven round a line of cones by key presses; what the page got is
// compared with the run file. Needs chromium (CHROMIUM) and the built program (MONOCOQUE).
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { check, drive, folder, recorded, sleep, verdict } from './drive_support.mjs';

const shots = process.env.SHOTS; // folder for pictures
const file = join(folder, 'run.h5');
const car = await drive('drive-slalom.yaml', '--record', file);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-gl=swiftshader', '--enable-unsafe-swiftshader'] });
const open = async (options = {}) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.problems = [];
  page.on('pageerror', (e) => page.problems.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  await page.goto(car.url);
  await page.waitForFunction(() => window.__live?.get().frames > 5, null, { timeout: 60000 });
  return page;
};
const get = (page) => page.evaluate(() => window.__live.get());

const page = await open();
check('the first page drives', (await get(page)).driver);

// ---- round the cones: look ahead on the path of the lane, press the key of the side it lies on.
const seen = [];
const keys = new Set();
const press = async (key, on) => {
  if (on === keys.has(key)) return;
  on ? keys.add(key) : keys.delete(key);
  await (on ? page.keyboard.down(key) : page.keyboard.up(key));
};
const path = await page.evaluate(() => window.__live.lane());
const wayTo = (x) => {
  for (let k = 1; k < path.length; ++k) if (path[k][0] >= x) {
    const f = (x - path[k - 1][0]) / (path[k][0] - path[k - 1][0]);
    return path[k - 1][1] + f * (path[k][1] - path[k - 1][1]);
  }
  return x < path[0][0] ? path[0][1] : path[path.length - 1][1];
};
let worstShown = 0;
const begin = Date.now();
for (;;) {
  const s = await page.evaluate(() => ({ ...window.__live.get(), shown: Number(document.querySelector('#live-speed').textContent) }));
  seen.push([s.t, s.place[0], s.place[1]]);
  if (s.place[0] > 158 || Date.now() - begin > 120000) break;
  const ahead = Math.max(6, 1.0 * s.speed);
  const wanted = Math.atan2(wayTo(s.place[0] + ahead) - s.place[1], ahead);
  const error = wanted - s.heading;
  await press('ArrowLeft', error > 0.03);
  await press('ArrowRight', error < -0.03);
  await press('ArrowUp', s.speed < 6);
  worstShown = Math.max(worstShown, Math.abs(s.shown - 3.6 * s.speed));
  await sleep(15);
}
for (const key of [...keys]) await press(key, false);
const after = await get(page);
check('it came to the end of the cones', after.place[0] > 158, `x = ${after.place[0].toFixed(1)} m`);
const touched = after.events.filter((e) => /cone \d+ touched/.test(e));
check('most cones stand', touched.length <= 2, touched.join(', ') || 'all');
check('the page shows the speed', worstShown < 4, `largest difference ${worstShown.toFixed(1)} km/h in 0.1 s steps`);
if (shots) await page.screenshot({ path: join(shots, 'drive.png') });

// ---- body, pause, reset
await page.keyboard.press('f');
await page.waitForFunction(() => window.__live.get().body === 'rigid', null, { timeout: 5000 });
check('F makes the body rigid', (await page.textContent('#live-body.text, #live-hud #live-body')) !== null);
await page.keyboard.press('f');
await page.waitForFunction(() => window.__live.get().body === 'flexible', null, { timeout: 5000 });
await page.keyboard.press('p');
await page.waitForFunction(() => window.__live.get().flags & 1, null, { timeout: 5000 });
const still = (await get(page)).t;
await sleep(300);
check('a pause holds the time', (await get(page)).t === still);
await page.keyboard.press('p');
await page.keyboard.down('Space');
await page.waitForFunction(() => Math.abs(window.__live.get().speed) < 0.01, null, { timeout: 20000 });
await page.keyboard.up('Space');
check('space brings it to rest, forwards or backwards', Math.abs((await get(page)).speed) < 0.01);
await page.keyboard.press('r');
await page.waitForFunction(() => Math.abs(window.__live.get().place[0]) < 0.5, null, { timeout: 5000 });
check('R puts it back', true);

// ---- a second page watches and asks; the connection breaks and comes back
const other = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
check('the second page watches', !(await get(other)).driver);
if (shots) await other.screenshot({ path: join(shots, 'drive-phone.png') });
await other.click('#live-wheel');
await page.waitForSelector('#live-give:not([hidden])', { timeout: 5000 });
await page.click('#live-give');
await other.waitForFunction(() => window.__live.get().driver, null, { timeout: 5000 });
check('the driver gives the wheel', !(await get(page)).driver);
await other.evaluate(() => window.__live.drop());
await other.waitForFunction(() => !window.__live.get().connected, null, { timeout: 5000 });
await other.waitForFunction(() => window.__live.get().connected, null, { timeout: 10000 });
check('it connects again by itself', true);
const before = (await get(other)).frames;
await sleep(1000);
check('frames come again', (await get(other)).frames > before + 10);
for (const p of [page, other]) check('no errors on the page', p.problems.filter((t) => !/WebSocket/.test(t)).length === 0, p.problems.join(' | '));
await browser.close();
const result = await car.stop();

// ---- the same numbers in the file
const run = recorded(file, 'place/x', 'place/y');
const byTime = new Map(run.time.map((t, k) => [t.toFixed(4), k]));
let worst = 0, compared = 0;
for (const [t, x, y] of seen) {
  const k = byTime.get(t.toFixed(4));
  if (k === undefined) continue;
  ++compared;
  worst = Math.max(worst, Math.abs(run['place/x'][k] - x), Math.abs(run['place/y'][k] - y));
}
check('live frames are the rows of the file', compared > 0.9 * seen.length && worst < 1e-4, `${compared} of ${seen.length} compared, worst ${(1e6 * worst).toFixed(1)} um`);
check('nothing was dropped', result.dropped_rows === 0 && result.failures === 0);
console.log(`driven ${result.simulated_s.toFixed(1)} s; step 50 % ${result.step_us.p50.toFixed(0)} us, 99 % ${result.step_us.p99.toFixed(0)} us, overruns ${result.overruns.count}`);
process.exit(verdict());
