// The four cameras on a vehicle that moves and turns, without a browser: node --test test/camera_unit.mjs
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const bundle = await build({ entryPoints: [join(src, 'scene/camera_rig.ts')], bundle: true, write: false, format: 'esm' });
const { CameraRig } = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString('base64')}`);

// What the controls ask of the canvas.
const listeners = { addEventListener() {}, removeEventListener() {} };
const canvas = { ...listeners, ownerDocument: listeners, style: {}, clientHeight: 600, clientWidth: 960 };

const near = (a, b, eps = 1e-9) => a.forEach((v, c) => assert.ok(Math.abs(v - b[c]) <= eps, `${a} is not ${b}`));
const minus = (a, b) => a.map((v, c) => v - b[c]);
const here = [10, -3, 0.5], there = [14, 2, 0.7];

function rigOf(kind) {
  const rig = new CameraRig(canvas);
  rig.kind = kind;
  rig.fit(4);
  return rig;
}
/// Camera with the vehicle at p, turned by `yaw` about z and by `pitch` about its own y.
function look(rig, p, yaw, pitch = 0) {
  const [c, s, cp, sp] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(pitch / 2), Math.sin(pitch / 2)];
  rig.track(...p, [c * cp, -s * sp, c * sp, s * cp], 0, 0);
  rig.place();
  const m = rig.camera.matrixWorld.elements;
  return { p: rig.camera.position.toArray(), ahead: [-m[8], -m[9], -m[10]] };
}

test('chase stays behind the vehicle and looks at it', () => {
  const rig = rigOf('chase');
  for (const yaw of [0, 1.1, -2.5]) {
    const { p, ahead } = look(rig, here, yaw), d = minus(p, here), angle = yaw - rig.aside;
    near(d, [-Math.cos(0.3) * Math.cos(angle), -Math.cos(0.3) * Math.sin(angle), Math.sin(0.3)].map((v) => 6 * v));
    near(ahead, d.map((v) => -v / 6));
  }
});

test('follow moves with the vehicle, free stands', () => {
  const rig = rigOf('follow');
  const a = look(rig, here, 0), b = look(rig, there, 1);
  near(minus(a.p, here), minus(b.p, there));
  rig.setKind('free');
  near(look(rig, there, 1).p, b.p);
  near(look(rig, here, 0).p, b.p);
});

test('from chase to follow and free the picture stays', () => {
  const rig = rigOf('chase');
  const before = look(rig, here, 0.8);
  for (const kind of ['follow', 'free', 'follow']) {
    rig.setKind(kind);
    const now = look(rig, here, 0.8);
    near(now.p, before.p);
    near(now.ahead, before.ahead);
  }
});

test('inside is fixed to the vehicle, turns with it and zooms by its angle', () => {
  const rig = rigOf('inside');
  const level = look(rig, here, 0), up = [0, 0, 0.4];
  near(minus(level.p, here), up);
  const pitched = look(rig, there, 0, 0.2);
  near(minus(pitched.p, there), [0.4 * Math.sin(0.2), 0, 0.4 * Math.cos(0.2)]);
  near(pitched.ahead, [Math.cos(0.25), 0, -Math.sin(0.25)]);
  rig.zoom(0.5);
  const zoomed = look(rig, here, 0);
  near(zoomed.p, level.p);
  near([rig.camera.fov], [21]);
  rig.zoom(1e-3);
  look(rig, here, 0);
  near([rig.camera.fov], [10]);
});

test('keys turn, tilt up to the pole and zoom within limits', () => {
  const rig = rigOf('follow');
  const angle = (p) => Math.atan2(p[1] - here[1], p[0] - here[0]);
  const a = look(rig, here, 0);
  rig.rotate(0.06, 0);
  near([angle(look(rig, here, 0).p)], [angle(a.p) - 0.06]);
  rig.rotate(0, 5);
  const top = look(rig, here, 0);
  near([top.p[2] - here[2]], [6 * Math.cos(0.01)]);
  rig.zoom(100);
  near([Math.hypot(...minus(look(rig, here, 0).p, here))], [240], 1e-6);
});

test('stand shows a whole sphere', () => {
  const rig = rigOf('follow');
  rig.stand({ centre: [1, 2, 3], radius: 2 });
  const { p } = look(rig, here, 0);
  near([Math.hypot(...minus(p, [1, 2, 3]))], [2 / Math.sin((21 * Math.PI) / 180)]);
  near(rig.target.toArray(), [1, 2, 3]);
});
