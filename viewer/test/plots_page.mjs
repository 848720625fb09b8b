// The plots in a browser, against a run whose motion is known in closed form and against the program's own export.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder, launch, monocoque, shots, view } from './harness.mjs';

const runFile = join(folder, 'first.h5');
const otherFile = join(folder, 'second.h5');
const end = 12;
const sway = 0.02;
const fx = 2.5; // Hz
const fz = 11;

const model = `monocoque: 1
name: sway
parameters: {sway: ${sway}}
parts:
  - {name: table, mass_kg: 200, inertia_kg_m2: [20, 20, 40]}
interacts:
  - {name: motion, type: motion, from: ground, to: table, x_m: "sway*sin(2*pi*${fx}*t)", z_m: "0.5*sway*sin(2*pi*${fz}*t)"}
simulation: {solver: linearly-implicit-2, step_s: 0.001, end_s: ${end}}
`;
const x = (t) => sway * Math.sin(2 * Math.PI * fx * t);
const z = (t) => 0.5 * sway * Math.sin(2 * Math.PI * fz * t);

let browser;
let server;
let address = '';
let page;
const errors = [];

async function open(options = {}, where = address) {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  page.on('pageerror', (e) => errors.push(e.message));
  await page.goto(where);
  await page.waitForSelector('.mp-plot', { state: 'attached' });
}

const setTime = async (t) => {
  await page.evaluate((v) => window.__monocoque.bus.setTime(v), t);
  await page.waitForFunction((v) => Math.abs(window.__monocoque.bus.time - v) < 1e-12, t);
};
/** Number in the legend of a line, once it is that of the present time. */
async function shown(path, plot = '.mp-plot', run = 0) {
  const answer = await page.waitForFunction(
    ([p, key, r]) => {
      const root = [...document.querySelectorAll(p)].find((e) => [...e.querySelectorAll('.mp-line')].some((l) => l.dataset.key === key));
      const line = [...(root?.querySelectorAll('.mp-line') ?? [])].find((l) => l.dataset.key === key);
      const value = line?.querySelector(`output[data-run="${r}"]:not(.mp-stale)`);
      return root?.dataset.time === String(window.__monocoque.bus.time) && /\d/.test(value?.textContent ?? '') ? value.textContent : null;
    },
    [plot, path, run],
  );
  return Number((await answer.jsonValue()).replace('peak ', ''));
}
const at = async (channels, t, run = 0) => {
  const answer = await page.request.get(`${address}/api/runs/${run}/at?c=${channels.map(encodeURIComponent).join(',')}&t=${t}`);
  return (await answer.json()).values;
};
const plotOf = (path) => `.mp-plot:has(.mp-line[data-key="${path}"])`;
async function clear() {
  for (;;) {
    const button = page.getByRole('button', { name: 'remove this plot' }).first();
    if ((await button.count()) === 0) return;
    await button.click();
  }
}
async function add(path) {
  await page.fill('.mp-search', path);
  await page.press('.mp-search', 'Enter');
  await page.waitForSelector(`.mp-line[data-key="${path}"]`);
  await page.fill('.mp-search', '');
}
async function fresh(kind, ...paths) {
  await clear();
  const whole = page.getByRole('button', { name: 'show the whole time' });
  if (await whole.isEnabled()) await whole.click();
  await page.getByRole('button', { name: kind }).click();
  for (const p of paths) await add(p);
  await page.waitForTimeout(300);
}
const close = (a, b, relative, scale = 1) => assert.ok(Math.abs(a - b) <= relative * scale, `${a} is not ${b}`);
/** Colour of a picture of one pixel. */
const pixel = (bytes) =>
  page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, bytes.toString('base64'));
const shot = (name) => page.screenshot({ path: join(shots, `plots-${name}.png`) });
const over = (plot = '.mp-plot') => page.locator(`${plot} .mp-over`).first();
const ticks = () => page.evaluate(() => window.__monocoque.app.plots.view);

