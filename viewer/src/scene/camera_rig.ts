// Four cameras: chase (behind the vehicle, turning with it), follow (moves with it, does not turn), free (stands),
// inside (fixed to it). The user moves a handle by three's OrbitControls: drag turns, right drag or two fingers pan,
// wheel or pinch zooms. The handle lives in axes that the kind of camera carries along; the camera is the handle seen
// from the world. Inside, the eye is the point that the handle orbits, and its distance is the angle of view.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CameraKind } from '../api/types';
import type { Sphere } from './whole_reach';

const usualAngle = 42; // degrees, vertical
const smallestAngle = 10, largestAngle = 90; // of the inside camera
const up = new THREE.Vector3(0, 0, 1);

export class CameraRig {
  readonly camera = new THREE.PerspectiveCamera(usualAngle, 1.6, 0.05, 2000);
  kind: CameraKind = 'chase';
  /// Called when the user moved it.
  onChange: () => void = () => {};
  aside = 0.45; // rad, from which side the chase looks at first
  /// What is looked at; the eye itself when inside.
  readonly target = new THREE.Vector3();
  private readonly handle = new THREE.PerspectiveCamera(usualAngle, 1.6);
  private readonly controls: OrbitControls;
  private readonly origin = new THREE.Vector3(); // of the axes that the handle lives in
  private readonly axes = new THREE.Quaternion();
  private extent = 4;
  private heading = 0;
  private readonly vehicle = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly scratch = new THREE.Vector3();
  private fresh = true;
  private standing: Sphere | null = null; // what the free camera shows at first; null: where the vehicle is

  constructor(element: HTMLElement) {
    this.handle.up.copy(up); // before the controls, which take their axis from it
    this.controls = new OrbitControls(this.handle, element);
    this.controls.mouseButtons.MIDDLE = THREE.MOUSE.PAN;
    this.controls.minPolarAngle = 0.01;
    this.controls.maxPolarAngle = Math.PI - 0.01;
    this.controls.addEventListener('change', () => this.onChange());
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
    const angle = this.kind === 'inside' ? (usualAngle * this.controls.getDistance()) / this.usualDistance : usualAngle;
    const open = Math.tan((angle * Math.PI) / 360) * Math.max(1, 1.2 / aspect);
    this.camera.aspect = aspect;
    this.camera.fov = this.handle.fov = (Math.atan(open) * 360) / Math.PI;
    this.camera.updateProjectionMatrix();
  }

  home(): void {
    const { controls, handle } = this, inside = this.kind === 'inside';
    let yaw = this.heading - 0.7, pitch = 0.3, distance = this.usualDistance;
    if (this.kind === 'chase') yaw = -this.aside;
    if (inside) [yaw, pitch] = [0, 0.05];
    controls.target.set(0, 0, inside ? 0.1 * this.extent : 0);
    if (this.kind === 'free' && this.standing) {
      controls.target.set(...this.standing.centre);
      distance = this.standing.radius / Math.sin((usualAngle * Math.PI) / 360);
    } else if (this.kind === 'free') controls.target.copy(this.vehicle);
    this.setReach();
    const looking = this.scratch.set(Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), -Math.sin(pitch));
    handle.position.copy(controls.target).addScaledVector(looking, -distance);
    controls.update();
    this.resize(this.camera.aspect);
    this.onChange();
  }

  setKind(kind: CameraKind): void {
    if (kind === this.kind) return;
    const wasInside = this.kind === 'inside';
    this.kind = kind;
    if (wasInside || kind === 'inside' || kind === 'chase') {
      this.home();
      return;
    }
    // The picture stays where it is when the next camera stands or moves freely.
    const { controls, handle } = this;
    for (const p of [controls.target, handle.position]) p.applyQuaternion(this.axes).add(this.origin);
    this.moveAxes();
    const back = this.axes.clone().invert();
    for (const p of [controls.target, handle.position]) p.sub(this.origin).applyQuaternion(back);
    controls.update();
    this.onChange();
  }

  /// Pose of what is followed; `elapsed` s smooths the heading of the chase.
  track(x: number, y: number, z: number, q: ArrayLike<number>, at: number, elapsed: number): void {
    this.turn.set(q[at + 1], q[at + 2], q[at + 3], q[at]);
    const ahead = this.scratch.set(1, 0, 0).applyQuaternion(this.turn);
    let turnBy = Math.atan2(ahead.y, ahead.x) - this.heading;
    turnBy -= 2 * Math.PI * Math.round(turnBy / (2 * Math.PI));
    const jump = this.vehicle.distanceTo(this.scratch.set(x, y, z)) > 4 * this.extent;
    if (this.fresh && this.kind === 'free' && !this.standing) {
      this.handle.position.add(this.scratch.sub(this.controls.target));
      this.controls.target.set(x, y, z);
    }
    this.vehicle.set(x, y, z);
    this.heading += (this.fresh || jump || elapsed <= 0 ? 1 : 1 - Math.exp(-6 * elapsed)) * turnBy;
    this.fresh = false;
  }

  place(): void {
    const { camera, handle, controls } = this;
    this.moveAxes();
    this.target.copy(controls.target).applyQuaternion(this.axes).add(this.origin);
    if (this.kind === 'inside') {
      camera.position.copy(this.target);
      this.resize(camera.aspect);
    } else camera.position.copy(handle.position).applyQuaternion(this.axes).add(this.origin);
    handle.updateMatrix(); // panning goes along its axes
    camera.up.copy(up).applyQuaternion(this.axes);
    camera.quaternion.multiplyQuaternions(this.axes, handle.quaternion);
    camera.updateMatrixWorld();
  }

  rotate(dx: number, dy: number): void {
    this.controls.rotateLeft(dx);
    this.controls.rotateUp(dy);
  }

  zoom(factor: number): void {
    this.controls.dollyIn(factor);
  }

  private get usualDistance(): number {
    return 1.5 * this.extent;
  }

  private setReach(): void {
    const inside = this.kind === 'inside', usual = this.usualDistance / usualAngle;
    this.controls.minDistance = inside ? usual * smallestAngle : 0.05 * this.extent;
    this.controls.maxDistance = inside ? usual * largestAngle : 60 * this.extent;
  }

  private moveAxes(): void {
    this.origin.copy(this.vehicle);
    this.axes.identity();
    if (this.kind === 'free') this.origin.set(0, 0, 0);
    if (this.kind === 'chase') this.axes.setFromAxisAngle(up, this.heading);
    if (this.kind === 'inside') this.axes.copy(this.turn);
  }
}
