// The 3D view in a browser: what is drawn against the run file. A flexible Camry in a corner, and the rigid one as ghost.
//   MONOCOQUE=build/release/src/apps/monocoque node --test test/scene_page.mjs
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { at, channels, container, folder, launch, makeRun, monocoque, open, root, setTime, shots, view } from './harness.mjs';

let end, browser, server, page, file, ghostFile, table, ghostTable, scene, motion, asset;
const hook = (name, ...args) => page.evaluate(([n, a]) => window.__monocoque[n](...a), [name, args]);
const near = (a, b, eps, what = '') => assert.ok(Math.abs(a - b) <= eps, `${what} ${a} is not ${b} within ${eps}`);
const shot = (name, p = page) => p.screenshot({ path: join(shots, `scene-${name}.png`) });
const api = (path) => fetch(server.address + path).then((r) => r.json());

/** Row of the file at t, linear between rows, from the server's binary answer. */
function rowAt(t, m = motion) {
  const { time, x } = m, width = x.shape[1];
  let i = time.data.findIndex((v) => v > t) - 1;
  if (i < 0) i = time.data.length - 2;
  const f = (t - time.data[i]) / (time.data[i + 1] - time.data[i]);
  return Array.from({ length: width }, (_, k) => x.data[i * width + k] + f * (x.data[(i + 1) * width + k] - x.data[i * width + k]));
}
const partOf = (name) => scene.parts.find((p) => p.name === name);
const coordinates = (part, row) => row.slice(part.x + 7, part.x + 7 + part.nq);
const rotate = ([w, x, y, z], [a, b, c]) => {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
};
/** Displacement of vertex v, summed here. */
const displaced = (v, q) => [0, 1, 2].map((c) => q.reduce((s, qk, k) => s + asset.modes.data[(3 * v + c) * q.length + k] * qk, 0));