before(async () => {
  const file = join(folder, 'sway.yaml');
  writeFileSync(file, model);
  monocoque('run', '-q', file, '-o', runFile);
  monocoque('run', '-q', file, '-o', otherFile, '--set', 'parameters.sway=0.03');
  server = await view(runFile);
  address = server.address;
  browser = await launch();
  await open();
});
after(async () => {
  await browser?.close();
  server?.stop();
});
beforeEach(() => {
  errors.length = 0;
});

test('a new run shows plots, and the numbers at the cursor are those of the run', async () => {
  assert.ok((await page.locator('.mp-plot').count()) >= 1);
  await fresh('new plot over time', 'table/position/x', 'table/position/z');
  for (const t of [0, 0.1, 3.21, 7.6543, end]) {
    await setTime(t);
    const [ax, az] = [await shown('table/position/x'), await shown('table/position/z')];
    // Six digits are shown; between samples 1 ms apart the run is linear.
    close(ax, x(t), 1e-4, sway);
    close(az, z(t), 7e-4, sway);
    const names = (await (await page.request.get(`${address}/api/runs/0/channels`)).json()).channels;
    const [bx, bz] = await at(['table/position/x', 'table/position/z'].map((p) => String(names.findIndex((c) => c.path === p))), t);
    close(ax, bx, 1e-5, Math.abs(bx) + 1e-12);
    close(az, bz, 1e-5, Math.abs(bz) + 1e-12);
  }
  await shot('time');
  assert.deepEqual(errors, []);
});

test('a mechanism that stays where it is is seen as a whole by a camera that stands', async () => {
  for (const t of [0, 0.1, 0.3]) {
    await setTime(t);
    await page.waitForTimeout(300);
    const { kind, places } = await page.evaluate(() => {
      const { runs, rig } = window.__monocoque.app.stageView, p = runs[0].poses.markerPosition, places = [];
      const times = (m, v) => [0, 1, 2, 3].map((r) => v.reduce((sum, x, c) => sum + m.elements[4 * c + r] * x, 0));
      for (let i = 0; i + 2 < p.length; i += 3) {
        const [x, y, , w] = times(rig.camera.projectionMatrix, times(rig.camera.matrixWorldInverse, [p[i], p[i + 1], p[i + 2], 1]));
        places.push([x / w, y / w]);
      }
      return { kind: rig.kind, places };
    });
    assert.equal(kind, 'free');
    assert.ok(places.length > 0 && places.every(([x, y]) => Math.abs(x) <= 1 && Math.abs(y) <= 1), JSON.stringify(places));
  }
});

test('click sets the time, dragging the cursor scrubs, dragging elsewhere zooms, wheel zooms, double click resets', async () => {
  await fresh('new plot over time', 'table/position/x');
  const box = await over().boundingBox();
  const time = () => page.evaluate(() => window.__monocoque.bus.time);
  await page.mouse.click(box.x + box.width * 0.25, box.y + 40);
  await page.waitForFunction(() => window.__monocoque.bus.time > 0.1);
  close(await time(), end * 0.25, 0.005, end);
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(100);
  close(await time(), end * 0.5, 0.005, end);
  assert.deepEqual(await ticks(), [0, end], 'scrubbing does not zoom');
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 42, { steps: 5 });
  await page.mouse.up();
  const view = await ticks();
  close(view[0], end * 0.6, 0.005, end);
  close(view[1], end * 0.7, 0.005, end);
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.mouse.wheel(0, -200);
  let closer = await ticks();
  assert.ok(closer[1] - closer[0] < (view[1] - view[0]) * 0.8);
  close(closer[0] + closer[1], view[0] + view[1], 0.01, end);
  for (let k = 0; k < 4; ++k) await page.mouse.wheel(0, -200);
  closer = await ticks();
  // Close enough, around the view every sample has come from the server: what is drawn is the run itself.
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.lines[0].curve.lo === null);
  const drawn = await page.evaluate(() => {
    const { x, hi } = window.__monocoque.app.plots.plots[0].chart.lines[0].curve;
    return { x: [...x], y: [...hi] };
  });
  assert.ok(drawn.x[0] <= closer[0] && drawn.x.at(-1) >= closer[1]);
  drawn.x.forEach((t, k) => close(drawn.y[k], x(t), 1e-6, sway));
  await shot('zoomed');
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Shift');
  const moved = await ticks();
  close(moved[1] - moved[0], closer[1] - closer[0], 1e-9, 1);
  assert.notEqual(moved[0], closer[0]);
  await page.mouse.dblclick(box.x + box.width * 0.3, box.y + 40);
  assert.deepEqual(await ticks(), [0, end]);
  assert.deepEqual(errors, []);
});

