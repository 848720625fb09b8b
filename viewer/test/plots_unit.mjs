// Pure functions of the plots and of the export: node --test test/plots_unit.mjs
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const files = [
  'plots/axes', 'plots/defaults', 'plots/expression', 'plots/format', 'plots/layout', 'plots/live_store', 'plots/book', 'plots/palette',
  'plots/rolling', 'plots/search', 'plots/store', 'plots/thin', 'plots/trace', 'plots/tree_model', 'plots/values', 'export/pack', 'export/embedded_source',
];
const bundle = await build({
  stdin: { contents: files.map((f) => `export * from './${f}';`).join('\n'), resolveDir: src },
  bundle: true,
  write: false,
  format: 'esm',
});
const m = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`);

const curve = (f, n, dt = 1) => ({
  x: Float64Array.from({ length: n }, (_, k) => k * dt),
  hi: Float64Array.from({ length: n }, (_, k) => f(k * dt)),
  lo: null,
});

test('thinning keeps the least and greatest value of every bucket, and a spike of one sample', () => {
  const c = curve((t) => Math.sin(t / 50), 10007);
  c.hi[7777] = 42;
  const t = m.thin(c, 100);
  assert.equal(t.x.length, 100);
  assert.equal(Math.max(...t.hi), 42);
  for (let b = 0; b < 100; ++b) {
    const [first, last] = [Math.floor((b * 10007) / 100), Math.floor(((b + 1) * 10007) / 100)];
    const part = c.hi.slice(first, last);
    assert.equal(t.lo[b], Math.min(...part));
    assert.equal(t.hi[b], Math.max(...part));
    assert.equal(t.x[b], c.x[first]);
  }
  assert.equal(m.thin(c, 20000), c, 'all samples fit: untouched');
  assert.equal(Math.max(...m.thin(t, 7).hi), 42, 'thinned again');
});

test('a gap of not-a-number stays a gap', () => {
  const c = curve(() => NaN, 10);
  c.hi[9] = 1;
  const t = m.thin(c, 5);
  assert.ok(Number.isNaN(t.hi[0]) && Number.isNaN(t.lo[0]));
  assert.equal(t.hi[4], 1);
});

/** What Columns covers, column by column; null where there is nothing. */
function covered(width, buckets) {
  const columns = new m.Columns(width), out = Array(width).fill(null);
  for (const b of buckets) columns.add(...b);
  columns.each((c, top, bottom) => (out[c] = [top, bottom]));
  return out;
}

test('columns: each covers what the curve passes within it, and no more', () => {
  // A line through (0, 10) and (4, 50) climbs ten rows in each column.
  assert.deepEqual(covered(4, [[0, 10, 10], [4, 50, 50]]), [[10, 20], [20, 30], [30, 40], [40, 50]]);
  // Samples within a column: their least and greatest, and the ways to the neighbours.
  assert.deepEqual(covered(2, [[0.25, 5, 5], [0.5, 90, 90], [0.75, 5, 5], [1.25, 5, 5]]), [[5, 90], [5, 5]]);
  // Buckets: both ends are joined with those of the next one.
  assert.deepEqual(covered(3, [[0.5, 20, 40], [2.5, 40, 60]]), [[20, 45], [25, 55], [35, 60]]);
  assert.deepEqual(covered(3, [[-2, 0, 0], [5, 70, 70]]), [[20, 30], [30, 40], [40, 50]], 'cut at the border');
  assert.deepEqual(covered(4, [[0.5, 1, 1], [1.5, NaN, NaN], [2.5, 3, 3], [3.5, 3, 3]]), [[1, 1], null, [3, 3], [3, 3]], 'a gap stays one');
});

test('columns: a spike of one sample in an hour stays in its column', () => {
  const n = 36000, buckets = Array.from({ length: n }, (_, k) => [(k * 300) / n, 70 + (k % 7), 70 - (k % 5)]);
  buckets[12345][2] = -12;
  const out = covered(300, buckets);
  assert.deepEqual(out.map((c) => c[0]).map((top, c) => (top < 0 ? c : -1)).filter((c) => c >= 0), [Math.floor((12345 * 300) / n)]);
  assert.equal(out[102][0], -12);
});

test('value between samples is linear, outside there is none', () => {
  const c = curve((t) => t * t, 11);
  assert.equal(m.valueAt(c, 3), 9);
  assert.equal(m.valueAt(c, 3.25), 9 + 0.25 * 7);
  assert.ok(Number.isNaN(m.valueAt(c, -0.1)) && Number.isNaN(m.valueAt(c, 10.1)));
  assert.equal(m.valueAt(c, 10), 100);
});

test('extent counts edges that lie between samples', () => {
  const c = curve((t) => t, 11);
  assert.deepEqual(m.extent(c, 2.5, 3.75), [2.5, 3.75]);
  assert.deepEqual(m.extent(c, 0, 10), [0, 10]);
  assert.equal(m.extent(c, 20, 30), null);
  assert.deepEqual(m.slice(c, 2.5, 3.75).x, Float64Array.from([2, 3, 4]));
});

test('ranges: air around, constants get width, zoom keeps the point under the pointer', () => {
  assert.deepEqual(m.padRange(5, 5), [4.5, 5.5]);
  assert.deepEqual(m.padRange(0, 0), [-1, 1]);
  const z = m.zoomRange([0, 10], 2, 0.5, [0, 10], 1e-6);
  assert.deepEqual(z, [1, 6]);
  assert.deepEqual(m.zoomRange([1, 6], 2, 10, [0, 10], 1e-6), [0, 10]);
  assert.deepEqual(m.shiftInto([-3, 2], [0, 10]), [0, 5]);
  assert.deepEqual(m.shiftInto([8, 13], [0, 10]), [5, 10]);
});

test('ticks are round numbers within the range, labels have equal decimals', () => {
  for (const [lo, hi] of [[0, 1], [-0.37, 12.2], [1e-7, 9e-7], [1e6, 1e6 + 3], [-5e8, 2e8]]) {
    const { ticks, step } = m.niceTicks(lo, hi, 6);
    assert.ok(ticks.length >= 2 && ticks.length <= 7, `${lo} ${hi}: ${ticks}`);
    for (const v of ticks) assert.ok(v >= lo - 1e-9 * step && v <= hi + 1e-9 * step);
    assert.match(step.toExponential(), /^(1|2|5)(\.0+1?)?e/);
    assert.equal(new Set(m.tickLabels(ticks, step)).size, ticks.length, 'labels differ');
  }
  assert.deepEqual(m.niceTicks(0, 0.5, 5).ticks, [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(m.tickLabels([0, 0.5, 1], 0.5), ['0.0', '0.5', '1.0']);
  assert.deepEqual(m.logTicks(0.5, 200, 12), [0.5, 1, 2, 5, 10, 20, 50, 100, 200]);
  assert.deepEqual(m.logTicks(1e-6, 1e6, 4), [1e-6, 1e-3, 1, 1e3, 1e6]);
});

test('numbers', () => {
  assert.equal(m.formatValue(26.896999999), '26.897');
  assert.equal(m.formatValue(-1.5e-9), '-1.5e-9');
  assert.equal(m.formatValue(0), '0');
  assert.equal(m.formatValue(5378.0600001), '5378.06');
  assert.equal(m.formatValue(100000), '100000');
  assert.equal(m.formatValue(1234567), '1.23457e6');
  assert.equal(m.plainError(new Error('/api/runs/0/at?c=e%3Ax&t=1: unknown name at column 3')), 'unknown name at column 3');
  assert.equal(m.fileName('../car/velocity x', 'csv'), 'car_velocity_x.csv');
});

test('search: words anywhere, letters in order, units, best first', () => {
  const paths = ['car/velocity/x', 'car/acceleration/x', 'FL/spring/force/z', 'FL/tire/slip', 'FR/spring/force/z'];
  const found = (q, units) => m.search(paths, q, units).map((h) => paths[h.index]);
  assert.deepEqual(found('velo'), ['car/velocity/x']);
  assert.deepEqual(found('fl spring'), ['FL/spring/force/z']);
  assert.deepEqual(found('spring z'), ['FL/spring/force/z', 'FR/spring/force/z']);
  assert.equal(found('flsfz')[0], 'FL/spring/force/z');
  assert.deepEqual(found('[n]', ['m/s', 'm/s^2', 'N', '1', 'N']), ['FL/spring/force/z', 'FR/spring/force/z']);
  assert.equal(found('').length, 5);
  assert.deepEqual(found('zzz'), []);
});

test('search in 5000 channels is quick', () => {
  const paths = Array.from({ length: 5000 }, (_, k) => `part_${k % 70}/joint_${k}/reaction/force/${'xyz'[k % 3]}`);
  const times = [];
  for (let k = 0; k < 5; ++k) {
    const begin = performance.now();
    assert.ok(m.search(paths, 'part_7 joint_4 force x').length > 0);
    times.push(performance.now() - begin);
  }
  // 2 ms on a quiet machine; the bound only catches what grows out of hand
  assert.ok(Math.min(...times) < 3000, `${times} ms`);
});

test('tree: groups with counts, opening, searching', () => {
  const t = new m.TreeModel();
  t.setChannels(['a/b/x', 'a/b/y', 'a/c', 'd'].map((path) => ({ path, unit: 'm' })));
  assert.deepEqual(t.rows.map((r) => [r.path, r.count]), [['a', 3], ['d', 1]]);
  t.toggle('a');
  t.toggle('a/b');
  assert.deepEqual(t.rows.map((r) => r.path), ['a', 'a/b', 'a/b/x', 'a/b/y', 'a/c', 'd']);
  assert.equal(t.parentOf(3), 1);
  assert.deepEqual(t.channelsOf(t.rows[1]), [0, 1]);
  t.setQuery('y');
  assert.deepEqual(t.rows.map((r) => r.path), ['a/b/y']);
  t.setQuery('');
  t.toggle('a', false);
  assert.equal(t.rows.length, 2);
});

test('tokens of an expression, completion, column of an error', () => {
  const text = 'derivative([car/velocity/x])*3.6e-1 + [a';
  assert.equal(m.tokens(text).map((t) => t.text).join(''), text);
  assert.deepEqual(m.tokens('2*[a/b]^x').map((t) => t.kind), ['number', 'operator', 'channel', 'operator', 'name']);
  assert.deepEqual(m.channelsIn('[a/b] - [c'), ['a/b']);
  assert.deepEqual(m.completionAt(text, text.length), { kind: 'channel', begin: 38, text: 'a' });
  assert.deepEqual(m.completionAt('2*der', 5), { kind: 'name', begin: 2, text: 'der' });
  assert.equal(m.completionAt('2*', 2), null);
  assert.equal(m.errorColumn("unknown parameter 'foo' at character 3", 9), 3);
  assert.equal(m.errorColumn("expected ')' at the end", 9), 10);
  assert.equal(m.errorColumn('no idea', 9), null);
});

test('layout: what does not fit is left out', () => {
  assert.equal(m.readLayout(null), null);
  assert.equal(m.readLayout({ version: 2, plots: [] }), null);
  const l = m.readLayout({
    version: 1,
    plots: [{ kind: 'time', height: 1e9, series: ['a', 3, 'a', 'b'] }, { kind: 'pie' }, null, { kind: 'psd', window: -1, series: 'x' }],
    derived: [{ name: 'v', expression: '[a]*2' }, { name: 3 }, null],
    overlay: 'x',
  });
  assert.deepEqual(l.plots, [
    { kind: 'time', height: 1200, series: ['a', 'b'] },
    { kind: 'psd', height: 170, series: [], window: 0.01, log: true },
  ]);
  assert.deepEqual(l.derived, [{ name: 'v', expression: '[a]*2', unit: '' }]);
  assert.deepEqual(m.readLayout(JSON.parse(JSON.stringify(l))), l, 'reads what it wrote');
});

test('first plots of a car and of any model', () => {
  const unit = (p) => ({ path: p, unit: p.includes('force') || p.includes('load') ? 'N' : 'm/s' });
  const car = ['car/velocity/x', 'car/acceleration/x', 'car/acceleration/y', 'FL/tire/force/z', 'FL/tire/load', 'FR/tire/force/z', 'attitude/roll', 'FL/tire/slip_angle'];
  assert.deepEqual(m.defaultPlots(car.map(unit)).map((p) => p.series), [
    ['car/velocity/x'], ['attitude/roll'], ['car/acceleration/x', 'car/acceleration/y'], ['FL/tire/load', 'FR/tire/force/z'],
  ]);
  const other = ['crank/position/x', 'crank/position/y', 'crank/force/x', 'rod/position/x'];
  assert.deepEqual(m.defaultPlots(other.map(unit)).map((p) => p.series), [['crank/position/x', 'crank/position/y'], ['crank/force/x'], ['rod/position/x']]);
  assert.deepEqual(m.defaultPlots([]), []);
});

test('two units have axes, a third has none', () => {
  assert.deepEqual(m.sides(['m', 'N', 'm']), { side: ['y', 'y2', 'y'], left: 'm', right: 'N' });
  assert.equal(m.unitFits(['m', 'N'], 'N'), true);
  assert.equal(m.unitFits(['m', 'N'], 's'), false);
});

test('colours: contrast of 3 at least on their ground; the second run is dashed', () => {
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  for (let k = 0; k < m.paletteSize; ++k) {
    assert.ok(contrast(m.luminance(m.lineColor(k, false)), m.luminance('#ffffff')) >= 3, m.lineColor(k, false));
    assert.ok(contrast(m.luminance(m.lineColor(k, true)), m.luminance('#14181c')) >= 3, m.lineColor(k, true));
  }
  assert.deepEqual(m.lineDash(0, false), []);
  assert.ok(m.lineDash(0, true).length > 0);
});

test('rolling window: bounded, in order, forgets at a reset', () => {
  const r = new m.Rolling(2, 100);
  for (let k = 0; k < 250; ++k) r.push(k * 0.1, [k, -k]);
  assert.equal(r.count, 100);
  const c = r.curve(1, 0);
  assert.equal(c.x.length, 100);
  assert.equal(c.hi[99], -249);
  assert.equal(c.hi[0], -150);
  assert.ok(c.x.every((t, k) => k === 0 || t > c.x[k - 1]));
  assert.equal(r.curve(0, 24.0).x.length, 11, 'one sample before the begin');
  r.push(r.last, [0, 0]);
  assert.equal(r.count, 100, 'same time again is ignored');
  r.push(0, [7, 8]);
  assert.equal(r.count, 1);
  assert.equal(r.curve(0, 0).hi[0], 7);
});

// ---- fetching ------------------------------------------------------------------------------------------------------------

globalThis.window ??= globalThis;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
/** Polls, since the machine may be busy; then some rest, in which nothing more may come. */
async function until(condition) {
  for (let k = 0; k < 1000 && !condition(); ++k) await wait(10);
  await wait(50);
}
const book = () => {
  const b = new m.ChannelBook();
  b.setRun(0, ['a', 'b', 'c'].map((path) => ({ path, unit: '' })));
  return b;
};

/** A source of 100000 samples per channel that counts its requests. */
class Source {
  log = [];
  whole = curve((t) => Math.sin(t), 100001, 0.001);
  async data(run, channels, from, to, points) {
    this.log.push({ channels, from, to, points });
    await wait(5);
    if (channels.includes('e:bad')) throw new Error('bad at column 1');
    const c = m.thin(m.slice(this.whole, from, to), points);
    const arrays = new Map();
    channels.forEach((_, k) => {
      arrays.set(`t_${k}`, { data: c.x });
      arrays.set(`hi_${k}`, { data: c.hi });
      if (c.lo) arrays.set(`lo_${k}`, { data: c.lo });
    });
    return { meta: {}, arrays };
  }
}

test('store: one overview request for all channels, then details; stale wants are never sent', async () => {
  const source = new Source();
  const store = new m.DataStore(source, book(), () => [0, 100], () => 0.001, () => {}, 1);
  const owner = {};
  const wants = (from, to) => ['a', 'b'].map((key) => ({ run: 0, key, from, to, points: 500 }));
  store.want(owner, wants(0, 100));
  await until(() => store.curve(wants(0, 100)[1]).x.length > 0);
  assert.equal(source.log.length, 1);
  assert.deepEqual(source.log[0], { channels: [0, 1], from: 0, to: 100, points: 2000 });
  // Twenty quick zooms: the first may go out, then only the last.
  for (let k = 0; k < 20; ++k) store.want(owner, wants(40 - k * 0.1, 44 + k * 0.1));
  const seen = () => {
    const c = store.curve(wants(38.1, 45.9)[1]);
    return c.x.length > 0 && c.x[0] > 30;
  };
  await until(seen);
  assert.ok(source.log.length <= 3, `${source.log.length} requests`);
  const last = source.log.at(-1);
  assert.ok(last.from <= 38.1 && last.to >= 45.9);
  // Panning within the margin needs nothing.
  const before = source.log.length;
  store.want(owner, wants(39, 46.8));
  await wait(100);
  assert.equal(source.log.length, before);
  const c = store.curve(wants(39, 46.8)[0]);
  assert.ok(c.x[0] <= 39 && c.x.at(-1) >= 46.8);
  store.destroy();
});

test('store: close enough, every sample is there and values need no request', async () => {
  const source = new Source();
  const store = new m.DataStore(source, book(), () => [0, 100], () => 0.001, () => {}, 1);
  const w = { run: 0, key: 'c', from: 50, to: 50.2, points: 500 };
  store.want({}, [w]);
  await until(() => store.curve(w).x.length > 0 && store.curve(w).lo === null);
  assert.equal(store.curve(w).lo, null);
  assert.ok(Math.abs(store.value(0, 'c', 50.1234) - Math.sin(50.1234)) < 1e-6);
  assert.equal(store.value(0, 'c', 10), null, 'elsewhere only the source knows');
  assert.ok(Number.isNaN(store.value(0, 'c', 101)), 'outside of the run there is none');
  store.destroy();
});

test('store: a bad channel does not take the others with it', async () => {
  const source = new Source();
  const store = new m.DataStore(source, book(), () => [0, 100], () => 0.001, () => {}, 1);
  const wants = ['a', 'e:bad', 'b'].map((key) => ({ run: 0, key, from: 0, to: 100, points: 500 }));
  store.want({}, wants);
  await until(() => store.error(0, 'e:bad') !== null && store.curve(wants[2]).x.length > 0);
  assert.equal(store.error(0, 'e:bad'), 'bad at column 1');
  assert.equal(store.error(0, 'a'), null);
  assert.equal(store.curve(wants[2]).x.length, 2000);
  store.destroy();
});

test('store: a view beyond the end of a shorter run asks once, not for ever', async () => {
  const source = new Source();
  const store = new m.DataStore(source, book(), () => [0, 100], () => 0.001, () => {}, 1);
  store.want({}, [{ run: 0, key: 'a', from: 95, to: 120, points: 1500 }, { run: 0, key: 'b', from: 130, to: 150, points: 1500 }]);
  await until(() => source.log.length >= 2);
  assert.equal(source.log.length, 2, 'overview of both, detail of the one in sight');
  assert.deepEqual([source.log[1].channels, source.log[1].to], [[0], 100]);
  store.destroy();
});

test('values at the cursor: one request at a time, the newest time wins', async () => {
  const asked = [];
  const source = {
    async at(_run, _channels, t) {
      asked.push(t);
      await wait(5);
      return [t * 2];
    },
  };
  const pump = new m.ValuePump(source, book(), () => {});
  for (let k = 0; k < 100; ++k) pump.ask(0, ['a'], k);
  await until(() => pump.value(0, 'a', 99)?.exact);
  assert.deepEqual(asked, [0, 99]);
  assert.deepEqual(pump.value(0, 'a', 99), { value: 198, exact: true });
  assert.equal(pump.value(0, 'a', 98).exact, false);
});

// ---- the exported page ---------------------------------------------------------------------------------------------------

export function container(meta, arrays) {
  const list = [];
  let offset = 0;
  const types = { Float64Array: 'f64', Float32Array: 'f32', Uint32Array: 'u32', Int32Array: 'i32', Uint8Array: 'u8' };
  for (const [name, a, shape] of arrays) {
    list.push({ name, type: types[a.constructor.name], shape: shape ?? [a.length], offset });
    offset += Math.ceil(a.byteLength / 8) * 8;
  }
  const json = new TextEncoder().encode(JSON.stringify({ ...meta, arrays: list }));
  const begin = Math.ceil((4 + json.length) / 8) * 8;
  const bytes = new Uint8Array(begin + offset);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  arrays.forEach(([, a], k) => bytes.set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), begin + list[k].offset));
  return bytes;
}

const textBytes = (v) => new TextEncoder().encode(JSON.stringify(v));
const time = Float64Array.from({ length: 50 }, (_, k) => k * 0.02);
const packBytes = () =>
  container({ export: 1 }, [
    ['/api/session', textBytes({ mode: 'view', runs: [], readonly: true })],
    ['/api/runs/0/channels', textBytes({ channels: [{ path: 'p', unit: 'm' }, { path: 'e:[p]*2', unit: '' }] })],
    ['/api/runs/0/data', container({}, [['t_0', time], ['hi_0', time.map((t) => t * t)], ['hi_1', Float32Array.from(time, (t) => 2 * t * t)]])],
    ['/api/runs/0/motion', container({}, [['time', time], ['x', Float32Array.from({ length: 150 }, (_, k) => k), [50, 3]]])],
    ['/api/runs/0/psd?c=0&window=2', container({ unit: 'm^2/Hz' }, [['f', time], ['p', time]])],
  ]);

test('pack: base64 of gzip back to answers', async () => {
  const base64 = Buffer.from(gzipSync(packBytes())).toString('base64');
  const broken = base64.replace(/(.{76})/g, '$1\n');
  const pack = m.readPack(await m.gunzip(m.fromBase64(broken)));
  assert.equal(pack.size, 5);
  assert.equal(JSON.parse(new TextDecoder().decode(pack.get('/api/session'))).readonly, true);
  assert.throws(() => m.readPack(packBytes().buffer.slice(0, 200)), /damaged|cut off|JSON/);
  assert.throws(() => m.readPack(container({ export: 9 }, []).buffer), /form 9/);
});

test('embedded source answers data, values, motion, X-Y; says what is missing', async () => {
  const s = new m.EmbeddedSource(Promise.resolve(m.readPack(packBytes().buffer)));
  assert.equal((await s.session()).mode, 'view');
  assert.equal((await s.channels(0)).length, 2);
  const d = await s.data(0, [0, 'e:[p]*2'], 0.2, 0.4, 1000);
  assert.ok(d.arrays.get('t_0').data[0] >= 0.17 && d.arrays.get('t_1').data.length < 16);
  assert.equal(d.arrays.has('lo_0'), false);
  assert.ok(Math.abs((await s.at(0, ['e:[p]*2'], 0.4))[0] - 0.32) < 1e-6);
  const rows = await s.motion(0, 10, 5, 3);
  assert.deepEqual([...rows.arrays.get('time').data], [10, 13, 16, 19, 22].map((k) => time[k]));
  assert.deepEqual([...rows.arrays.get('x').data.slice(0, 6)], [30, 31, 32, 39, 40, 41]);
  assert.deepEqual(rows.arrays.get('x').shape, [5, 3]);
  assert.equal((await s.motion(0, 48, 100, 1)).arrays.get('time').data.length, 2);
  assert.equal((await s.xy(0, 0, 1)).arrays.get('y').data.length, 50);
  assert.equal((await s.psd(0, 0, 0, 1, 2)).meta.unit, 'm^2/Hz');
  await assert.rejects(s.psd(0, 1, 0, 1, 2), /not part of this exported page/);
  await assert.rejects(s.data(0, ['e:[q]'], 0, 1, 10), /only the channels chosen/);
  assert.equal(await s.road(0), null);
  await assert.rejects(s.scene(0), /not part of this exported page/);
});
