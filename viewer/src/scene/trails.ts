// Ways of the vehicle's centre of mass and of the wheels: the whole way faint, what is behind strong. A live run has
// no whole way: there the trail of the vehicle grows in a ring.
import * as THREE from 'three';
import type { MotionSource, SceneInfo } from '../api/types';
import { Poses } from './kinematics';
import { bracket } from './motion_store';
import { place } from './rotation';

const ringPoints = 4000;
const ringStep = 0.15; // m

export class Trails {
  readonly group = new THREE.Group();
  private readonly time: Float64Array | null = null;
  private readonly past: THREE.Line[] = [];
  private readonly materials: THREE.LineBasicMaterial[];
  private ring: THREE.LineSegments | null = null;
  private ringCount = 0;
  private readonly last = new Float64Array(3);

  constructor(scene: SceneInfo, motion: MotionSource, wheels: number[], color: number) {
    const faint = new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.3 });
    const strong = new THREE.LineBasicMaterial({ color });
    const wheel = new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.55 });
    this.materials = [faint, strong, wheel];
    const vehicle = scene.vehicle ?? 0, way = motion.overview();
    const part = scene.parts[vehicle];
    if (!part || part.x < 0) return;
    if (!way) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * ringPoints), 3));
      geometry.setDrawRange(0, 0);
      this.ring = new THREE.LineSegments(geometry, strong);
      this.ring.frustumCulled = false;
      this.group.add(this.ring);
      return;
    }
    if (way.rows < 2) return;
    this.time = way.time;
    const poses = new Poses(scene), lines = [-1, ...wheels].map(() => new Float32Array(3 * way.rows));
    const p = new Float64Array(3), com = part.com ?? [0, 0, 0];
    for (let i = 0; i < way.rows; ++i) {
      const at = i * scene.row;
      poses.setParts(way.x, at);
      place(p, 0, poses.partPosition, 3 * vehicle, poses.partTurn, 4 * vehicle, com[0], com[1], com[2]);
      lines[0].set(p, 3 * i);
      wheels.forEach((m, k) => {
        poses.setMarker(m, way.x, 1, at);
        lines[k + 1].set(poses.markerPosition.subarray(3 * m, 3 * m + 3), 3 * i);
      });
    }
    lines.forEach((data, k) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(data, 3));
      if (k === 0) this.add(new THREE.Line(geometry, faint));
      const part = new THREE.BufferGeometry();
      part.setAttribute('position', geometry.getAttribute('position'));
      this.past.push(this.add(new THREE.Line(part, k ? wheel : strong)));
    });
  }

  private add<T extends THREE.Object3D>(o: T): T {
    o.frustumCulled = false;
    this.group.add(o);
    return o;
  }

  update(t: number, centre: Float64Array): void {
    if (this.time) {
      const n = t >= this.time[this.time.length - 1] ? this.time.length : bracket(this.time, t) + 1;
      for (const line of this.past) line.geometry.setDrawRange(0, n);
    }
    if (this.ring) this.grow(centre);
  }

  private grow(centre: Float64Array): void {
    const { last } = this, ring = this.ring!.geometry;
    const step = Math.hypot(centre[0] - last[0], centre[1] - last[1], centre[2] - last[2]);
    if (this.ringCount > 0 && step < ringStep) return;
    // A jump (reset) draws no line.
    if (this.ringCount > 0 && step < 5) {
      const attribute = ring.getAttribute('position') as THREE.BufferAttribute, at = 6 * ((this.ringCount - 1) % ringPoints);
      attribute.array.set(last, at);
      attribute.array.set(centre, at + 3);
      attribute.needsUpdate = true;
    }
    last.set(centre);
    ++this.ringCount;
    ring.setDrawRange(0, 2 * Math.min(this.ringCount - 1, ringPoints));
  }

  dispose(): void {
    for (const o of this.group.children) (o as THREE.Line).geometry.dispose();
    for (const m of this.materials) m.dispose();
  }
}