test('a curve that fills an area is drawn by columns, each from the least to the greatest sample in it', async () => {
  await fresh('new plot over time', 'table/position/z');
  await page.evaluate(() => document.querySelector('.mp-plot').scrollIntoView());
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.layer.drawn.columns > 0);
  const got = await page.evaluate(() => {
    const { layer, axes } = window.__monocoque.app.plots.plots[0].chart, { width, height } = layer.canvas;
    const context = layer.canvas.getContext('2d'), { data } = context.getImageData(0, 0, width, height), columns = [];
    for (let c = 0; c < width; ++c) {
      const rows = [];
      for (let r = 0; r < height; ++r) if (data[4 * (r * width + c) + 3] > 127) rows.push(r);
      columns.push({ top: rows[0], bottom: rows.at(-1) + 1, holes: rows.at(-1) - rows[0] + 1 - rows.length });
    }
    return { columns, height, y: axes.y, drawn: { ...layer.drawn }, inMemory: context.getContextAttributes().willReadFrequently };
  });
  const width = got.columns.length, row = (v) => (got.height * (got.y[1] - v)) / (got.y[1] - got.y[0]);
  // One rectangle a column, no stroke: this is what keeps zooming fluid where there is no GPU.
  assert.deepEqual(got.drawn, { columns: width, corners: 0 });
  assert.equal(got.inMemory, true);
  const [place, area] = [await page.locator('.mp-curves').first().boundingBox(), await over().boundingBox()];
  for (const side of ['x', 'y', 'width', 'height']) close(place[side], area[side], 1, 1);
  // Seen on the screen, too: the middle of the area is of the line's colour, #0072b2.
  const middle = pixel(await page.screenshot({ clip: { x: Math.round(area.x + area.width / 2) + 8, y: Math.round(area.y + area.height / 2) + 3, width: 1, height: 1 } }));
  assert.deepEqual(await middle, [0x00, 0x72, 0xb2]);
  let worst = 0;
  for (let c = 1; c < width - 1; ++c) {
    const samples = [];
    // The server's buckets lie with their middle in the column, so they may reach over by half their width.
    for (let t = (c * end) / width; t < ((c + 1) * end) / width; t += 0.001) samples.push(row(z(t)));
    const thick = 0.7, { top, bottom, holes } = got.columns[c];
    assert.equal(holes, 0, `column ${c}`);
    worst = Math.max(worst, Math.abs(top - (Math.min(...samples) - thick)), Math.abs(bottom - (Math.max(...samples) + thick)));
  }
  // Half a bucket is 3 ms here, in which the curve moves at most by 2 pi f_z amplitude 3 ms.
  const reach = row(0) - row(0.5 * sway * Math.min(1, 2 * Math.PI * fz * 0.0045));
  assert.ok(worst <= reach + 1, `${worst} rows off, ${reach} allowed`);
});

