// node test/drive.mjs: the live car in a browser, driven round a line of cones by key presses; numbers on the page are
// compared with the run file. Needs chromium (CHROMIUM) and the built program (MONOCOQUE). SHOTS=folder keeps pictures.
import { join } from 'node:path';
import { launch } from './harness.mjs';
import { check, drive, folder, recorded, sleep, verdict } from './drive_support.mjs';

const shots = process.env.SHOTS;
const file = join(folder, 'run.h5');
const car = await drive('drive-slalom.yaml', '--record', file);
const browser = await launch();
const patience = 60000; // ms for anything that takes a second on a quiet machine
const open = async (options = {}) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.setDefaultTimeout(patience);
  page.problems = [];
  page.on('pageerror', (e) => page.problems.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  await page.goto(car.url);
  await page.waitForFunction(() => window.__live?.get().frames > 5 && !Number.isNaN(window.__monocoque.firstPicture));
  return page;
};
const get = (page) => page.evaluate(() => window.__live.get());
const until = (page, condition) => page.waitForFunction(condition, null, { polling: 50 });

const page = await open();
check('the first page drives', (await get(page)).driver);
const view = await page.evaluate(() => {
  const { p, kind } = window.__monocoque.camera(), { place, heading } = window.__live.get();
  const dx = p[0] - place[0], dy = p[1] - place[1];
  return { kind, behind: -(dx * Math.cos(heading) + dy * Math.sin(heading)), aside: Math.abs(dy * Math.cos(heading) - dx * Math.sin(heading)), up: p[2] };
});
check('the camera is behind the car', view.kind === 'chase' && view.behind > 4 && view.behind < 20 && view.aside < 1 && view.up > 1.5,
  `${view.behind.toFixed(1)} m behind, ${view.aside.toFixed(2)} m aside, ${view.up.toFixed(1)} m high`);

// ---- round the cones: look ahead on the path of the lane, press the key of the side it lies on. The keys stay down for
// as long as the heading is wrong, so it works with few looks a second, too.
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
const channels = ['place/x', 'place/y', 'speed/x', 'turning/z', 'FL/tire/load', 'RR/tire/load'];
let after = null, took = 0, rate = 0, touched = [];
const shown = []; // of each look: real time, number on the page, time of the frame it belongs to
const mostAway = 1500, tries = 3, patienceToTheEnd = 150000; // ms
/// Who looks seldom drives slowly: well below a metre from one look to the next, m/s.
const cautious = (gaps) => Math.max(1.2, Math.min(4, 700 / Math.max(...gaps)));
/// One drive from the start; false when the machine was away for so long that nobody could have driven.
async function roundTheCones(lastTry) {
  const begin = Date.now(), told = (await get(page)).events.length, gaps = [];
  let looks = 0, last = begin, away = 0;
  for (;;) {
    const s = await page.evaluate((paths) => {
      const l = window.__live, { t, values } = l.values(...paths);
      return { t, values, ...l.get(), shown: Number(document.querySelector('#live-speed').textContent) };
    }, channels);
    seen.push([s.t, ...s.values]);
    shown.push({ now: Date.now(), speed: s.shown, t: s.shownAt });
    ++looks;
    const now = Date.now();
    gaps.push(now - last);
    if (gaps.length > 20) gaps.shift();
    away = Math.max(away, now - last);
    last = now;
    if (s.place[0] > 158 || now - begin > patienceToTheEnd || (away > mostAway && !lastTry)) break;
    // Heading for a point 5 m ahead leaves three quarters of a way that repeats itself every 36 m: aiming at twice the
    // path, the car passes well beyond 2 m beside the cones with its middle; it would touch them at 1.1 m.
    const ahead = 5, wanted = Math.atan2(2 * wayTo(s.place[0] + ahead) - s.place[1], ahead);
    // Steering takes a third of a second to follow a key: what the heading will be by then counts.
    const error = wanted - s.heading - 0.5 * s.values[3], speed = cautious(gaps);
    await press('ArrowLeft', error > 0.03);
    await press('ArrowRight', error < -0.03);
    await press('ArrowUp', s.speed < speed);
    await press('Space', s.speed > speed + 1);
    await sleep(15);
  }
  for (const key of [...keys]) await press(key, false);
  after = await get(page);
  took = (Date.now() - begin) / 1000;
  rate = looks / took;
  touched = after.events.slice(told).filter((e) => /cone \d+ touched/.test(e));
  return away <= mostAway;
}
for (let k = 1; !(await roundTheCones(k === tries)) && k < tries; ++k) {
  console.log(`     away for more than 1.5 s after ${took.toFixed(0)} s: once more from the start`);
  await page.keyboard.press('r');
  await until(page, () => Math.abs(window.__live.get().place[0]) < 0.5);
}
check('it came to the end of the cones', after.place[0] > 158, `x = ${after.place[0].toFixed(1)} m after ${took.toFixed(0)} s, ${rate.toFixed(0)} looks a second`);
const beside = [50, 68, 86, 104, 122, 140].map((x) => seen.findLast((s) => s[1] <= x)[2].toFixed(1));
check('all cones stand', touched.length === 0, `${touched.join(', ')} passed ${beside.join(', ')} m beside their middle`);

