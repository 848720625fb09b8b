// Four ways of looking: chase (behind the vehicle, turning with it), follow (moves with it, does not turn), free
// (stands), inside (fixed to it). Drag turns, right drag or two fingers move, wheel or pinch zooms; keys do the same.
import * as THREE from 'three';
import type { CameraKind } from '../api/types';
import type { Sphere } from './whole_reach';

const halfPi = Math.PI / 2;
const usualAngle = 42; // degrees, vertical

export class CameraRig {
  readonly camera = new THREE.PerspectiveCamera(usualAngle, 1.6, 0.05, 2000);
  kind: CameraKind = 'chase';
  /// Called when the user moved it.
  onChange: () => void = () => {};
  yaw = 0; // of the looking direction, from the vehicle's heading (chase, inside) or from x
  pitch = 0.28; // looking down
  distance = 8;
  aside = 0.45; // rad, from which side the chase looks at first
  readonly offset = new THREE.Vector3(); // of the target from the vehicle, or the target itself when free
  private extent = 4;
  private heading = 0;
  private readonly vehicle = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  /// What is looked at.
  readonly target = new THREE.Vector3();
  private readonly direction = new THREE.Vector3();
  private readonly up = new THREE.Vector3();
  private fresh = true;
  private standing: Sphere | null = null; // what the free camera shows at first; null: where the vehicle is
  private angle = usualAngle;

  constructor(private readonly element: HTMLElement) {
    this.camera.up.set(0, 0, 1);
    this.listen();
  }

  fit(extent: number): void {
    this.extent = extent;
    this.camera.near = 0.01 * extent;
    this.camera.far = 400 * extent;
    this.home();
  }

  /// Stands and sees a whole sphere.
  stand(sphere: Sphere): void {
    this.kind = 'free';
    this.standing = sphere;
    this.home();
  }

  /// A tall picture opens its angle, so that its width shows as much.
  resize(aspect: number): void {
    const open = Math.tan((this.angle * Math.PI) / 360) * Math.max(1, 1.2 / aspect);
    this.camera.aspect = aspect;
    this.camera.fov = (Math.atan(open) * 360) / Math.PI;
    this.camera.updateProjectionMatrix();
  }

  home(): void {
    this.yaw = this.kind === 'chase' || this.kind === 'inside' ? 0 : this.heading - 0.7;
    if (this.kind === 'chase') this.yaw = -this.aside;
    this.pitch = this.kind === 'inside' ? 0.05 : 0.3;
    this.distance = 1.5 * this.extent;
    this.angle = usualAngle;
    this.resize(this.camera.aspect);
    this.offset.set(0, 0, 0);
    if (this.kind === 'free' && this.standing) {
      this.offset.set(...this.standing.centre);
      this.distance = this.standing.radius / Math.sin((usualAngle * Math.PI) / 360);
    } else if (this.kind === 'free') this.offset.copy(this.vehicle);
    this.onChange();
  }

  setKind(kind: CameraKind): void {
    if (kind === this.kind) return;
    // The picture stays where it is when the next camera stands or moves freely.
    const inside = this.kind === 'inside' || kind === 'inside';
    const world = this.yaw + (this.kind === 'chase' || this.kind === 'inside' ? this.heading : 0);
    if (this.kind === 'free') this.offset.sub(this.vehicle);
    if (kind === 'free') this.offset.add(this.vehicle);
    this.yaw = kind === 'chase' || kind === 'inside' ? world - this.heading : world;
    this.kind = kind;
    if (inside || kind === 'chase') this.home();
    this.onChange();
  }