test('a plot that is scrolled away is not drawn, and is there when it comes back', async () => {
  await fresh('new plot over time', 'table/position/x');
  for (let k = 0; k < 7; ++k) await page.getByRole('button', { name: 'new plot over time' }).click();
  await add('table/position/z');
  const last = page.locator('.mp-plot').last(), pictures = () => page.evaluate(() => window.__monocoque.app.plots.plots[0].chart.layer.pictures);
  await last.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const before = await pictures();
  await page.evaluate(() => window.__monocoque.app.plots.setView([2, 3]));
  await page.waitForTimeout(300);
  assert.equal(await pictures(), before, 'the first plot rests');
  await page.evaluate(() => document.querySelector('.mp-plot').scrollIntoView());
  await page.waitForFunction((n) => window.__monocoque.app.plots.plots[0].chart.layer.pictures > n, before);
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.axes.x[0] === 2);
  await page.evaluate(() => window.__monocoque.app.plots.setView(null));
});

test('keys alone: search, add, walk, zoom, remove', async () => {
  await clear();
  await page.focus('.mp-search');
  await page.keyboard.type('velocity x table');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.mp-line[data-key="table/velocity/x"]');
  await page.fill('.mp-search', '');
  await page.focus('.mp-plot');
  await setTime(3);
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(100);
  const t = await page.evaluate(() => window.__monocoque.bus.time);
  assert.ok(t > 3 && t < 3.2);
  await page.keyboard.press('+');
  const view = await ticks();
  close(view[1] - view[0], end * 0.7, 1e-6, end);
  await page.keyboard.press('0');
  assert.deepEqual(await ticks(), [0, end]);
  await page.keyboard.press('Delete');
  assert.equal(await page.locator('.mp-plot').count(), 0);
});

test('a channel dragged onto a plot is drawn there; the lower edge changes the height', async () => {
  await fresh('new plot over time', 'table/position/x');
  await page.getByRole('button', { name: 'new plot over time' }).click();
  await page.fill('.mp-search', 'table/position/z');
  await page.dragAndDrop('.mp-row[data-path="table/position/z"]', `${plotOf('table/position/x')} .mp-over`);
  await page.waitForSelector(`${plotOf('table/position/x')} .mp-line[data-key="table/position/z"]`);
  await page.fill('.mp-search', '');
  const grip = page.locator('.mp-grip').first();
  const before = (await over().boundingBox()).height;
  await grip.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(300);
  close((await over().boundingBox()).height, before + 40, 0.02, before);
});

test('two units have two axes; a third unit gets a plot of its own', async () => {
  await fresh('new plot over time', 'table/position/x', 'table/velocity/x');
  assert.equal(await page.locator('.mp-plot').count(), 1);
  assert.ok(await page.evaluate(() => window.__monocoque.app.plots.plots[0].chart.axes.y2 !== null));
  await add('table/acceleration/x');
  assert.equal(await page.locator('.mp-plot').count(), 2);
  await shot('axes');
});

test('X-Y: the curve is the ellipse of Lissajous, the mark is where the run is', async () => {
  await fresh('new plot of one channel over another', 'table/position/x', 'table/position/z');
  const t = 1.2345;
  await setTime(t);
  await shown('table/position/x');
  await shown('table/position/z');
  const mark = await page.evaluate(() => ({ ...document.querySelector('.mp-mark').dataset }));
  close(Number(mark.x), x(t), 1e-4, sway);
  close(Number(mark.y), z(t), 1e-3, sway);
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.lines[0]?.curve.x.length > 0);
  const curve = await page.evaluate(() => {
    const { x, hi } = window.__monocoque.app.plots.plots[0].chart.lines[0].curve;
    return { x: [...x], y: [...hi] };
  });
  assert.ok(curve.x.length > 200);
  close(Math.max(...curve.x), sway, 1e-3, sway);
  close(Math.min(...curve.y), -0.5 * sway, 1e-3, sway);
  await shot('xy');
  assert.deepEqual(errors, []);
});

