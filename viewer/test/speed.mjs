// node viewer/test/speed.mjs [first|frames|plots...]: how fast the viewer is, in figures; the load of the machine beside.
//   first   from the call of the page to the first picture with the body: 60 s of the flexible Camry, 50 000 triangles
//   frames  pictures a second while playing, software rendering, 1280 x 800, 10 000 triangles, each way of colouring
//   plots   an hour at 1 kHz with 200 channels: answers of the server, and zooming in the page
// Beside each time stands the processor's: what Chromium's processes computed, which a busy machine hardly changes.
//   RUNS=folder keeps the runs; MONOCOQUE=path of the program; TIMES=3 repetitions.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { folder, launch, makeRun, open, root, view } from './harness.mjs';

const wanted = process.argv.slice(2), times = Number(process.env.TIMES ?? 3);
const runs = process.env.RUNS ?? folder;
const python = process.env.PYTHON ?? '/usr/bin/python3';
const round = (v, n = 0) => v.toFixed(n);
const say = (name, text, limit) => console.log(`${name}: ${text}${limit ? ` (wanted: ${limit})` : ''}; load ${round(loadavg()[0], 1)}`);

/** Seconds that the browser's processes have computed, by kind. */
async function processorTime(browser) {
  const cdp = (processorTime.cdp ??= await browser.newBrowserCDPSession());
  const out = { all: 0, renderer: 0, GPU: 0 };
  for (const p of (await cdp.send('SystemInfo.getProcessInfo')).processInfo) {
    out.all += p.cpuTime;
    if (p.type in out) out[p.type] += p.cpuTime;
  }
  return out;
}
/** Milliseconds of the processor between two such readings, each `per` of something. */
const spent = (a, b, per = 1) => `${round((1000 * (b.all - a.all)) / per)} ms of the processor (page ${round((1000 * (b.renderer - a.renderer)) / per)}, drawing ${round((1000 * (b.GPU - a.GPU)) / per)})`;

/** The run with its body made finer. */
function refined(run, triangles) {
  const file = run.replace(/\.h5$/, `-${triangles}.h5`);
  if (!existsSync(file)) execFileSync(python, [join(root, 'viewer/test/refine.py'), run, file, String(triangles)]);
  return file;
}

/** Milliseconds from navigation until the GPU has drawn the first picture with the body. */
async function firstPicture(browser, address) {
  const before = await processorTime(browser), page = await open(browser, address);
  const ms = await page.evaluate(() => {
    const { firstPicture, app } = window.__monocoque, gl = app.stageView.canvas.getContext('webgl2'), begin = performance.now();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits until everything is drawn
    return { submitted: firstPicture, drawn: firstPicture + performance.now() - begin, triangles: window.__monocoque.stats.triangles };
  });
  ms.spent = spent(before, await processorTime(browser));
  await page.context().close();
  return ms;
}

async function measureFirst(browser) {
  const run = refined(makeRun('long.h5', 'camry/scenarios/cornering-flexible.yaml', '--end', '60'), 50000);
  const server = await view(run), list = [];
  for (let k = 0; k < times; ++k) list.push(await firstPicture(browser, server.address));
  say('first picture', `${list.map((m) => round(m.drawn)).join(', ')} ms (handed to the GPU at ${list.map((m) => round(m.submitted)).join(', ')}), ${list[0].triangles} triangles; ${list.map((m) => m.spent).join(', ')}`, 'under 2000 ms');
  server.stop();
}

