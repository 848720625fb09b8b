// One run in the 3D view: objects for parts, joints, forces, tires and trajectories, posed once per frame.
import * as THREE from 'three';
import type { Container, MotionSource, SceneInfo } from '../api/types';
import { Arrows } from './arrows';
import { Batch, batchMaterial } from './batch';
import { coordinate, Poses } from './kinematics';
import { place } from './rotation';
import * as shapes from './shapes';
import { Surface, type Shared } from './surface';
import { Trails } from './trails';

export interface Toggles {
  frames: boolean;
  joints: boolean;
  centres: boolean;
  forces: boolean;
  jointForces: boolean;
  tireForces: boolean;
  trajectories: boolean;
  ground: boolean;
  lane: boolean;
  edges: boolean;
  springs: boolean;
}

/// Muted, even in lightness; parts without a say take them in turn.
const partColors = [0xa8a08c, 0x8cab9a, 0x93a5b5, 0xb09aa0, 0x9a9cb8, 0xabab92];
const ghostColor = 0xd98c3f;
export const ghostOpacity = 0.35;

interface Rod {
  part: number;
  from: number; // marker, or -1: the part's centre of mass
  to: number; // marker
}

export class RunView {
  readonly group = new THREE.Group();
  readonly poses: Poses;
  readonly x: Float64Array;
  readonly arrowValues: Float64Array;
  readonly surfaces: (Surface | null)[];
  readonly partGroups: THREE.Group[];
  /// Some length that is typical of the model, m.
  readonly extent: number;
  readonly arrows: Arrows;
  valid = false;
  selected = -1;
  private readonly rods: Rod[] = [];
  private readonly rodBatch: Batch;
  private readonly blobs: number[] = []; // parts drawn as a ball
  private readonly blobBatch: Batch;
  private readonly springs: number[][] = []; // pairs of markers
  private readonly springBatch: Batch;
  private readonly lines: number[][] = [];
  private readonly lineBatch: Batch;
  private readonly tires: { force: number; marker: number }[] = [];
  private readonly tireBatch: Batch;
  private readonly jointBatch: Batch;
  private readonly centreBatch: Batch;
  private readonly frameBatch: Batch;
  private readonly movingParts: number[] = [];
  private readonly trails: Trails;
  private readonly center = new Float64Array(3);
  private readonly end = new Float64Array(3);
  private readonly used: number[]; // markers that something drawn hangs on
  private readonly materials: THREE.Material[] = [];
  private toggles: Toggles | null = null;

  constructor(
    readonly scene: SceneInfo, readonly motion: MotionSource, private readonly shared: Shared, readonly ghost: boolean,
  ) {
    const { parts, markers, joints, forces } = scene;
    this.poses = new Poses(scene);
    this.x = new Float64Array(scene.row);
    this.arrowValues = new Float64Array(scene.arrows);
    this.surfaces = parts.map(() => null);
    this.partGroups = parts.map((p) => {
      const g = new THREE.Group();
      g.name = p.name;
      this.group.add(g);
      return g;
    });
    this.poseOf(motion.t0);
    this.extent = this.measure();

    const attached = new Set<number>();
    for (const f of [...joints, ...forces]) for (const m of f.markers) attached.add(m);
    this.used = [...attached];
    parts.forEach((part, i) => {
      if (part.kind === 'ground') return;
      this.movingParts.push(i);
      if (part.asset !== undefined) return;
      this.stick(i, attached);
    });
    forces.forEach((f, i) => {
      if (f.tire) {
        const marker = f.markers.find((m) => parts[markers[m].part].kind !== 'ground') ?? f.markers[0];
        this.tires.push({ force: i, marker });
      } else if (f.markers.length > 1) {
        if (f.draw === 'spring') this.springs.push(f.markers);
        if (f.draw === 'line') this.lines.push(f.markers);
      }
    });
    // Rods, struts and other joints that hold points apart.
    const at = this.poses.markerPosition;
    for (const { markers: m } of joints) {
      if (m.length < 2) continue;
      const [a, b] = [3 * m[0], 3 * m[1]];
      if (Math.hypot(at[a] - at[b], at[a + 1] - at[b + 1], at[a + 2] - at[b + 2]) > 0.01 * this.extent) this.lines.push(m);
    }

    const opacity = ghost ? ghostOpacity : 1;
    const solid = batchMaterial(opacity), through = batchMaterial(opacity, true); // signs inside a body are seen too
    this.materials.push(solid, through);
    const batch = (g: THREE.BufferGeometry, n: number, color = 0xffffff, sign = false) => {
      const b = new Batch(g, sign ? through : solid, n, ghost && color !== 0xffffff ? ghostColor : color);
      if (sign) b.mesh.renderOrder = 5;
      this.group.add(b.mesh);
      return b;
    };
    this.rodBatch = batch(shapes.rod(), this.rods.length);
    this.blobBatch = batch(shapes.ball(), this.blobs.length);
    this.springBatch = batch(shapes.spring(), this.springs.length, 0x5b7fa6);
    this.lineBatch = batch(shapes.rod(), this.lines.length, 0x777c84);
    this.tireBatch = batch(shapes.wheel(), this.tires.length);
    this.jointBatch = batch(shapes.octahedron(), joints.length, 0xe0b23c, true);
    this.centreBatch = batch(shapes.gravityCentre(), this.movingParts.length, 0xffffff, true);
    this.frameBatch = batch(shapes.frame(), this.movingParts.length + this.used.length, 0xffffff, true);
    this.glow();
    this.arrows = new Arrows(scene, this.poses, this.tires, through, this.extent);
    this.group.add(this.arrows.group);
    this.trails = new Trails(scene, motion, this.tires.map((t) => ({ marker: t.marker, radius: forces[t.force].tire!.radius })), ghost ? ghostColor : 0x3d79b8);
    this.group.add(this.trails.group);
  }