test('PSD: the peak is at the frequency of the motion, the area below it is its mean square', async () => {
  await fresh('new plot of power spectral density', 'table/position/x');
  await page.fill('input[aria-label="window in seconds"]', '4');
  await page.press('input[aria-label="window in seconds"]', 'Enter');
  await page.waitForTimeout(500);
  close(await shown('table/position/x'), fx, 0.26, 1);
  const s = await page.evaluate(() => {
    const { x, hi } = window.__monocoque.app.plots.plots[0].chart.lines[0].curve;
    return { f: [...x], p: [...hi] };
  });
  const df = s.f[1] - s.f[0];
  assert.ok(df <= 0.251, `resolution ${df} Hz`);
  const area = s.p.reduce((a, b) => a + b, 0) * df;
  close(area, (sway * sway) / 2, 0.03, (sway * sway) / 2);
  await shot('psd');
  await add('table/position/z');
  await page.waitForTimeout(800);
  close(await shown('table/position/z'), fz, 0.26, 1);
  assert.deepEqual(errors, []);
});

test('derived channel: value of the expression, the server tells what is wrong and where', async () => {
  await fresh('new plot over time');
  await page.getByRole('button', { name: 'new derived channel' }).click();
  await page.getByLabel('name', { exact: true }).fill('twice');
  const field = page.getByLabel('expression');
  await field.fill('1000*[table/position/x] + 2*');
  const verdict = page.locator('.mp-verdict');
  await page.waitForSelector('.mp-verdict.mp-bad');
  assert.match(await verdict.textContent(), /at the end/);
  assert.equal((await page.locator('.mp-caret').textContent()).length, 29);
  await field.fill('1000*[table/position/q]');
  await page.waitForFunction(() => /did you mean 'table\/position\/[xyz]'/.test(document.querySelector('.mp-verdict').textContent));
  // The server names the channel, behind its bracket.
  const mark = (await page.locator('.mp-caret').textContent()).length;
  assert.ok(mark === 6 || mark === 7, `column ${mark}`);
  await shot('error');
  await field.fill('[table/vel');
  await page.waitForSelector('.mp-offers li');
  assert.match(await page.locator('.mp-offers').textContent(), /table\/velocity\/x/);
  await page.keyboard.press('Escape');
  await field.fill('1000*[table/position/x] + 1');
  await page.waitForSelector('.mp-verdict.mp-good');
  await page.getByLabel('unit').fill('mm');
  await page.keyboard.press('Enter');
  const key = 'e:1000*[table/position/x] + 1';
  await setTime(4.4);
  close(await shown(key), 1000 * x(4.4) + 1, 1e-4, 20);
  assert.match(await page.locator(plotOf(key)).textContent(), /twice/);
  // Derivative of the position is the velocity.
  await page.getByRole('button', { name: 'new derived channel' }).click();
  await page.getByLabel('expression').fill('derivative([table/position/x])');
  await page.waitForFunction(() => document.querySelector('.mp-verdict').textContent !== '');
  if (await page.locator('.mp-verdict.mp-good').count()) {
    await page.keyboard.press('Enter');
    close(await shown('e:derivative([table/position/x])'), sway * 2 * Math.PI * fx * Math.cos(2 * Math.PI * fx * 4.4), 2e-3, sway * 2 * Math.PI * fx);
  } else await page.keyboard.press('Escape');
  assert.deepEqual(errors, []);
});

test('CSV is what the program exports', async () => {
  await fresh('new plot over time', 'table/position/x', 'table/position/z');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'download the plotted channels as CSV' }).click(),
  ]);
  const got = readFileSync(await download.path(), 'utf8').trim().split('\n');
  const expected = monocoque('export', runFile, '-c', 'table/position/x', 'table/position/z').trim().split('\n');
  assert.equal(got[0].trim(), expected[0].trim());
  assert.equal(got.length, expected.length);
  for (let k = 1; k < got.length; ++k) assert.deepEqual(got[k].split(',').map(Number), expected[k].split(',').map(Number));
});

