// Quaternions w x y z in flat arrays, at an offset: no objects, so that a frame allocates nothing.

export type Numbers = Float64Array | Float32Array | number[];

/// out[o..o+2] = base + R(q) v
export function place(
  out: Numbers, o: number, base: ArrayLike<number>, b: number, q: ArrayLike<number>, k: number,
  x: number, y: number, z: number,
): void {
  const w = q[k], i = q[k + 1], j = q[k + 2], l = q[k + 3];
  const tx = 2 * (j * z - l * y), ty = 2 * (l * x - i * z), tz = 2 * (i * y - j * x);
  out[o] = base[b] + x + w * tx + j * tz - l * ty;
  out[o + 1] = base[b + 1] + y + w * ty + l * tx - i * tz;
  out[o + 2] = base[b + 2] + z + w * tz + i * ty - j * tx;
}

const zero = [0, 0, 0];
export function turn(out: Numbers, o: number, q: ArrayLike<number>, k: number, x: number, y: number, z: number): void {
  place(out, o, zero, 0, q, k, x, y, z);
}

/// out = a b; out may be a or b.
export function product(out: Numbers, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
  const aw = a[i], ax = a[i + 1], ay = a[i + 2], az = a[i + 3];
  const bw = b[j], bx = b[j + 1], by = b[j + 2], bz = b[j + 3];
  out[o] = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/// Turn by `angle` about a unit axis.
export function about(out: Numbers, o: number, ax: number, ay: number, az: number, angle: number): void {
  const s = Math.sin(angle / 2);
  out[o] = Math.cos(angle / 2);
  out[o + 1] = ax * s;
  out[o + 2] = ay * s;
  out[o + 3] = az * s;
}

/// Shortest great arc from a to b; both unit.
export function slerp(
  out: Numbers, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, f: number,
): void {
  let dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  let u = 1 - f, v = f;
  // Below a thousandth of a radian the chord is the arc to single precision.
  if (dot < 0.9999995) {
    const angle = Math.acos(dot), s = Math.sin(angle);
    u = Math.sin(u * angle) / s;
    v = Math.sin(v * angle) / s;
  }
  v *= sign;
  let n = 0;
  for (let c = 0; c < 4; ++c) {
    const value = u * a[i + c] + v * b[j + c];
    out[o + c] = value;
    n += value * value;
  }
  n = 1 / Math.sqrt(n || 1);
  for (let c = 0; c < 4; ++c) out[o + c] *= n;
}
