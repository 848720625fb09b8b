// From a motion row to poses of parts and markers.
import type { SceneInfo, ScenePart } from '../api/types';
import { about, place, product, slerp } from './rotation';

/// out = row a + f (row b - row a), quaternions along the great arc.
export function interpolateRow(
  scene: SceneInfo, a: ArrayLike<number>, ia: number, b: ArrayLike<number>, ib: number, f: number, out: Float64Array,
): void {
  for (let k = 0; k < scene.row; ++k) out[k] = a[ia + k] + f * (b[ib + k] - a[ia + k]);
  for (const part of scene.parts)
    if (part.x >= 0 && part.turns) slerp(out, part.x + 3, a, ia + part.x + 3, b, ib + part.x + 3, f);
}

/// Index of a part's elastic (or rotor) coordinate k in a row.
export const coordinate = (part: ScenePart, k: number): number => part.x + (part.turns ? 7 : 3) + k;

/// Poses of all parts and markers at one instant, in flat arrays.
export class Poses {
  readonly partPosition: Float64Array;
  readonly partTurn: Float64Array;
  readonly markerPosition: Float64Array;
  readonly markerTurn: Float64Array;
  private readonly phi: (Float64Array | null)[]; // 3 x nq, by marker
  private readonly spin = new Float64Array(4);
  private readonly local = new Float64Array(3);

  constructor(readonly scene: SceneInfo) {
    const { parts, markers } = scene;
    this.partPosition = new Float64Array(3 * parts.length);
    this.partTurn = new Float64Array(4 * parts.length);
    this.markerPosition = new Float64Array(3 * markers.length);
    this.markerTurn = new Float64Array(4 * markers.length);
    this.phi = markers.map((m) => (m.phi ? Float64Array.from(m.phi.flat()) : null));
    for (let i = 0; i < parts.length; ++i) this.partTurn[4 * i] = 1;
  }

  setParts(x: ArrayLike<number>, at = 0): void {
    const { parts } = this.scene;
    for (let i = 0; i < parts.length; ++i) {
      const p = parts[i];
      if (p.x < 0) continue;
      for (let c = 0; c < 3; ++c) this.partPosition[3 * i + c] = x[at + p.x + c];
      if (p.turns) for (let c = 0; c < 4; ++c) this.partTurn[4 * i + c] = x[at + p.x + 3 + c];
    }
  }

  /// After setParts with the same row; elastic displacement is multiplied by `scale`.
  setMarker(m: number, x: ArrayLike<number>, scale: number, at = 0): void {
    const marker = this.scene.markers[m], i = marker.part, part = this.scene.parts[i];
    const r = this.local;
    r[0] = marker.position[0];
    r[1] = marker.position[1];
    r[2] = marker.position[2];
    const phi = this.phi[m];
    if (phi) {
      const begin = at + coordinate(part, 0), n = part.nq;
      for (let c = 0; c < 3; ++c) {
        let sum = 0;
        for (let k = 0; k < n; ++k) sum += phi[c * n + k] * x[begin + k];
        r[c] += scale * sum;
      }
    }
    place(this.markerPosition, 3 * m, this.partPosition, 3 * i, this.partTurn, 4 * i, r[0], r[1], r[2]);
    const rotor = part.rotors?.[marker.rotor ?? -1];
    if (rotor) {
      about(this.spin, 0, rotor.axis[0], rotor.axis[1], rotor.axis[2], x[at + coordinate(part, rotor.q)]);
      product(this.spin, 0, this.partTurn, 4 * i, this.spin, 0);
      product(this.markerTurn, 4 * m, this.spin, 0, marker.quaternion, 0);
    } else {
      product(this.markerTurn, 4 * m, this.partTurn, 4 * i, marker.quaternion, 0);
    }
  }

  set(x: ArrayLike<number>, scale: number): void {
    this.setParts(x);
    for (let m = 0; m < this.scene.markers.length; ++m) this.setMarker(m, x, scale);
  }
}

/// x = retract(x0, d): d holds per part v (world), w (body axes, when it turns), q.
export function retract(scene: SceneInfo, x0: ArrayLike<number>, d: ArrayLike<number>, out: Float64Array): void {
  const step = new Float64Array(4);
  let z = 0;
  for (const part of scene.parts) {
    if (part.x < 0) continue;
    for (let c = 0; c < 3; ++c) out[part.x + c] = x0[part.x + c] + d[z + c];
    z += 3;
    if (part.turns) {
      const angle = Math.hypot(d[z], d[z + 1], d[z + 2]), n = angle || 1;
      about(step, 0, d[z] / n, d[z + 1] / n, d[z + 2] / n, angle);
      product(out, part.x + 3, x0, part.x + 3, step, 0);
      z += 3;
    }
    const q = coordinate(part, 0);
    for (let k = 0; k < part.nq; ++k) out[q + k] = x0[q + k] + d[z + k];
    z += part.nq;
  }
}