test('the layout is there again after a reload', async () => {
  await fresh('new plot over time', 'table/velocity/z');
  await page.getByRole('button', { name: 'new plot of one channel over another' }).click();
  await add('table/position/x');
  const saved = page.waitForResponse((r) => r.request().method() === 'PUT' && r.url().endsWith('/layout') && r.request().postData().includes('table/velocity/x'));
  await add('table/velocity/x');
  assert.equal((await saved).ok(), true);
  await open();
  assert.equal(await page.locator('.mp-plot').count(), 2);
  await page.waitForSelector('.mp-plot[data-kind="time"] .mp-line[data-key="table/velocity/z"]');
  await page.waitForSelector('.mp-plot[data-kind="xy"] .mp-line[data-key="table/velocity/x"]');
  assert.ok((await page.locator('.mp-row[data-path^="e:"]').count()) >= 1, 'derived channels are kept');
});

test('phone, light and dark', async () => {
  for (const theme of ['light', 'dark']) {
    await open({ viewport: { width: 390, height: 844 }, colorScheme: theme, hasTouch: true, isMobile: true });
    const nav = page.getByRole('button', { name: 'Plots', exact: true });
    if (await nav.isVisible()) await nav.click();
    await page.waitForTimeout(600);
    await shot(`phone-${theme}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scrolling');
    const box = await over('.mp-plot[data-kind="time"]').boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction((t) => Math.abs(window.__monocoque.bus.time - t) < 0.1, end / 2);
    await open({ colorScheme: theme });
    await page.waitForTimeout(600);
    await shot(theme);
  }
});

test('two runs: the second dashed, both numbers shown', async () => {
  server.stop();
  server = await view(runFile, otherFile);
  address = server.address;
  await open();
  await fresh('new plot over time', 'table/position/x');
  await setTime(0.13);
  close(await shown('table/position/x', '.mp-plot', 0), x(0.13), 1e-4, sway);
  close(await shown('table/position/x', '.mp-plot', 1), 1.5 * x(0.13), 1e-4, sway);
  const dashes = await page.evaluate(() => window.__monocoque.app.plots.plots[0].chart.lines.map((l) => l.dash.length));
  assert.deepEqual(dashes.map((d) => d > 0), [false, true]);
  await shot('two-runs');
  const saved = page.waitForResponse((r) => r.request().method() === 'PUT' && r.request().postData().includes('"overlay":false'));
  await page.getByLabel('both runs').uncheck();
  await saved;
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.lines.length === 1);
  assert.deepEqual(errors, []);
});

test('a run without motion still has its plots, over its whole time', async () => {
  const still = join(folder, 'still.h5');
  monocoque('run', '-q', join(folder, 'sway.yaml'), '-o', still, '--set', 'simulation.motion_step_s=0');
  const other = await view(still);
  await open({}, other.address);
  await fresh('new plot over time', 'table/position/x');
  assert.deepEqual(await ticks(), [0, end]);
  await setTime(3.21);
  close(await shown('table/position/x'), x(3.21), 1e-4, sway);
  const [least, most] = await page.evaluate(() => {
    const { lo, hi } = window.__monocoque.app.plots.plots[0].chart.lines[0].curve;
    return [Math.min(...(lo ?? hi)), Math.max(...hi)];
  });
  close(most, sway, 1e-3, sway);
  close(least, -sway, 1e-3, sway);
  other.stop();
});

test('an exported page, opened from disk, shows the same numbers', async () => {
  const file = join(folder, 'export.html');
  monocoque('view', runFile, '--html', file);
  const requests = [];
  await page.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('request', (r) => requests.push(r.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('.mp-plot');
  // The layout that the last test left beside the run.
  await page.waitForSelector(plotOf('table/position/x'));
  for (const t of [0, 2.53, 7.77]) {
    await setTime(t);
    close(await shown('table/position/x'), x(t), 1e-4, sway);
  }
  await shot('export');
  assert.deepEqual(requests.filter((u) => !u.startsWith('file:') && !u.startsWith('data:') && !u.startsWith('blob:')), [], 'nothing is fetched');
  assert.deepEqual(errors, []);
});
