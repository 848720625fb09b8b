// Motion of a recorded run: a thinned overview of the whole at once, blocks of all rows when they are looked at.
import { needArray } from '../api/container';
import type { DataSource, MotionSource, SceneInfo } from '../api/types';
import { interpolateRow } from './kinematics';

interface Block {
  first: number; // row of the file
  stride: number;
  time: Float64Array;
  x: Float32Array;
  arrows: Float32Array;
  used: number;
}

const overviewRows = 1500;
const blockBytes = 1 << 20;
const keptBytes = 96 << 20;

/// Last index i with time[i] <= t, at least 0 and at most n - 2.
export function bracket(time: Float64Array, t: number): number {
  let lo = 0, hi = time.length - 1;
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1;
    if (time[mid] <= t) lo = mid;
    else hi = mid;
  }
  return lo;
}

export class MotionStore implements MotionSource {
  t0 = 0;
  t1 = 0;
  fetches = 0; // for tests
  private coarse: Block | null = null;
  private blocks = new Map<number, Block>();
  private pending = new Set<number>();
  private failed = new Set<number>();
  private readonly blockRows: number;
  private clock = 0;
  private tell: () => void = () => {};
  private lastTime = 0;

  constructor(
    private readonly source: DataSource, private readonly run: number, private readonly scene: SceneInfo,
    readonly rows: number,
  ) {
    const bytes = 4 * (scene.row + scene.arrows) + 8;
    this.blockRows = Math.max(32, Math.min(4096, Math.floor(blockBytes / bytes)));
  }

  onData(listener: () => void): void {
    this.tell = listener;
  }

  /// Resolves when any time can be shown, if coarsely.
  async open(): Promise<void> {
    if (this.rows === 0) return;
    const bytes = 4 * (this.scene.row + this.scene.arrows) + 8;
    const most = Math.max(2, Math.min(overviewRows, Math.floor((6 << 20) / bytes)));
    // One row too few would lose the end of the run: it is asked for alone.
    const stride = Math.max(1, Math.ceil(this.rows / most));
    const [body, end] = await Promise.all([
      this.load(0, Math.ceil(this.rows / stride), stride),
      stride > 1 ? this.load(this.rows - 1, 1, 1) : Promise.resolve(null),
    ]);
    this.coarse = end && end.time[0] > body.time[body.time.length - 1] ? join(body, end) : body;
    this.t0 = this.coarse.time[0];
    this.t1 = this.coarse.time[this.coarse.time.length - 1];
  }

  private async load(first: number, count: number, stride: number): Promise<Block> {
    ++this.fetches;
    const c = await this.source.motion(this.run, first, count, stride);
    return {
      first,
      stride,
      time: needArray(c, 'time').data as Float64Array,
      x: needArray(c, 'x').data as Float32Array,
      arrows: (c.arrays.get('arrows')?.data as Float32Array) ?? new Float32Array(0),
      used: 0,
    };
  }

  overview(): { time: Float64Array; x: Float32Array; rows: number } | null {
    const c = this.coarse;
    return c && { time: c.time, x: c.x, rows: c.time.length };
  }

  at(t: number, x: Float64Array, arrows: Float64Array): boolean {
    const coarse = this.coarse;
    if (!coarse) return false;
    if (coarse.time.length === 1) {
      this.copy(coarse, 0, x, arrows);
      return true;
    }
    let block = coarse, i = bracket(coarse.time, t);
    if (coarse.stride > 1) {
      const first = i * coarse.stride;
      const fine = this.fine(first, t);
      if (fine) {
        block = fine;
        i = bracket(fine.time, t);
      }
      const ahead = t >= this.lastTime ? 1 : -1;
      this.want(Math.floor(first / this.blockRows) + ahead);
      this.lastTime = t;
    }
    if (block.time.length === 1) {
      this.copy(block, 0, x, arrows);
      return true;
    }
    const a = block.time[i], b = block.time[i + 1];
    const f = Math.min(1, Math.max(0, b > a ? (t - a) / (b - a) : 0));
    interpolateRow(this.scene, block.x, i * this.scene.row, block.x, (i + 1) * this.scene.row, f, x);
    const n = this.scene.arrows;
    if (block.arrows.length >= (i + 2) * n)
      for (let k = 0, at = i * n; k < n; ++k, ++at)
        arrows[k] = block.arrows[at] + f * (block.arrows[at + n] - block.arrows[at]);
    return true;
  }

  private copy(block: Block, i: number, x: Float64Array, arrows: Float64Array): void {
    for (let k = 0; k < this.scene.row; ++k) x[k] = block.x[i * this.scene.row + k];
    for (let k = 0; k < this.scene.arrows; ++k) arrows[k] = block.arrows[i * this.scene.arrows + k] ?? 0;
  }

  /// The block whose rows enclose t, if it is here; asks for it otherwise. `row` is at most one stride before.
  private fine(row: number, t: number): Block | null {
    const last = Math.min(row + this.coarse!.stride, this.rows - 1);
    for (let b = Math.floor(row / this.blockRows); b <= Math.floor(last / this.blockRows); ++b) {
      const block = this.want(b);
      if (block && block.time[0] <= t && t <= block.time[block.time.length - 1]) return block;
    }
    return null;
  }

  private want(b: number): Block | null {
    if (b < 0 || b * this.blockRows >= this.rows) return null;
    const have = this.blocks.get(b);
    if (have) {
      have.used = ++this.clock;
      return have;
    }
    if (this.pending.has(b) || this.failed.has(b) || this.pending.size >= 4) return null;
    this.pending.add(b);
    // One row more, so that neighbouring blocks leave no gap between them.
    const first = b * this.blockRows, count = Math.min(this.blockRows + 1, this.rows - first);
    this.load(first, count, 1)
      .then((block) => {
        block.used = ++this.clock;
        this.blocks.set(b, block);
        this.forget();
        this.tell();
      })
      .catch(() => this.failed.add(b))
      .finally(() => this.pending.delete(b));
    return null;
  }

  private forget(): void {
    const bytes = this.blockRows * 4 * (this.scene.row + this.scene.arrows);
    while (this.blocks.size > 4 && this.blocks.size * bytes > keptBytes) {
      let oldest = -1, used = Infinity;
      for (const [b, block] of this.blocks)
        if (block.used < used) {
          used = block.used;
          oldest = b;
        }
      this.blocks.delete(oldest);
    }
  }

  /// Times of the rows beside t: for single steps.
  neighbour(t: number, direction: number): number {
    const coarse = this.coarse;
    if (!coarse || coarse.time.length < 2) return t;
    let block: Block | null = coarse;
    if (coarse.stride > 1) block = this.fine(bracket(coarse.time, t) * coarse.stride, t) ?? coarse;
    const time = block.time, eps = 1e-9 * Math.max(1, Math.abs(t));
    let i = bracket(time, t);
    if (direction > 0) {
      while (i < time.length - 1 && time[i] <= t + eps) ++i;
      return time[i];
    }
    if (time[i + 1] < t - eps) ++i;
    while (i > 0 && time[i] >= t - eps) --i;
    return time[i];
  }
}

function join(a: Block, b: Block): Block {
  const cat = <T extends Float32Array | Float64Array>(u: T, v: T): T => {
    const out = new (u.constructor as new (n: number) => T)(u.length + v.length);
    out.set(u);
    out.set(v, u.length);
    return out;
  };
  return { ...a, time: cat(a.time, b.time), x: cat(a.x, b.x), arrows: cat(a.arrows, b.arrows) };
}