// ---- live plots
const legend = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.mp-line')].map((l) => [l.querySelector('.mp-name').title, parseFloat(l.querySelector('.mp-value').textContent)])));
const wantedCurves = ['speed/x', 'turning/z', 'FL/tire/load', 'FR/tire/load', 'RL/tire/load', 'RR/tire/load', 'live/deformation', 'live/worst_step', 'live/real_time_factor'];
check('live plots are there', wantedCurves.every((c) => Number.isFinite(legend[c])), JSON.stringify(legend));
const weight = ['FL', 'FR', 'RL', 'RR'].reduce((sum, w) => sum + legend[`${w}/tire/load`], 0);
check('the plotted wheel loads carry the car', Math.abs(weight - 14484) < 1500, `${weight.toFixed(0)} N`);
const stats = after.stats;
check('the page knows the real-time factor and the worst step', stats.rt_factor > 0.2 && stats.rt_factor < 1.2 && stats.worst_us >= stats.p99_us && stats.p99_us >= stats.median_us,
  `${stats.rt_factor.toFixed(3)}, ${stats.median_us.toFixed(0)} / ${stats.p99_us.toFixed(0)} / ${stats.worst_us.toFixed(0)} us`);
if (shots) await page.screenshot({ path: join(shots, 'drive.png') });

// ---- body, pause, reset
await page.keyboard.press('f');
await until(page, () => window.__live.get().body === 'rigid');
await until(page, () => document.querySelector('#live-body-kind').textContent === 'rigid');
check('F makes the body rigid', true);
await page.keyboard.press('f');
await until(page, () => window.__live.get().body === 'flexible');
await page.keyboard.press('p');
await until(page, () => window.__live.get().flags & 1);
const still = (await get(page)).t;
await sleep(300);
check('a pause holds the time', (await get(page)).t === still);
await page.keyboard.press('p');
await until(page, () => !(window.__live.get().flags & 1));
await page.keyboard.down('Space');
await until(page, () => Math.abs(window.__live.get().speed) < 0.01);
await page.keyboard.up('Space');
check('space brings it to rest', Math.abs((await get(page)).speed) < 0.05);
await page.keyboard.press('r');
await until(page, () => Math.abs(window.__live.get().place[0]) < 0.5);
check('R puts it back', true);

// ---- a gamepad: half throttle and to the right, then its brake, then its Y
await page.evaluate(() => {
  window.pad = { connected: true, axes: [0.5, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ value: 0 })) };
  navigator.getGamepads = () => [window.pad];
  window.pad.buttons[7].value = 0.5;
});
await until(page, () => window.__live.get().speed > 2 && window.__live.get().heading < -0.02);
await page.evaluate(() => Object.assign(window.pad, { axes: [0], buttons: [{ value: 1 }] }));
await until(page, () => Math.abs(window.__live.get().speed) < 0.01);
await page.evaluate(() => (window.pad.buttons = [0, 0, 0, 1].map((value) => ({ value }))));
await until(page, () => Math.abs(window.__live.get().place[0]) < 0.5);
await page.evaluate(() => (navigator.getGamepads = () => []));
check('a gamepad drives, brakes and resets', true);

