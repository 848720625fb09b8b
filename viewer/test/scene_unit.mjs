// Pure functions below the 3D view: node --test test/scene_unit.mjs
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const files = ['api/container', 'app/clock', 'scene/kinematics', 'scene/motion_store', 'scene/palette', 'scene/rotation'];
const bundle = await build({
  stdin: { contents: files.map((f) => `export * from './${f}';`).join('\n'), resolveDir: src },
  bundle: true, write: false, format: 'esm',
});
const m = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`);
const near = (a, b, eps = 1e-12) => assert.ok(Math.abs(a - b) <= eps, `${a} is not ${b}`);
const q = (axis, angle) => [Math.cos(angle / 2), ...axis.map((v) => v * Math.sin(angle / 2))];
const unit = (v) => v.map((x) => x / Math.hypot(...v));

test('slerp goes at constant rate about one axis, the short way', () => {
  const axis = unit([1, -2, 0.5]), a = q(axis, 0.3), b = q(axis, 1.7), out = [0, 0, 0, 0];
  for (const f of [0, 0.25, 0.6, 1]) {
    m.slerp(out, 0, a, 0, b.map((v) => -v), 0, f);
    q(axis, 0.3 + 1.4 * f).forEach((v, c) => near(out[c], v));
  }
});

test('place turns and moves like the rotation matrix', () => {
  const out = [0, 0, 0];
  m.place(out, 0, [1, 2, 3], 0, q([0, 0, 1], Math.PI / 2), 0, 1, 0, 0.5);
  [1, 3, 3.5].forEach((v, c) => near(out[c], v));
});

const scene = {
  row: 16,
  arrows: 3,
  parts: [
    { name: 'ground', kind: 'ground', x: -1, turns: false, nq: 0 },
    { name: 'car', kind: 'flexible', x: 0, turns: true, nq: 2 },
    { name: 'carrier', kind: 'rigid', x: 9, turns: false, nq: 1, rotors: [{ name: 'wheel', position: [0, 0, 0], axis: [0, 1, 0], q: 0 }] },
    { name: 'bob', kind: 'particle', x: 13, turns: false, nq: 0 },
  ],
  markers: [
    { name: 'car.m', part: 1, position: [1, 0, 0], quaternion: [1, 0, 0, 0], phi: [[0, 0], [1, 0], [0, 2]] },
    { name: 'carrier.w', part: 2, position: [0, 0.5, 0], quaternion: [1, 0, 0, 0], rotor: 0 },
  ],
  joints: [],
  forces: [],
};

test('markers follow the elastic coordinates and the rotors', () => {
  const p = new m.Poses(scene), x = new Float64Array(scene.row);
  x.set([10, 20, 30, ...q([0, 0, 1], Math.PI / 2), 0.01, 0.02]);
  x.set([1, 1, 1, 0.8], 9);
  p.set(x, 3);
  // r + 3 phi q = (1, 0.03, 0.12), turned by 90 degrees about z.
  [10 - 0.03, 21, 30.12].forEach((v, c) => near(p.markerPosition[c], v));
  [1, 1.5, 1].forEach((v, c) => near(p.markerPosition[3 + c], v));
  q([0, 1, 0], 0.8).forEach((v, c) => near(p.markerTurn[4 + c], v));
});

test('retract adds world translation, body rotation and elastic coordinates', () => {
  const x0 = new Float64Array(scene.row), out = new Float64Array(scene.row);
  const turn = q(unit([1, 1, 0]), 0.4), w = [0.1, -0.2, 0.3];
  x0.set([1, 2, 3, ...turn, 0.5, 0.6]);
  m.retract(scene, x0, [0.1, 0.2, 0.3, ...w, 0.01, 0.02, 7, 8, 9, 0.25, 1, 2, 3], out);
  [1.1, 2.2, 3.3].forEach((v, c) => near(out[c], v));
  const expected = [0, 0, 0, 0];
  m.product(expected, 0, turn, 0, q(unit(w), Math.hypot(...w)), 0);
  expected.forEach((v, c) => near(out[3 + c], v));
  [0.51, 0.62, 7, 8, 9, 0.25, 1, 2, 3].forEach((v, c) => near(out[7 + c], v));
});

/** A run whose rows are known: x = row number, kept in a source that counts what is asked. */
function fakeSource(rows) {
  const asked = [];
  return {
    asked,
    async motion(_run, from, count, stride) {
      asked.push([from, count, stride]);
      const list = [];
      for (let r = from; list.length < count && r < rows; r += stride) list.push(r);
      const x = new Float32Array(16 * list.length), arrows = new Float32Array(3 * list.length);
      list.forEach((r, i) => {
        x[16 * i] = r;
        x[16 * i + 3] = 1;
        arrows[3 * i] = 2 * r;
      });
      const arrays = new Map([
        ['time', { data: Float64Array.from(list, (r) => 0.005 * r), shape: [list.length] }],
        ['x', { data: x, shape: [list.length, 16] }], ['arrows', { data: arrows, shape: [list.length, 3] }]]);
      return { meta: {}, arrays };
    },
  };
}

test('motion: a coarse whole at once, exact rows when looked at, bounded memory', async () => {
  const rows = 720001, source = fakeSource(rows), store = new m.MotionStore(source, 0, scene, rows);
  await store.open();
  near(store.t1, 3600, 1e-9);
  const x = new Float64Array(16), arrows = new Float64Array(3);
  for (const t of [0, 1234.5678, 3599.99, 3600]) {
    assert.ok(store.at(t, x, arrows));
    await new Promise((r) => setTimeout(r, 5));
    assert.ok(store.at(t, x, arrows));
    near(x[0], t / 0.005, 0.07); // single precision of row numbers near 720 000
    near(arrows[0], (2 * t) / 0.005, 0.13);
  }
  assert.ok(source.asked.every(([, count]) => count <= 4097));
  near(store.neighbour(10.001, 1), 10.005, 1e-9);
  near(store.neighbour(10.005, 1), 10.01, 1e-9);
  near(store.neighbour(10.005, -1), 10, 1e-9);
});

test('clock: plays, stops at the end, loops, tells once per frame', () => {
  const clock = new m.Clock();
  let told = 0;
  clock.setRange(1, 3);
  clock.subscribe(() => ++told);
  clock.setTime(0);
  clock.setTime(2.5);
  assert.ok(clock.tick(0.1));
  assert.equal(told, 1);
  assert.ok(!clock.tick(0.1));
  clock.setPlaying(true);
  clock.setSpeed(2);
  clock.tick(0.1);
  near(clock.time, 2.7);
  clock.setLoop(true);
  clock.tick(0.25);
  near(clock.time, 1.2);
  clock.setLoop(false);
  clock.tick(5);
  assert.equal(clock.time, 3);
  assert.ok(!clock.playing);
});

test('colour scales rise in lightness, also for eyes that hardly see red', () => {
  // Weights of linear RGB in luminance: usual ones, and with little red as without its cones.
  const linear = (b) => (b / 255 <= 0.04045 ? b / 255 / 12.92 : ((b / 255 + 0.055) / 1.055) ** 2.4);
  for (const name of ['viridis', 'cividis']) {
    const p = m.paletteBytes(name);
    for (const [r, g, b] of [[0.2126, 0.7152, 0.0722], [0.05, 0.88, 0.07]]) {
      let last = -1;
      for (let i = 0; i < 256; i += 8) {
        const y = r * linear(p[4 * i]) + g * linear(p[4 * i + 1]) + b * linear(p[4 * i + 2]);
        assert.ok(y > last, `${name} at ${i}`);
        last = y;
      }
    }
  }
});

test('containers: views at multiples of eight, complaints about damage', () => {
  const head = Buffer.from(JSON.stringify({ arrays: [{ name: 'a', type: 'f32', shape: [3], offset: 0 }, { name: 'b', type: 'f64', shape: [1, 2], offset: 16 }], unit: 'm' }));
  const begin = Math.ceil((4 + head.length) / 8) * 8, bytes = new ArrayBuffer(begin + 32), view = new DataView(bytes);
  view.setUint32(0, head.length, true);
  new Uint8Array(bytes, 4, head.length).set(head);
  [1, 2, 3].forEach((v, i) => view.setFloat32(begin + 4 * i, v, true));
  [4, 5].forEach((v, i) => view.setFloat64(begin + 16 + 8 * i, v, true));
  const c = m.readContainer(bytes);
  assert.deepEqual([...c.arrays.get('a').data], [1, 2, 3]);
  assert.deepEqual([...c.arrays.get('b').data], [4, 5]);
  assert.equal(c.meta.unit, 'm');
  assert.throws(() => m.readContainer(bytes.slice(0, 20)), /cut off/);
  assert.throws(() => m.readContainer(bytes.slice(0, begin + 8)));
  assert.throws(() => m.needArray(c, 'z'), /'z' is missing/);
});