  private partColor(part: number): number {
    return this.ghost ? ghostColor : partColors[part % partColors.length];
  }

  /// A part without a mesh: rods from its centre of mass to what hangs on it, or one rod, or a ball.
  private stick(part: number, attached: Set<number>): void {
    const { markers } = this.scene, of: number[] = [];
    const far = (a: number, b: number) =>
      Math.hypot(...[0, 1, 2].map((c) => markers[a].position[c] - markers[b].position[c])) > 0.005 * this.extent;
    const collect = (all: boolean) =>
      markers.forEach((m, i) => {
        if (m.part === part && (all || attached.has(i)) && of.every((j) => far(i, j))) of.push(i);
      });
    collect(false);
    if (of.length === 0) collect(true);
    if (of.length === 2) {
      this.rods.push({ part, from: of[0], to: of[1] });
    } else if (of.length > 2) {
      for (const to of of) this.rods.push({ part, from: -1, to });
    } else {
      const com = this.scene.parts[part].com ?? [0, 0, 0];
      const r = of.length ? markers[of[0]].position : com;
      if (Math.hypot(r[0] - com[0], r[1] - com[1], r[2] - com[2]) > 0.01 * this.extent)
        this.rods.push({ part, from: -1, to: of[0] });
      this.blobs.push(part);
    }
  }

  private measure(): number {
    const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
    this.scene.markers.forEach((m, i) => {
      const part = this.scene.parts[m.part];
      if (part.kind === 'ground') return;
      for (let c = 0; c < 3; ++c) {
        const v = this.poses.markerPosition[3 * i + c];
        lo[c] = Math.min(lo[c], v);
        hi[c] = Math.max(hi[c], v);
      }
    });
    const size = Math.hypot(...[0, 1, 2].map((c) => hi[c] - lo[c]));
    return Number.isFinite(size) && size > 1e-6 ? size : 0.25;
  }

  addSurface(part: number, asset: Container): Surface {
    const s = new Surface(asset, this.shared, this.partColor(part), this.ghost ? ghostOpacity : 1, this.ghost);
    this.surfaces[part] = s;
    this.partGroups[part].add(s.object);
    this.glow();
    if (this.toggles) s.showEdges(this.toggles.edges);
    return s;
  }

  private poseOf(t: number): boolean {
    if (!this.motion.at(t, this.x, this.arrowValues)) return false;
    this.poses.set(this.x, this.shared.scale.value);
    return true;
  }

