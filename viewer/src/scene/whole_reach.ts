// The sphere in which everything that is drawn stays during a run, for cameras that stand still.
import type { MotionSource, SceneInfo } from '../api/types';
import { Poses } from './kinematics';

const mostRows = 200; // of the run that are looked at

export interface Sphere {
  centre: [number, number, number];
  radius: number; // m
}

/// Null for a live run, of which nobody knows where it goes, and for a model without points.
export function wholeReach(scene: SceneInfo, motion: MotionSource): Sphere | null {
  const way = motion.overview();
  if (!way || way.rows === 0) return null;
  // Points of the ground count where something that moves hangs on them.
  const held = new Set([...scene.forces, ...scene.joints].flatMap((e) => e.markers));
  const points = scene.markers.flatMap((m, i) => (scene.parts[m.part].kind !== 'ground' || held.has(i) ? [i] : []));
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const poses = new Poses(scene), stride = Math.ceil(way.rows / mostRows);
  for (let row = 0; row < way.rows; row += stride) {
    poses.setParts(way.x, row * scene.row);
    for (const m of points) {
      poses.setMarker(m, way.x, 1, row * scene.row);
      for (let c = 0; c < 3; ++c) {
        low[c] = Math.min(low[c], poses.markerPosition[3 * m + c]);
        high[c] = Math.max(high[c], poses.markerPosition[3 * m + c]);
      }
    }
  }
  const radius = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  if (!(radius > 0 && Number.isFinite(radius))) return null;
  return { centre: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2], radius };
}
