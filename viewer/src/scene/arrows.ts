// Forces as arrows: three components at each tire's contact point, others as one arrow at the second marker.
import * as THREE from 'three';
import type { SceneInfo } from '../api/types';
import { Batch } from './batch';
import type { Poses } from './kinematics';
import { axisColors } from './palette';
import { turn } from './rotation';
import * as shapes from './shapes';

interface Single {
  arrow: number;
  marker: number;
}

export class Arrows {
  readonly group = new THREE.Group();
  /// Length of 1 N, m.
  scale = 1 / 5000;
  private readonly tripods: Batch;
  private readonly forces: Batch;
  private readonly joints: Batch;
  private readonly forceList: Single[] = [];
  private readonly jointList: Single[] = [];
  private readonly axle = new Float64Array(3);
  private values: Float64Array | null = null;
  /// Components of the tires' forces along wheel heading, left and up, N: three for each tire.
  readonly components: Float64Array;

  constructor(
    private readonly scene: SceneInfo, private readonly poses: Poses,
    private readonly tires: { force: number; marker: number }[], material: THREE.Material, private readonly extent: number,
  ) {
    const tired = new Set(tires.map((t) => t.force));
    scene.forces.forEach((f, i) => {
      if (f.arrow !== undefined && f.markers.length && !tired.has(i))
        this.forceList.push({ arrow: f.arrow, marker: f.markers[f.markers.length - 1] });
    });
    for (const j of scene.joints)
      if (j.arrow !== undefined && j.markers.length)
        this.jointList.push({ arrow: j.arrow, marker: j.markers[j.markers.length - 1] });
    this.components = new Float64Array(3 * tires.length);
    this.tripods = new Batch(shapes.arrow(), material, 3 * tires.length);
    this.forces = new Batch(shapes.arrow(), material, this.forceList.length);
    this.joints = new Batch(shapes.arrow(), material, this.jointList.length);
    for (let k = 0; k < 3 * tires.length; ++k) this.tripods.color(k, axisColors[k % 3]);
    this.forceList.forEach((_, k) => this.forces.color(k, 0xcc79a7));
    this.jointList.forEach((_, k) => this.joints.color(k, 0xe69f00));
    for (const b of [this.tripods, this.forces, this.joints]) {
      b.mesh.renderOrder = 10; // over everything: forces inside a body are seen too
      this.group.add(b.mesh);
    }
  }

  show(tires: boolean, forces: boolean, joints: boolean): void {
    this.tripods.mesh.visible = tires;
    this.forces.mesh.visible = forces;
    this.joints.mesh.visible = joints;
  }

  setScale(metresPerNewton: number): void {
    this.scale = metresPerNewton;
    if (this.values) this.update(this.values);
  }

  update(values: Float64Array): void {
    this.values = values;
    const p = this.poses.markerPosition, s = this.scale, width = 0.007 * this.extent;
    this.tires.forEach(({ force, marker }, k) => {
      const f = this.scene.forces[force], a = f.arrow ?? -1;
      if (a < 0) return;
      const fx = values[a], fy = values[a + 1], fz = values[a + 2];
      turn(this.axle, 0, this.poses.markerTurn, 4 * marker, 0, 1, 0);
      // Heading and left in the ground plane.
      let hx = this.axle[1], hy = -this.axle[0];
      const n = Math.hypot(hx, hy) || 1;
      hx /= n;
      hy /= n;
      const along = fx * hx + fy * hy, left = -fx * hy + fy * hx;
      this.components[3 * k] = along;
      this.components[3 * k + 1] = left;
      this.components[3 * k + 2] = fz;
      const x = p[3 * marker], y = p[3 * marker + 1], z = p[3 * marker + 2] - f.tire!.radius;
      this.tripods.span(3 * k, x, y, z, x + s * along * hx, y + s * along * hy, z, width);
      this.tripods.span(3 * k + 1, x, y, z, x - s * left * hy, y + s * left * hx, z, width);
      this.tripods.span(3 * k + 2, x, y, z, x, y, z + s * fz, width);
    });
    this.tripods.commit();
    this.single(this.forces, this.forceList, values, width);
    this.single(this.joints, this.jointList, values, width);
  }

  private single(batch: Batch, list: Single[], values: Float64Array, width: number): void {
    if (!batch.mesh.visible) return;
    const p = this.poses.markerPosition, s = this.scale;
    for (let k = 0; k < list.length; ++k) {
      const { arrow, marker } = list[k], x = p[3 * marker], y = p[3 * marker + 1], z = p[3 * marker + 2];
      batch.span(k, x, y, z, x + s * values[arrow], y + s * values[arrow + 1], z + s * values[arrow + 2], 0.7 * width);
    }
    batch.commit();
  }

  dispose(): void {
    for (const b of [this.tripods, this.forces, this.joints]) b.dispose();
  }
}