async function measureFrames(browser) {
  const server = await view(refined(makeRun('flexible.h5', 'camry/scenarios/cornering-flexible.yaml', '--end', '1.5'), 10000));
  const page = await open(browser, server.address);
  await page.evaluate(() => window.__monocoque.bus.setLoop(true));
  const count = async (name) => {
    const rates = [], used = { all: 0, renderer: 0, GPU: 0 };
    let stats, frames = 0;
    const play = (on) => page.evaluate((v) => window.__monocoque.bus.setPlaying(v), on);
    for (let k = 0; k < times; ++k) {
      await play(true);
      await page.waitForTimeout(500);
      const before = await processorTime(browser);
      stats = await page.evaluate(async () => {
        const m = window.__monocoque, first = m.stats.frames, begin = performance.now();
        await new Promise((done) => setTimeout(done, 2500));
        const drawn = m.stats.frames - first;
        return { ...m.stats, drawn, rate: (1000 * drawn) / (performance.now() - begin) };
      });
      const after = await processorTime(browser);
      for (const kind in used) used[kind] += after[kind] - before[kind];
      await play(false);
      rates.push(stats.rate);
      frames += stats.drawn;
    }
    say(`frames, ${name}`, `${rates.map((r) => round(r, 1)).join(', ')} a second, ${stats.triangles} triangles in ${stats.calls} calls, each ${spent({ all: 0, renderer: 0, GPU: 0 }, used, frames)}`, 'at least 30');
  };
  await count('colour by part');
  await page.click('#tab-display');
  await page.selectOption('#coloring', 'displacement');
  await count('colour by displacement');
  await page.selectOption('#coloring', 'stress');
  await count('colour by stress');
  await page.context().close();
  server.stop();
}

/** An hour at 1 kHz with 200 channels, written by h5py in the form of the result file. */
const hourScript = `
import sys, json, h5py, numpy as np
n, m = 3_600_000, 200
with h5py.File(sys.argv[1], "w") as f:
    t = f.create_dataset("time", (n,), "f8", chunks=(65536,))
    t.attrs["unit"] = np.bytes_("s")
    d = f.create_dataset("data", (n, m), "f8", chunks=(1024, m))
    f["channels/path"] = np.array([f"bank{k // 10}/signal{k}" for k in range(m)], "S20")
    f["channels/unit"] = np.array(["m/s"] * m, "S5")
    rate, noise = np.arange(1, m + 1) * 0.037, np.random.default_rng(1)
    for a in range(0, n, 65536):
        s = (np.arange(a, min(n, a + 65536)) * 1e-3)
        t[a:a + len(s)] = s
        d[a:a + len(s)] = np.sin(s[:, None] * rate) + 0.1 * noise.standard_normal((len(s), 1))
    d[1_234_567, 7] = 9.0  # one sample that no thinning may lose
    for key, value in dict(model="hour", scenario="hour at 1 kHz", solver="none", settings="{}", version="0", git_commit="",
                           created="2026-01-01T00:00:00Z", summary="{}").items():
        f.attrs[key] = np.bytes_(value)
    f.attrs["complete"] = np.int32(1)
`;