  apply(t: Toggles): void {
    this.toggles = t;
    this.frameBatch.show(t.frames);
    this.jointBatch.show(t.joints);
    this.centreBatch.show(t.centres);
    this.springBatch.show(t.springs);
    this.lineBatch.show(t.springs);
    this.trails.group.visible = t.trajectories;
    this.arrows.show(t.tireForces, t.forces, t.jointForces);
    for (const s of this.surfaces) s?.showEdges(t.edges);
  }

  setSelected(part: number): void {
    this.selected = part;
    this.glow();
  }

  private glow(): void {
    this.surfaces.forEach((s, i) => s?.setGlow(i === this.selected));
    const bright = 0x2f8fe8;
    this.rods.forEach((r, i) => this.rodBatch.color(i, r.part === this.selected ? bright : this.partColor(r.part)));
    this.blobs.forEach((p, i) => this.blobBatch.color(i, p === this.selected ? bright : this.partColor(p)));
  }

  /// Poses everything for time t of the run; false when no motion is known for it yet.
  update(t: number): boolean {
    if (!this.poseOf(t)) return false;
    this.valid = true;
    this.draw(t);
    return true;
  }

  /// With a row made elsewhere (mode shapes).
  updateFrom(x: Float64Array): void {
    this.x.set(x);
    this.poses.set(this.x, this.shared.scale.value);
    this.valid = true;
    this.draw(0);
  }

  private draw(t: number): void {
    const { parts, joints, forces } = this.scene, { poses, extent } = this;
    const { partPosition, partTurn, markerPosition, markerTurn } = poses;
    for (const i of this.movingParts) {
      const s = this.surfaces[i];
      if (!s) continue;
      const g = this.partGroups[i];
      g.position.set(partPosition[3 * i], partPosition[3 * i + 1], partPosition[3 * i + 2]);
      g.quaternion.set(partTurn[4 * i + 1], partTurn[4 * i + 2], partTurn[4 * i + 3], partTurn[4 * i]);
      if (s.nq) s.setCoordinates(this.x, coordinate(parts[i], 0));
    }
    const width = 0.006 * extent;
    this.rods.forEach((r, k) => {
      this.markerOrCentre(r.from, r.part, this.center);
      const to = 3 * r.to;
      this.rodBatch.span(k, this.center[0], this.center[1], this.center[2],
        markerPosition[to], markerPosition[to + 1], markerPosition[to + 2], width);
    });
    this.blobs.forEach((p, k) => {
      this.markerOrCentre(-1, p, this.center);
      this.blobBatch.at(k, this.center[0], this.center[1], this.center[2], 2.5 * width);
    });
    this.between(this.springs, this.springBatch, 0.016 * extent);
    this.between(this.lines, this.lineBatch, 0.7 * width);
    this.tires.forEach(({ force, marker }, k) => {
      const tire = forces[force].tire!;
      this.tireBatch.pose(k, markerPosition, 3 * marker, markerTurn, 4 * marker, tire.radius, tire.width, tire.radius);
    });
    if (this.jointBatch.mesh.visible)
      joints.forEach((j, k) => {
        const m = 3 * j.markers[0];
        this.jointBatch.at(k, markerPosition[m], markerPosition[m + 1], markerPosition[m + 2], 0.011 * extent);
      });
    if (this.centreBatch.mesh.visible)
      this.movingParts.forEach((p, k) => {
        this.markerOrCentre(-1, p, this.center);
        // Turned with the part, so that the sign shows it.
        this.centreBatch.pose(k, this.center, 0, partTurn, 4 * p, 0.014 * extent, 0.014 * extent, 0.014 * extent);
      });
    if (this.frameBatch.mesh.visible) {
      const size = 0.06 * extent;
      this.movingParts.forEach((p, k) => this.frameBatch.pose(k, partPosition, 3 * p, partTurn, 4 * p, size, size, size));
      const small = 0.5 * size, base = this.movingParts.length;
      this.used.forEach((m, k) =>
        this.frameBatch.pose(base + k, markerPosition, 3 * m, markerTurn, 4 * m, small, small, small));
    }
    this.arrows.update(this.arrowValues);
    this.trails.update(t, this.centreOf(this.scene.vehicle ?? 0));
    for (const b of this.batches()) b.commit();
  }

