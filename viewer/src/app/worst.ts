// The instant at which a body is bent or stressed most, and round ends of scales.
import { coordinate } from '../scene/kinematics';
import type { RunView } from '../scene/run_view';
import type { Coloring } from '../scene/surface';

const rowsLookedAt = 400;
const verticesLookedAt = 500;

/// The next of the numbers whose quarters are round: 1, 1.2, 1.6, 2, ... times a power of ten.
export function roundUp(v: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(v)));
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((s) => s * power >= v * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(3));
}

export interface Worst {
  part: string;
  time: number;
  value: number;
}

/// Looks at rows of the whole run and at some vertices first, then at all vertices of the worst rows.
export function worstInstant(run: RunView, kind: Coloring): Worst | null {
  const way = run.motion.overview();
  if (!way) return null;
  let worst: Worst | null = null;
  run.scene.parts.forEach((part, i) => {
    const s = run.surfaces[i];
    if (!s?.nq) return;
    const begin = coordinate(part, 0), row = run.scene.row, found: { k: number; value: number }[] = [];
    const coarse = Math.max(1, Math.floor(s.vertexCount / verticesLookedAt)), every = Math.max(1, Math.floor(way.rows / rowsLookedAt));
    const look = (k: number, step: number) => s.largestAt(kind, way.x, k * row + begin, step);
    for (let k = 0; k < way.rows; k += every) found.push({ k, value: look(k, coarse) });
    found.sort((a, b) => b.value - a.value);
    const best = refine(look, found.slice(0, 5).map((f) => f.k), every, way.rows, coarse);
    if (best && (!worst || best.value > worst.value)) worst = { part: part.name, time: way.time[best.k], value: best.value };
  });
  return worst;
}

function refine(look: (k: number, step: number) => number, rows: number[], every: number, count: number, coarse: number) {
  let best: { k: number; value: number } | null = null;
  for (const middle of rows) {
    let top = { k: middle, value: -1 };
    for (let k = Math.max(0, middle - every + 1); k < Math.min(count, middle + every); ++k) {
      const value = look(k, coarse);
      if (value > top.value) top = { k, value };
    }
    const value = look(top.k, 1);
    if (!best || value > best.value) best = { k: top.k, value };
  }
  return best;
}
