// window.__monocoque: what is really drawn, for tests and for curious engineers at the console.
import type { Page } from './page';

export function exposeHooks(page: Page): void {
  const stage = page.stageView;
  const run = (k: number) => {
    const r = stage.runs[k];
    if (!r) throw new Error(`no run ${k} in the picture`);
    return r;
  };
  const index = (k: number, part: string) => {
    const i = run(k).scene.parts.findIndex((p) => p.name === part);
    if (i < 0) throw new Error(`no part ${part}`);
    return i;
  };
  const hooks = {
    get firstPicture() {
      return page.firstPicture;
    },
    stats: stage.stats,
    bus: page.bus,
    app: page,
    runs: () => stage.runs.length,
    /// Position and quaternion (w x y z) of the drawn object of a part.
    partPose(part: string, k = 0) {
      const r = run(k), i = index(k, part), g = r.partGroups[i];
      if (r.surfaces[i]) {
        g.updateWorldMatrix(true, false);
        return { p: g.position.toArray(), q: [g.quaternion.w, g.quaternion.x, g.quaternion.y, g.quaternion.z] };
      }
      return { p: [...r.poses.partPosition.subarray(3 * i, 3 * i + 3)], q: [...r.poses.partTurn.subarray(4 * i, 4 * i + 4)] };
    },
    marker(name: string, k = 0) {
      const m = run(k).scene.markers.findIndex((x) => x.name === name);
      return [...run(k).poses.markerPosition.subarray(3 * m, 3 * m + 3)];
    },
    /// Column-major instance matrix of each wheel.
    wheels(k = 0) {
      return run(k).wheelNames.map((name, i) => ({ name, matrix: run(k).drawnWheel(i) }));
    },
    /// Components of tire forces along wheel heading, left, up, N.
    tireForces(k = 0) {
      const a = run(k).arrows;
      return run(k).wheelNames.map((name, i) => ({ name, force: [...a.components.subarray(3 * i, 3 * i + 3)] }));
    },
    arrowValues: (k = 0) => [...run(k).arrowValues],
    row: (k = 0) => [...run(k).x],
    /// Per vertex displacement x y z and coloured quantity, summed by the GPU.
    probe: (part: string) => [...(stage.probe(index(0, part)) ?? [])],
    largest: (part: string, kind: 'displacement' | 'stress') => run(0).surfaces[index(0, part)]?.largest(kind) ?? 0,
    colorRange: () => ({ kind: stage.coloring, low: stage.shared.range.value.x, high: stage.shared.range.value.x + 1 / stage.shared.range.value.y }),
    scale: () => stage.shared.scale.value,
    camera: () => ({ kind: stage.rig.kind, p: stage.rig.camera.position.toArray(), up: stage.rig.camera.up.toArray() }),
    /// Place of a world point in the page, px.
    project(p: number[]) {
      const v = stage.rig.camera.position.clone().fromArray(p).project(stage.rig.camera);
      const box = stage.canvas.getBoundingClientRect();
      return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height };
    },
    ghostOpacity: () => (stage.runs[1] ? 0.35 : null),
    picture: () => stage.picture(),
    modes: () => page.modes && { chosen: page.modes.chosen, phase: page.modes.phase, factor: page.modes.factor },
    setModePhase(phase: number) {
      if (!page.modes) return;
      page.modes.playing = false;
      page.modes.phase = phase;
      stage.redraw();
    },
    modeMovement: (part: string) => page.modes?.movement(index(0, part)),
  };
  (window as unknown as { __monocoque: typeof hooks }).__monocoque = hooks;
}