// ---- a second page watches and asks; the connection breaks and comes back
await page.setViewportSize({ width: 640, height: 480 }); // two pictures by software cost more than two processors have
const other = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
check('the second page watches', !(await get(other)).driver);
if (shots) await other.screenshot({ path: join(shots, 'drive-phone.png') });
const there = await get(page);
await other.keyboard.down('ArrowUp');
await sleep(400);
await other.keyboard.up('ArrowUp');
check('keys of a watcher move nothing', Math.abs((await get(page)).place[0] - there.place[0]) < 0.01);
await page.keyboard.press('r'); // the driver is at it, so the watcher has to ask
await other.click('#live-wheel');
await page.waitForSelector('#live-give:not([hidden])');
await page.click('#live-give');
await until(other, () => window.__live.get().driver);
await until(page, () => !window.__live.get().driver);
check('the driver gives the wheel', true);
await other.keyboard.down('ArrowUp');
await until(page, () => window.__live.get().speed > 1); // seen by who watches now
await other.keyboard.up('ArrowUp');
check('who took the wheel drives, the other one sees it', true);
await other.evaluate(() => window.__live.drop());
await until(other, () => !window.__live.get().connected);
await until(other, () => window.__live.get().connected);
check('it connects again by itself', true);
const before = (await get(other)).frames;
await sleep(1000);
check('frames come again', (await get(other)).frames > before + 10);
const problems = [...page.problems, ...other.problems].filter((t) => !/WebSocket/.test(t));
await other.close();
await until(page, () => window.__live.get().stats.watchers === 1);
if (!(await get(page)).driver) await page.click('#live-wheel');
await until(page, () => window.__live.get().driver);
check('a free wheel is granted at once', true);
check('no errors on the pages', problems.length + page.problems.length === 0, [...problems, ...page.problems].join(' | '));
await browser.close();
const result = await car.stop();

// ---- the same numbers in the file
const run = recorded(file, ...channels);
const byTime = new Map(run.time.map((t, k) => [t.toFixed(4), k]));
const worst = channels.map(() => 0);
let compared = 0;
for (const [t, ...values] of seen) {
  const k = byTime.get(t.toFixed(4));
  if (k === undefined) continue;
  ++compared;
  channels.forEach((c, i) => (worst[i] = Math.max(worst[i], Math.abs(run[c][k] - values[i]) / Math.max(1, Math.abs(run[c][k])))));
}
check('live frames are the rows of the file', compared > 0.9 * seen.length && Math.max(...worst) < 1e-6, `${compared} of ${seen.length} compared, worst ${worst.map((w) => w.toExponential(0)).join(' ')} (relative, float)`);
// The number on the page belongs to a frame that it names: it must be that frame's speed, rounded, at every look.
const off = [];
let looked = 0, frozen = 0;
for (const [k, { now, speed, t }] of shown.entries()) {
  const row = byTime.get(t?.toFixed(4));
  if (row === undefined) continue;
  ++looked;
  off.push(Math.abs(speed - 3.6 * Math.abs(run['speed/x'][row])));
  if (k && now - shown[k - 1].now > 1000 && t === shown[k - 1].t) ++frozen;
}
check('the page shows the speed of the frame', looked > 0.9 * shown.length && Math.max(...off) < 0.5 + 1e-3 && frozen === 0,
  `${looked} of ${shown.length} looks, within ${Math.max(...off).toFixed(3)} km/h of the file (whole numbers are shown)`);
const refreshed = new Set(shown.map((s) => s.t)).size;
check('it is refreshed while driving', refreshed > 2 * took, `${refreshed} times in ${took.toFixed(0)} s`);
check('nothing was dropped', result.dropped_rows === 0 && result.failures === 0);
console.log(`driven ${result.simulated_s.toFixed(1)} s in ${result.wall_s.toFixed(1)} s; step 50 % ${result.step_us.p50.toFixed(0)} us, 99 % ${result.step_us.p99.toFixed(0)} us, overruns ${result.overruns.count}`);
process.exit(verdict());