  private batches(): Batch[] {
    return this.allBatches ??= [this.rodBatch, this.blobBatch, this.springBatch, this.lineBatch, this.tireBatch,
      this.jointBatch, this.centreBatch, this.frameBatch];
  }
  private allBatches: Batch[] | null = null;

  private between(list: number[][], batch: Batch, width: number): void {
    const p = this.poses.markerPosition;
    for (let k = 0; k < list.length; ++k) {
      const a = 3 * list[k][0], b = 3 * list[k][1];
      batch.span(k, p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2], width);
    }
  }

  private markerOrCentre(marker: number, part: number, out: Float64Array): void {
    if (marker >= 0) {
      for (let c = 0; c < 3; ++c) out[c] = this.poses.markerPosition[3 * marker + c];
      return;
    }
    const com = this.scene.parts[part].com;
    place(out, 0, this.poses.partPosition, 3 * part, this.poses.partTurn, 4 * part, com?.[0] ?? 0, com?.[1] ?? 0, com?.[2] ?? 0);
  }

  /// Where the wheels stand: middle, heading and half the sizes of the vehicle above them; null without wheels.
  footprint(): { x: number; y: number; z: number; heading: number; halfLength: number; halfWidth: number } | null {
    const vehicle = this.scene.vehicle ?? 0, q = this.poses.partTurn, i = 4 * vehicle;
    if (this.tires.length < 3) return null;
    const heading = Math.atan2(2 * (q[i + 1] * q[i + 2] + q[i] * q[i + 3]), 1 - 2 * (q[i + 2] ** 2 + q[i + 3] ** 2));
    const c = Math.cos(heading), s = Math.sin(heading), along = [Infinity, -Infinity], left = [Infinity, -Infinity];
    let z = 0, radius = 0;
    for (const { force, marker } of this.tires) {
      const at = this.poses.markerPosition.subarray(3 * marker, 3 * marker + 3), a = c * at[0] + s * at[1], b = c * at[1] - s * at[0];
      radius = this.scene.forces[force].tire!.radius;
      z += (at[2] - radius) / this.tires.length;
      along[0] = Math.min(along[0], a);
      along[1] = Math.max(along[1], a);
      left[0] = Math.min(left[0], b);
      left[1] = Math.max(left[1], b);
    }
    const a = (along[0] + along[1]) / 2, b = (left[0] + left[1]) / 2;
    // A body overhangs its wheels by about a wheel.
    return { x: c * a - s * b, y: s * a + c * b, z, heading, halfLength: (along[1] - along[0]) / 2 + 2.4 * radius, halfWidth: (left[1] - left[0]) / 2 + 0.35 * radius };
  }

  /// World position of a part's centre of mass; the array is reused.
  centreOf(part: number): Float64Array {
    this.markerOrCentre(-1, part, this.end);
    return this.end;
  }

  /// Nearest part on a ray, or null.
  pick(ray: THREE.Raycaster): { part: number; distance: number } | null {
    let best: { part: number; distance: number } | null = null;
    const offer = (part: number | undefined, distance: number | undefined) => {
      if (part !== undefined && distance !== undefined && (!best || distance < best.distance)) best = { part, distance };
    };
    this.surfaces.forEach((s, i) => s && offer(i, s.pick(ray)?.distance));
    const batchHit = (b: Batch, part: (k: number) => number) => {
      if (!b.count || !b.mesh.visible) return;
      const hit = ray.intersectObject(b.mesh, false)[0];
      if (hit) offer(part(hit.instanceId!), hit.distance);
    };
    batchHit(this.rodBatch, (k) => this.rods[k].part);
    batchHit(this.blobBatch, (k) => this.blobs[k]);
    batchHit(this.tireBatch, (k) => this.scene.markers[this.tires[k].marker].part);
    return best;
  }

  /// Poses of drawn wheels, as in the instance matrices: for tests.
  drawnWheel(k: number): number[] {
    return Array.from(this.tireBatch.mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16));
  }
  get wheelNames(): string[] {
    return this.tires.map((t) => this.scene.forces[t.force].name);
  }

  dispose(): void {
    for (const s of this.surfaces) s?.dispose();
    for (const b of this.batches()) b.dispose();
    for (const m of this.materials) m.dispose();
    this.arrows.dispose();
    this.trails.dispose();
    this.group.removeFromParent();
  }
}