  /// Pose of what is followed; `elapsed` s smooths the heading of the chase.
  track(x: number, y: number, z: number, q: ArrayLike<number>, at: number, elapsed: number): void {
    this.turn.set(q[at + 1], q[at + 2], q[at + 3], q[at]);
    this.direction.set(1, 0, 0).applyQuaternion(this.turn);
    const heading = Math.atan2(this.direction.y, this.direction.x);
    let turnBy = heading - this.heading;
    turnBy -= 2 * Math.PI * Math.round(turnBy / (2 * Math.PI));
    const jump = this.vehicle.distanceTo(this.direction.set(x, y, z)) > 4 * this.extent;
    this.vehicle.set(x, y, z);
    const share = this.fresh || jump || elapsed <= 0 ? 1 : 1 - Math.exp(-6 * elapsed);
    if (this.fresh && this.kind === 'free' && !this.standing) this.offset.copy(this.vehicle);
    this.fresh = false;
    this.heading += share * turnBy;
  }

  place(): void {
    const { camera, target, direction, up } = this;
    if (this.kind === 'inside') {
      up.set(0, 0, 1).applyQuaternion(this.turn);
      direction.set(Math.cos(this.pitch) * Math.cos(this.yaw), Math.cos(this.pitch) * Math.sin(this.yaw), -Math.sin(this.pitch));
      direction.applyQuaternion(this.turn);
      camera.position.copy(this.offset).addScaledVector(up.set(0, 0, 1), 0.1 * this.extent).applyQuaternion(this.turn).add(this.vehicle);
      camera.up.set(0, 0, 1).applyQuaternion(this.turn);
      target.copy(camera.position).add(direction);
    } else {
      const yaw = this.yaw + (this.kind === 'chase' ? this.heading : 0);
      direction.set(Math.cos(this.pitch) * Math.cos(yaw), Math.cos(this.pitch) * Math.sin(yaw), -Math.sin(this.pitch));
      target.copy(this.offset);
      if (this.kind !== 'free') target.add(this.vehicle);
      camera.up.set(0, 0, 1);
      camera.position.copy(target).addScaledVector(direction, -this.distance);
    }
    camera.lookAt(target);
    camera.updateMatrixWorld();
  }

  rotate(dx: number, dy: number): void {
    this.yaw -= dx;
    this.pitch = Math.min(halfPi - 0.01, Math.max(-halfPi + 0.01, this.pitch + dy));
    this.onChange();
  }

  /// Right and up in the picture, in m.
  pan(right: number, up: number): void {
    const m = this.camera.matrixWorld.elements;
    this.direction.set(m[0], m[1], m[2]).multiplyScalar(right).addScaledVector(this.up.set(m[4], m[5], m[6]), up);
    if (this.kind === 'inside') this.direction.applyQuaternion(this.turn.clone().invert());
    this.offset.add(this.direction);
    this.onChange();
  }

  zoom(factor: number): void {
    if (this.kind === 'inside') {
      this.angle = Math.min(90, Math.max(10, this.angle * factor));
      this.resize(this.camera.aspect);
    } else {
      this.distance = Math.min(60 * this.extent, Math.max(0.05 * this.extent, this.distance * factor));
    }
    this.onChange();
  }

  private listen(): void {
    const el = this.element, fingers = new Map<number, { x: number; y: number }>();
    let gap = 0;
    el.addEventListener('contextmenu', (e) => e.preventDefault());
    el.addEventListener('wheel', (e) => {
      e.preventDefault();
      this.zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.003));
    }, { passive: false });
    el.addEventListener('pointerdown', (e) => {
      el.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      gap = 0;
    });
    el.addEventListener('pointermove', (e) => {
      const f = fingers.get(e.pointerId);
      if (!f) return;
      const dx = e.clientX - f.x, dy = e.clientY - f.y;
      f.x = e.clientX;
      f.y = e.clientY;
      const metre = (2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / el.clientHeight;
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], now = Math.hypot(a.x - b.x, a.y - b.y);
        if (gap) this.zoom(gap / now);
        gap = now;
        this.pan((-dx / 2) * metre, (dy / 2) * metre);
      } else if (e.buttons & 6 || e.shiftKey) {
        this.pan(-dx * metre, dy * metre);
      } else {
        this.rotate(dx * 0.006, dy * 0.006);
      }
    });
    const end = (e: PointerEvent) => {
      fingers.delete(e.pointerId);
      gap = 0;
    };
    el.addEventListener('pointerup', end);
    el.addEventListener('pointercancel', end);
  }
}