async function measurePlots(browser) {
  const file = join(runs, 'hour.h5');
  if (!existsSync(file)) {
    const script = join(folder, 'hour.py');
    writeFileSync(script, hourScript);
    execFileSync(python, [script, file]);
  }
  rmSync(file.replace(/h5$/, 'layout.json'), { force: true }); // each time the same plots
  const begin = performance.now(), server = await view(file);
  const ask = async (path) => {
    const t = performance.now(), answer = await fetch(server.address + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const bytes = (await answer.arrayBuffer()).byteLength;
    return { ms: performance.now() - t, bytes };
  };
  const ten = Array.from({ length: 10 }, (_, k) => k).join(','), all = Array.from({ length: 200 }, (_, k) => k).join(',');
  const first = await ask(`/api/runs/0/data?c=${ten}&points=1500`);
  say('plots, first look at the whole hour', `${round(performance.now() - begin)} ms after the start of the program (the overview is made then), answer ${round(first.bytes / 1024)} KB`);
  const look = async (name, path) => {
    const list = [];
    for (let k = 0; k < Math.max(5, times); ++k) list.push((await ask(path(k))).ms);
    say(`plots, ${name}`, `${list.map((v) => round(v)).join(', ')} ms`);
  };
  await look('10 channels, whole hour', () => `/api/runs/0/data?c=${ten}&points=1500`);
  await look('200 channels, whole hour', () => `/api/runs/0/data?c=${all}&points=1500`);
  await look('10 channels, a minute, elsewhere each time', (k) => `/api/runs/0/data?c=${ten}&from=${300 * k + 10}&to=${300 * k + 70}&points=1500`);
  await look('10 channels, a second, elsewhere each time', (k) => `/api/runs/0/data?c=${ten}&from=${500 * k + 200}&to=${500 * k + 201}&points=1500`);
  await look('values at the cursor, 10 channels', (k) => `/api/runs/0/at?c=${ten}&t=${77.3 * k + 3}`);

  const page = await open2(browser, server.address);
  await page.fill('.mp-search', 'signal7');
  await page.press('.mp-search', 'Enter');
  await page.waitForSelector('.mp-line');
  await page.waitForFunction(() => window.__monocoque.app.plots.plots[0].chart.lines.at(-1)?.curve.x.length > 100);
  const peak = await page.evaluate(() => Math.max(...window.__monocoque.app.plots.plots[0].chart.lines.at(-1).curve.hi));
  say('plots, the least that the browser needs for a picture', await squareOnly(page));
  const spike = `the single spike is ${peak > 8.5 ? 'there' : 'LOST'}`;
  say('plots, zoom in and out by the wheel', `${await zoomByWheel(page)}; ${spike}`, 'at most 33 ms');
  await page.context().close();
  server.stop();
}

/** Sixty pictures, drawn by `change(k)` each as soon as the last one is there; median and worst time of one, ms. */
const sixty = `async (change) => {
  const gaps = [];
  let last = performance.now();
  for (let k = 0; k < 60; ++k) {
    change(k);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  }
  gaps.sort((a, b) => a - b);
  return { median: gaps[30], worst: gaps[59] };
}`;

/** Pictures in which nothing changes but a square of 20 px: composing the page is the browser's own work. */
async function squareOnly(page) {
  const before = await processorTime(page.context().browser());
  const { median, worst } = await page.evaluate(`(async () => {
    const square = document.createElement('div');
    square.style.cssText = 'position:fixed;left:300px;top:300px;width:20px;height:20px';
    document.body.append(square);
    const times = await (${sixty})((k) => (square.style.background = k % 2 ? 'red' : 'blue'));
    square.remove();
    return times;
  })()`);
  return `${round(median)} ms (median), ${round(worst)} ms at worst, ${spent(before, await processorTime(page.context().browser()), 60)}`;
}

/** Thirty notches in, thirty out, each as soon as the last picture is there; also how much was drawn. */
async function zoomByWheel(page) {
  const box = await page.locator('.mp-over').first().boundingBox(), before = await processorTime(page.context().browser());
  const x = box.x + 0.4 * box.width, y = box.y + box.height / 2;
  const { median, worst, lines, columns } = await page.evaluate(`(async () => {
    const over = document.querySelector('.mp-over'), { plots } = window.__monocoque.app.plots, first = plots.map((p) => p.chart.layer.pictures);
    const wheel = (k) => over.dispatchEvent(new WheelEvent('wheel', { deltaY: k < 30 ? -60 : 60, clientX: ${x}, clientY: ${y}, bubbles: true, cancelable: true }));
    const times = await (${sixty})(wheel);
    const drawn = plots.filter((p, k) => p.chart.layer.pictures > first[k]).map((p) => p.chart);
    const sum = (f) => drawn.reduce((s, c) => s + f(c), 0);
    return { ...times, lines: sum((c) => c.lines.length), columns: sum((c) => c.lines.length * c.layer.canvas.width) };
  })()`);
  const cost = spent(before, await processorTime(page.context().browser()), 60);
  return `a picture each ${round(median)} ms (median), ${round(worst)} ms at worst, ${lines} lines in ${columns} columns drawn, ${cost}`;
}

/** A run without motion has no first picture to wait for. */
async function open2(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector('.mp-search');
  return page;
}

const browser = await launch();
try {
  const all = { first: measureFirst, frames: measureFrames, plots: measurePlots };
  for (const [name, measure] of Object.entries(all)) if (!wanted.length || wanted.includes(name)) await measure(browser);
} finally {
  await browser.close();
}
process.exit(0);
