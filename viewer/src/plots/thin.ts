// Min/max thinning, ranges and interpolation of sampled curves. A curve is x (rising), hi, and lo where several
// samples share one bucket (null: every sample is there, in hi).

export type Numbers = Float64Array | Float32Array;

export interface Curve {
  x: Numbers;
  hi: Numbers;
  lo: Numbers | null;
}

export const emptyCurve: Curve = { x: new Float64Array(0), hi: new Float64Array(0), lo: null };

/** First index with x[index] >= value. */
export function lowerBound(x: ArrayLike<number>, value: number): number {
  let lo = 0;
  let hi = x.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((x[mid] as number) < value) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** Part of a curve within [from, to] with one more sample on either side, so that lines reach the border. */
export function slice(curve: Curve, from: number, to: number): Curve {
  const first = Math.max(0, lowerBound(curve.x, from) - 1);
  const last = Math.min(curve.x.length, lowerBound(curve.x, to) + 1);
  return {
    x: curve.x.subarray(first, last),
    hi: curve.hi.subarray(first, last),
    lo: curve.lo ? curve.lo.subarray(first, last) : null,
  };
}

/** At most `points` buckets of equal count, each with its least and greatest value at the time of its first sample. */
export function thin(curve: Curve, points: number): Curve {
  const n = curve.x.length;
  if (n <= points || points < 1) return curve;
  const x = new Float64Array(points);
  const lo = new Float64Array(points);
  const hi = new Float64Array(points);
  const low = curve.lo ?? curve.hi;
  for (let b = 0; b < points; ++b) {
    const first = Math.floor((b * n) / points);
    const last = Math.max(first + 1, Math.floor(((b + 1) * n) / points));
    let least = Infinity;
    let most = -Infinity;
    for (let k = first; k < last; ++k) {
      const l = low[k] as number;
      const h = curve.hi[k] as number;
      if (l < least) least = l;
      if (h > most) most = h;
    }
    x[b] = curve.x[first] as number;
    lo[b] = least <= most ? least : NaN;
    hi[b] = least <= most ? most : NaN;
  }
  return { x, lo, hi };
}

/** Value at x, linear between samples; of a bucket the middle. NaN outside. */
export function valueAt(curve: Curve, x: number): number {
  const n = curve.x.length;
  if (n === 0 || x < (curve.x[0] as number) || x > (curve.x[n - 1] as number)) return NaN;
  const at = (k: number): number => {
    const h = curve.hi[k] as number;
    return curve.lo ? 0.5 * (h + (curve.lo[k] as number)) : h;
  };
  const k = lowerBound(curve.x, x);
  const x1 = curve.x[k] as number;
  if (k === 0 || x1 === x) return at(k);
  const x0 = curve.x[k - 1] as number;
  return at(k - 1) + ((at(k) - at(k - 1)) * (x - x0)) / (x1 - x0);
}

/** Least and greatest finite value with x in [from, to], edges interpolated; null without any. */
export function extent(curve: Curve, from: number, to: number, positive = false): [number, number] | null {
  let least = Infinity;
  let most = -Infinity;
  const low = curve.lo ?? curve.hi;
  const take = (l: number, h: number): void => {
    if (Number.isFinite(l) && (!positive || l > 0) && l < least) least = l;
    if (Number.isFinite(h) && (!positive || h > 0) && h > most) most = h;
  };
  const last = lowerBound(curve.x, to);
  for (let k = lowerBound(curve.x, from); k < last; ++k) take(low[k] as number, curve.hi[k] as number);
  if (last < curve.x.length && curve.x[last] === to) take(low[last] as number, curve.hi[last] as number);
  for (const edge of [from, to]) {
    const v = valueAt(curve, edge);
    take(v, v);
  }
  return least <= most ? [least, most] : null;
}

/** Range with some air; of a constant one as wide as its value asks, so that noise of rounding stays flat. */
export function padRange(lo: number, hi: number): [number, number] {
  const size = Math.max(Math.abs(lo), Math.abs(hi));
  const span = hi - lo;
  if (span <= size * 1e-9) {
    const half = size > 0 ? size * 0.1 : 1;
    return [lo - half, hi + half];
  }
  return [lo - span * 0.06, hi + span * 0.06];
}

/** [from, to] scaled by `factor` about `centre`, kept within [least, most] and wider than `narrowest`. */
export function zoomRange(
  range: readonly [number, number],
  centre: number,
  factor: number,
  bounds: readonly [number, number],
  narrowest: number,
): [number, number] {
  const full = bounds[1] - bounds[0];
  const width = Math.min(full, Math.max(narrowest, (range[1] - range[0]) * factor));
  const share = range[1] > range[0] ? (centre - range[0]) / (range[1] - range[0]) : 0.5;
  return shiftInto([centre - share * width, centre + (1 - share) * width], bounds);
}

/** The range moved, not narrowed, into the bounds. */
export function shiftInto(range: readonly [number, number], bounds: readonly [number, number]): [number, number] {
  const width = Math.min(range[1] - range[0], bounds[1] - bounds[0]);
  const from = Math.min(Math.max(range[0], bounds[0]), bounds[1] - width);
  return [from, from + width];
}