before(async () => {
  file = makeRun('flexible.h5', 'camry/scenarios/cornering-flexible.yaml', '--end', '1.5');
  ghostFile = makeRun('rigid.h5', 'camry/scenarios/cornering.yaml', '--end', '1.5');
  const wanted = ['car/position/*', 'car/velocity/*', 'car/orientation/*', 'FL/tire/*', 'FL/carrier/*'];
  table = channels(file, ...wanted);
  ghostTable = channels(ghostFile, ...wanted);
  server = await view(file, ghostFile);
  scene = await api('/api/runs/0/scene');
  motion = await container(`${server.address}/api/runs/0/motion?from=0&count=100000&stride=1`);
  end = motion.time.data.at(-1);
  asset = await container(`${server.address}/api/runs/0/asset/${partOf('car').asset}`);
  browser = await launch();
  page = await open(browser, server.address);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

test('the drawn car stands where the run file says, also between rows', async () => {
  for (const t of [0, 0.35, 0.7512, end]) {
    await setTime(page, t);
    const drawn = await hook('partPose', 'car'), row = rowAt(t), x = partOf('car').x;
    for (let c = 0; c < 3; ++c) near(drawn.p[c], row[x + c], 1e-5, `p${c}`);
    ['x', 'y', 'z'].forEach((c, k) => near(drawn.origin[k], at(table, `car/position/${c}`, t), 2e-4, `position ${c} at ${t}`));
    const sign = Math.sign(drawn.q[0] * at(table, 'car/orientation/q0', t));
    for (let c = 0; c < 4; ++c) near(sign * drawn.q[c], at(table, `car/orientation/q${c}`, t), 1e-4, `q${c}`);
  }
});

test('wheels turn with their rotors', async () => {
  const t = 0.8;
  await setTime(page, t);
  const wheel = (await hook('wheels')).find((w) => w.name === 'FL/tire'), force = scene.forces.find((f) => f.name === 'FL/tire');
  const [mx, , , , , , , , , , , , px, py, pz] = wheel.matrix, radius = force.tire.radius;
  const marker = scene.markers[force.markers[1]], part = scene.parts[marker.part], row = rowAt(t);
  const q = row.slice(part.x + 3, part.x + 7), centre = rotate(q, marker.position).map((v, c) => v + row[part.x + c]);
  [px, py, pz].forEach((v, c) => near(v, centre[c], 1e-5, 'wheel centre'));
  // The wheel's x axis, turned back into the carrier, lies at the angle of the channel about the axle.
  const back = rotate([q[0], -q[1], -q[2], -q[3]], wheel.matrix.slice(0, 3).map((v) => v / radius));
  const axis = part.rotors[marker.rotor].axis, angle = at(table, 'FL/carrier/wheel/angle', t);
  const start = rotate(marker.quaternion, [1, 0, 0]), s = Math.sin(angle / 2);
  const expected = rotate([Math.cos(angle / 2), ...axis.map((a) => a * s)], start);
  back.forEach((v, c) => near(v, expected[c], 2e-3, 'axis of the wheel'));
  assert.ok(Math.abs(mx) <= radius * 1.0001);
});

test('the GPU sums the mode shapes', async () => {
  for (const t of [0.4, 1.2]) {
    await setTime(page, t);
    const sums = await hook('probe', 'car'), q = coordinates(partOf('car'), rowAt(t));
    let most = 0, worst = 0;
    for (let v = 0; v < asset.points.shape[0]; ++v) {
      const u = displaced(v, q);
      most = Math.max(most, Math.hypot(...u));
      u.forEach((c, k) => (worst = Math.max(worst, Math.abs(sums[4 * v + k] - c))));
    }
    assert.ok(most > 1e-4, `the body bends by ${most} m`);
    // Modes that nobody can see are left out: in sum at most a tenth of a millimetre as drawn.
    assert.ok(worst < 1e-4, `worst error ${worst} m of ${most} m`);
    near(await hook('largest', 'car', 'displacement'), most, 1e-7);
  }
});

test('colour by displacement: 0 to 1 mm, exact to a two-thousandth, pixels of the roof in the colour of the scale', async () => {
  const t = 1.0;
  await setTime(page, t);
  await page.click('#tab-display');
  await page.selectOption('#coloring', 'displacement');
  assert.deepEqual(await hook('colorRange'), { kind: 'displacement', low: 0, high: 0.001 });
  assert.equal(await page.locator('#legend .legend-title').textContent(), 'Displacement, mm');
  assert.deepEqual(await page.locator('#legend .legend-ticks span').allTextContents(), ['0', '0.25', '0.5', '0.75', '1']);
  await page.fill('#color-range', '0.5');
  await page.press('#color-range', 'Enter');
  near((await hook('colorRange')).high, 5e-4, 1e-12);
  await setTime(page, t);
  const sums = await hook('probe', 'car'), car = partOf('car'), row = rowAt(t), q = coordinates(car, row);
  const n = asset.points.shape[0], turn = row.slice(car.x + 3, car.x + 7);
  let worst = 0;
  for (let v = 0; v < n; ++v) worst = Math.max(worst, Math.abs(sums[4 * v + 3] - Math.hypot(...displaced(v, q))));
  assert.ok(worst < 5e-4 / 2000 + 1e-8, `coloured quantity is wrong by ${worst} m`);
  // Highest vertices are seen from the chasing camera; shade changes brightness, not the mix of colours.
  await page.click('#show-tireForces');
  await page.click('#show-trajectories');
  await page.uncheck('#ghost-show');
  await setTime(page, t);
  const top = Math.max(...Array.from({ length: n }, (_, v) => asset.points.data[3 * v + 2]));
  const roof = [];
  for (let v = 0; v < n; ++v) {
    const r = [0, 1, 2].map((c) => asset.points.data[3 * v + c]);
    if (r[2] < top - 0.04) continue;
    const u = displaced(v, q);
    roof.push({ world: rotate(turn, r.map((c, k) => c + u[k])).map((c, k) => c + row[car.x + k]), level: Math.hypot(...u) / 5e-4 });
  }
  assert.ok(roof.length > 20, `${roof.length} vertices on the roof`);
  const result = await page.evaluate(async (list) => {
    const m = window.__monocoque, image = new Image();
    image.src = m.picture();
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const box = document.querySelector('#stage > canvas').getBoundingClientRect();
    const bar = document.querySelector('#legend canvas').getContext('2d').getImageData(0, 0, 256, 1).data;
    return list.map(({ world, level }) => {
      const p = m.project(world), x = Math.round(((p.x - box.left) * image.width) / box.width), y = Math.round(((p.y - box.top) * image.height) / box.height);
      const i = 4 * Math.round(255 * Math.min(1, level));
      return { seen: [...context.getImageData(x, y, 1, 1).data.slice(0, 3)], scale: [...bar.slice(i, i + 3)] };
    });
  }, roof);
  const mix = (c) => c.map((v) => v / Math.hypot(...c));
  const same = result.filter(({ seen, scale }) => mix(seen).reduce((s, v, c) => s + v * mix(scale)[c], 0) > 0.99).length;
  assert.ok(same > 0.8 * roof.length, `${same} of ${roof.length} vertices have the colour of the scale`);
  await shot('displacement');
  await page.click('#show-tireForces');
  await page.click('#show-trajectories');
  await page.check('#ghost-show');
  await page.selectOption('#palette', 'cividis');
  await shot('cividis');
  await page.selectOption('#palette', 'viridis');
  await page.selectOption('#coloring', 'part');
});

test('colour by von Mises stress', async () => {
  const t = 0.8;
  await page.click('#tab-display');
  await page.selectOption('#coloring', 'stress');
  await setTime(page, t);
  assert.match(await page.locator('#legend .legend-title').textContent(), /von Mises stress, MPa/);
  const sums = await hook('probe', 'car'), q = coordinates(partOf('car'), rowAt(t)), nq = q.length;
  let most = 0, worst = 0;
  for (let v = 0; v < asset.points.shape[0]; ++v) {
    const [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map((c) => q.reduce((s, qk, k) => s + asset.stress.data[(6 * v + c) * nq + k] * qk, 0));
    const mises = Math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy ** 2 + yz ** 2 + zx ** 2));
    most = Math.max(most, mises);
    worst = Math.max(worst, Math.abs(sums[4 * v + 3] - mises));
  }
  assert.ok(most > 1e5 && worst < 1e-4 * most, `worst error ${worst} Pa of ${most} Pa`);
  await page.click('#color-fit');
  // Rounded up to a number whose quarters are round.
  const high = (await hook('colorRange')).high;
  assert.ok(high >= most * (1 - 1e-6) && high <= 1.51 * most, `scale to ${high} Pa for ${most} Pa`);
  (await page.locator('#legend .legend-ticks span').allTextContents()).forEach((text, k) => near(Number(text), (k * high) / 4e6, 1e-9 * high, 'tick'));
  await shot('stress');
  await page.selectOption('#coloring', 'part');
});

test('the worst instant of the run is found', async () => {
  await page.click('#tab-display');
  await page.selectOption('#coloring', 'displacement');
  const car = partOf('car'), width = motion.x.shape[1], nq = car.nq, phi = asset.modes.data;
  let worst = { value: 0, t: 0 };
  motion.time.data.forEach((t, i) => {
    const q = motion.x.data.subarray(i * width + car.x + 7, i * width + car.x + 7 + nq);
    for (let line = 0; line < phi.length; line += 3 * nq) {
      let square = 0;
      for (let c = 0; c < 3; ++c) {
        let u = 0;
        for (let k = 0; k < nq; ++k) u += phi[line + c * nq + k] * q[k];
        square += u * u;
      }
      if (square > worst.value ** 2) worst = { value: Math.sqrt(square), t };
    }
  });
  await page.click('#color-worst');
  await page.waitForFunction((t) => Math.abs(window.__monocoque.bus.time - t) < 1e-9, worst.t);
  await setTime(page, worst.t);
  near(await hook('largest', 'car', 'displacement'), worst.value, 1e-7, 'largest displacement');
  const high = (await hook('colorRange')).high;
  assert.ok(high >= worst.value * (1 - 1e-6) && high <= 1.51 * worst.value, `scale to ${high} m for ${worst.value} m`);
  await page.selectOption('#coloring', 'part');
});

test('the deformation scale moves what is drawn, and nothing else', async () => {
  const t = 1.1, car = partOf('car');
  await page.click('#tab-display');
  await setTime(page, t);
  const marker = scene.markers.find((m) => m.phi), row = rowAt(t), q = coordinates(car, row), turn = row.slice(car.x + 3, car.x + 7);
  const u = marker.phi.map((line) => line.reduce((s, v, k) => s + v * q[k], 0));
  const place = (s) => rotate(turn, marker.position.map((v, c) => v + s * u[c])).map((v, c) => v + row[car.x + c]);
  (await hook('marker', marker.name)).forEach((v, c) => near(v, place(1)[c], 1e-5));
  await page.fill('#deformation', '200');
  await page.press('#deformation', 'Enter');
  await setTime(page, t);
  (await hook('marker', marker.name)).forEach((v, c) => near(v, place(200)[c], 1e-4));
  near((await hook('partPose', 'car')).p[0], row[car.x], 1e-5);
  await shot('deformed-200');
  await page.fill('#deformation', '1');
  await page.press('#deformation', 'Enter');
});

test('tripods show the forces of the tires', async () => {
  const t = 1.2;
  await setTime(page, t);
  const tire = (await hook('tireForces')).find((f) => f.name === 'FL/tire').force;
  const arrow = scene.forces.find((f) => f.name === 'FL/tire').arrow, values = await hook('arrowValues');
  const world = ['x', 'y', 'z'].map((c) => at(table, `FL/tire/force/${c}`, t));
  world.forEach((v, c) => near(values[arrow + c], v, 1 + 1e-3 * Math.abs(v), 'force'));
  near(tire[2], world[2], 1 + 1e-3 * world[2]);
  near(Math.hypot(...tire), Math.hypot(...world), 2);
  assert.ok(tire[2] > 1000, `a loaded wheel: ${tire}`);
  near(Math.abs(tire[1]), Math.abs(at(table, 'FL/tire/lateral_force', t)), 1 + 0.002 * world[2], 'side force');
});

test('time line: step, scrub, play, speed, loop by keyboard', async () => {
  await setTime(page, 0.5);
  await page.focus('#stage');
  await page.keyboard.press('.');
  const time = Array.from(motion.time.data), next = time.find((v) => v > 0.5 + 1e-9);
  near(await page.evaluate(() => window.__monocoque.bus.time), next, 1e-9);
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  near(await page.evaluate(() => window.__monocoque.bus.time), time.filter((v) => v < 0.5 - 1e-9).at(-1), 1e-9);
  await page.keyboard.press('End');
  await page.waitForFunction((v) => window.__monocoque.bus.time === v, time.at(-1));
  await page.waitForFunction((text) => document.querySelector('#clock').textContent === text, `${end.toFixed(3)} / ${end.toFixed(2)} s`);
  const box = await page.locator('#scrub').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  near(await page.evaluate(() => window.__monocoque.bus.time), end / 2, 0.02 * end);
  await page.focus('#stage');
  await page.keyboard.press('Home');
  await page.keyboard.press('l');
  await page.keyboard.press(']');
  await page.waitForFunction(() => document.querySelector('#speed').value === '2');
  await page.evaluate(() => {
    let last = 0;
    window.turns = 0;
    window.__monocoque.bus.subscribe((bus) => {
      if (bus.time < last) ++window.turns;
      last = bus.time;
    });
  });
  await page.keyboard.press(' ');
  await page.waitForFunction(() => window.turns > 0); // went over the end
  assert.equal(await page.evaluate(() => window.__monocoque.bus.playing), true);
  await page.keyboard.press(' ');
  await page.waitForSelector('#play[aria-label="Play"]');
  await page.keyboard.press('l');
  await page.keyboard.press('[');
});

test('a click selects a part; its numbers are those of the run', async () => {
  const t = 0.9;
  await setTime(page, t);
  const pose = await hook('partPose', 'car'), place = await hook('project', pose.p);
  await page.mouse.click(place.x, place.y);
  await page.waitForSelector('#values h3:text-is("car")');
  const value = async (key) => Number(await page.locator(`#values [data-value="${key}"]`).textContent());
  const speed = Math.hypot(...['x', 'y', 'z'].map((c) => at(table, `car/velocity/${c}`, t)));
  near(await value('speed'), speed, 0.02 * speed, 'speed');
  near(await value('mass'), partOf('car').mass, 0.05);
  const com = rotate(pose.q, partOf('car').com).map((v, c) => v + pose.p[c]);
  near(await value('x'), com[0], 1e-4);
  near(await value('bend'), 1000 * (await hook('largest', 'car', 'displacement')), 0.05);
  const cell = page.locator('#values [data-channel="car/position/x"]');
  await page.waitForFunction(() => document.querySelector('#values [data-channel="car/position/x"]').textContent !== '');
  near(Number(await cell.textContent()), at(table, 'car/position/x', t), 1e-3);
  await shot('selected');
});

test('keyboard only: tree of parts, toggles, help, theme', async () => {
  await page.focus('#stage');
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const last = scene.parts.at(-1).name;
  assert.equal(await page.locator('#values h3').textContent(), last);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#parts [aria-expanded=false]').count(), 1);
  await page.keyboard.press('ArrowRight');
  for (const [key, toggle] of [['j', 'joints'], ['g', 'centres'], ['x', 'frames'], ['e', 'forces']]) {
    await page.keyboard.press(key);
    assert.equal(await page.isChecked(`#show-${toggle}`), true, toggle);
  }
  await setTime(page, 0.9);
  await shot('everything');
  for (const key of 'jgxe') await page.keyboard.press(key);
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  assert.match(await page.locator('#help').textContent(), /Play or pause/);
  await shot('help');
  await page.keyboard.press('Escape');
  const theme = await page.getAttribute('html', 'data-theme');
  await page.keyboard.press('t');
  assert.notEqual(await page.getAttribute('html', 'data-theme'), theme);
  await setTime(page, 1);
  await shot('dark');
  await page.keyboard.press('t');
  // Every control can be told by name.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input')].filter((e) => e.offsetParent && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title || e.placeholder)).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

test('cameras: chase turns with the car, follow moves with it, free stands, inside is fixed to it', async () => {
  const look = async (kind, t) => {
    await page.keyboard.press({ chase: '1', follow: '2', free: '3', inside: '4' }[kind]);
    await setTime(page, t);
    const camera = await hook('camera'), car = await hook('partPose', 'car');
    assert.equal(camera.kind, kind);
    const com = rotate(car.q, partOf('car').com).map((v, c) => v + car.p[c]);
    const d = camera.p.map((v, c) => v - com[c]);
    return { p: camera.p, d, inCar: rotate([car.q[0], -car.q[1], -car.q[2], -car.q[3]], d) };
  };
  await page.focus('#stage');
  const chase = [await look('chase', 0.1), await look('chase', 1.4)];
  assert.ok(chase[0].inCar[0] < -1, `behind the car: ${chase[0].inCar}`);
  const follow = [await look('follow', 0.1), await look('follow', 1.4)];
  follow[0].d.forEach((v, c) => near(v, follow[1].d[c], 1e-5, 'follow'));
  const free = [await look('free', 0.1), await look('free', 1.4)];
  free[0].p.forEach((v, c) => near(v, free[1].p[c], 1e-9, 'free'));
  const inside = [await look('inside', 0.1), await look('inside', 1.4)];
  inside[0].inCar.forEach((v, c) => near(v, inside[1].inCar[c], 1e-5, 'inside'));
  assert.ok(Math.hypot(...inside[0].d) < 1);
  await shot('inside');
  await look('chase', 1);
});

test('two runs: the ghost is the other file at the same time, or shifted', async () => {
  assert.equal(await hook('runs'), 2);
  for (const shift of [0, 0.25]) {
    await page.click('#tab-display');
    await page.fill('#ghost-shift', String(shift));
    await page.press('#ghost-shift', 'Enter');
    await setTime(page, 0.8);
    const ghost = await hook('partPose', 'car', 1);
    ['x', 'y', 'z'].forEach((c, k) => near(ghost.origin[k], at(ghostTable, `car/position/${c}`, 0.8 + shift), 2e-4, c));
    const own = await hook('partPose', 'car', 0);
    near(own.origin[0], at(table, 'car/position/x', 0.8), 2e-4);
  }
  await shot('ghost');
  await page.fill('#ghost-shift', '0');
  await page.press('#ghost-shift', 'Enter');
});

test('phone: panels become drawers, nothing sticks out', async () => {
  const phone = await open(browser, server.address, { viewport: { width: 375, height: 812 }, colorScheme: 'dark', hasTouch: true });
  await setTime(phone, 1);
  await shot('phone', phone);
  assert.equal(await phone.isVisible('#panel-display'), false);
  for (const name of ['Parts', 'Display', 'Run', 'Plots']) {
    await phone.locator('.nav').getByRole('button', { name }).tap();
    await phone.waitForTimeout(300);
    await shot(`phone-${name.toLowerCase()}`, phone);
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 375, `${name}: the page is ${wide} px wide`);
    const stage = await phone.locator('#stage').boundingBox();
    assert.ok(stage.height > 150 && stage.width === 375, `${name}: picture ${stage.width} x ${stage.height}`);
  }
  assert.deepEqual(phone.problems, []);
  await phone.context().close();
});

test('memory: playing makes no objects on the GPU; figures of speed are told, not judged', async () => {
  const info = () => page.evaluate(() => ({ ...window.__monocoque.app.stageView.memory(), frames: window.__monocoque.stats.frames, t: performance.now() }));
  await page.evaluate(() => window.__monocoque.bus.setLoop(true));
  await page.evaluate(() => window.__monocoque.bus.setPlaying(true));
  await page.waitForTimeout(500);
  const a = await info();
  await page.waitForTimeout(3000);
  const b = await info();
  await page.evaluate(() => window.__monocoque.bus.setPlaying(false));
  assert.deepEqual([b.geometries, b.textures], [a.geometries, a.textures]);
  const stats = await page.evaluate(() => ({ ...window.__monocoque.stats, first: window.__monocoque.firstPicture }));
  console.log(`first picture ${Math.round(stats.first)} ms, ${((1000 * (b.frames - a.frames)) / (b.t - a.t)).toFixed(1)} frames/s with ${stats.triangles} triangles in ${stats.calls} calls, ${stats.software ? 'software' : 'hardware'} rendering`);
  assert.deepEqual(page.problems, []);
});

test('one file to mail: opened from disk without a network, the car bends and stands as in the run', async () => {
  const html = join(folder, 'mail.html');
  monocoque('view', file, '--html', html);
  assert.ok(statSync(html).size < 20e6, `${statSync(html).size} bytes`);
  const mail = await open(browser, pathToFileURL(html).href, { offline: true });
  // Every row of the motion that is a multiple of the stride is in the file; between them the page interpolates.
  const rows = await mail.evaluate(() => [...window.__monocoque.app.stores[0].overview().time]);
  assert.ok(rows.length >= Math.min(motion.time.data.length, 30 * end), `${rows.length} rows`);
  for (const t of [rows[0], rows[Math.floor(rows.length / 3)], rows.at(-1)]) {
    await setTime(mail, t);
    const drawn = await mail.evaluate(() => window.__monocoque.partPose('car'));
    ['x', 'y', 'z'].forEach((c, k) => near(drawn.origin[k], at(table, `car/position/${c}`, t), 2e-4, `position ${c} at ${t}`));
    const q = coordinates(partOf('car'), rowAt(t));
    let most = 0;
    for (let v = 0; v < asset.points.shape[0]; ++v) most = Math.max(most, Math.hypot(...displaced(v, q)));
    near(await mail.evaluate(() => window.__monocoque.largest('car', 'displacement')), most, 1e-7, 'bend');
  }
  await mail.locator('#tab-display').click();
  await mail.selectOption('#coloring', 'displacement');
  await setTime(mail, rows.at(-1));
  await shot('mail', mail);
  assert.deepEqual(mail.problems, []);
  await mail.context().close();
});

test('modes: the model moves in the chosen one', async () => {
  const modesFile = join(folder, 'modes.h5');
  monocoque('modes', join(root, 'models/camry/camry.yaml'), '-o', modesFile);
  const modes = await view(modesFile);
  const p = await open(browser, modes.address);
  const list = await container(`${modes.address}/api/runs/0/modes`), info = await (await fetch(`${modes.address}/api/runs/0/scene`)).json();
  const rest = await container(`${modes.address}/api/runs/0/motion?from=0&count=1&stride=1`);
  const k = Array.from(list.frequency.data).findIndex((f) => f > 0.1);
  await p.locator(`#modes [data-mode="${k}"]`).click();
  assert.match(await p.locator('#mode-info').textContent(), new RegExp(`Mode ${k + 1}: ${Number(list.frequency.data[k].toPrecision(5))} Hz`));
  const phase = 0.9;
  await p.evaluate((v) => window.__monocoque.setModePhase(v), phase);
  await p.waitForTimeout(500);
  const { factor } = await p.evaluate(() => window.__monocoque.modes());
  let z = 0;
  for (const part of info.parts) {
    if (part.x < 0) continue;
    const moved = await p.evaluate((n) => window.__monocoque.partPose(n), part.name), nz = list.real.shape[1];
    for (let c = 0; c < 3; ++c) {
      const d = factor * (list.real.data[k * nz + z + c] * Math.cos(phase) - list.imag.data[k * nz + z + c] * Math.sin(phase));
      near(moved.p[c] - rest.x.data[part.x + c], d, 1e-5, part.name);
    }
    z += (part.turns ? 6 : 3) + part.nq;
  }
  await shot('modes', p);
  assert.deepEqual(p.problems, []);
  await p.context().close();
  modes.stop();
});
