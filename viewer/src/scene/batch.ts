// Many copies of one small shape, each with its own pose: rods, springs, wheels, arrows, glyphs. One draw call each.
import * as THREE from 'three';

const matrix = new THREE.Matrix4();
const e = matrix.elements;

export class Batch {
  readonly mesh: THREE.InstancedMesh;
  private touched = false;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, readonly count: number) {
    this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, count));
    this.mesh.count = count;
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  }

  color(i: number, hex: number): void {
    this.mesh.setColorAt(i, new THREE.Color(hex));
    this.mesh.instanceColor!.needsUpdate = true;
  }

  /// Shape's z axis from a to b (its length is 1), x and y with `width`.
  span(i: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number, width: number): void {
    const dx = bx - ax, dy = by - ay, dz = bz - az, length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-9)) return this.hide(i);
    const zx = dx / length, zy = dy / length, zz = dz / length;
    // Any vector across: the axis least along z.
    let xx, xy, xz;
    if (Math.abs(zz) < 0.9) {
      xx = -zy; xy = zx; xz = 0;
    } else {
      xx = 0; xy = -zz; xz = zy;
    }
    const n = width / Math.hypot(xx, xy, xz);
    xx *= n; xy *= n; xz *= n;
    e[0] = xx; e[1] = xy; e[2] = xz;
    e[4] = zy * xz - zz * xy; e[5] = zz * xx - zx * xz; e[6] = zx * xy - zy * xx;
    e[8] = dx; e[9] = dy; e[10] = dz;
    e[12] = ax; e[13] = ay; e[14] = az;
    this.write(i);
  }

  /// Pose from position and quaternion arrays, with a size along each of the shape's axes.
  pose(
    i: number, p: ArrayLike<number>, ip: number, q: ArrayLike<number>, iq: number, sx: number, sy: number, sz: number,
  ): void {
    const w = q[iq], x = q[iq + 1], y = q[iq + 2], z = q[iq + 3];
    e[0] = sx * (1 - 2 * (y * y + z * z)); e[1] = sx * 2 * (x * y + w * z); e[2] = sx * 2 * (x * z - w * y);
    e[4] = sy * 2 * (x * y - w * z); e[5] = sy * (1 - 2 * (x * x + z * z)); e[6] = sy * 2 * (y * z + w * x);
    e[8] = sz * 2 * (x * z + w * y); e[9] = sz * 2 * (y * z - w * x); e[10] = sz * (1 - 2 * (x * x + y * y));
    e[12] = p[ip]; e[13] = p[ip + 1]; e[14] = p[ip + 2];
    this.write(i);
  }

  at(i: number, x: number, y: number, z: number, size: number): void {
    e[0] = e[5] = e[10] = size;
    e[1] = e[2] = e[4] = e[6] = e[8] = e[9] = 0;
    e[12] = x; e[13] = y; e[14] = z;
    this.write(i);
  }

  hide(i: number): void {
    e.fill(0);
    this.write(i);
  }

  private write(i: number): void {
    e[3] = e[7] = e[11] = 0;
    e[15] = 1;
    this.mesh.instanceMatrix.array.set(e, 16 * i);
    this.touched = true;
  }

  /// After the poses of a frame.
  commit(): void {
    if (!this.touched) return;
    this.touched = false;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
  }
}
