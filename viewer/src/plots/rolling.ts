// The last seconds of a live run, all channels, in a ring that never grows.

import type { Curve } from './thin';

export class Rolling {
  private readonly time: Float64Array;
  private readonly data: Float32Array; // channel by channel, so that a curve is one or two runs of memory
  private next = 0;
  private filled = 0;

  constructor(
    readonly channels: number,
    readonly capacity = 4096,
  ) {
    this.time = new Float64Array(capacity);
    this.data = new Float32Array(capacity * channels);
  }

  get count(): number {
    return this.filled;
  }
  get last(): number {
    return this.filled > 0 ? this.time[(this.next + this.capacity - 1) % this.capacity] : NaN;
  }
  get first(): number {
    return this.filled > 0 ? this.time[(this.next + this.capacity - this.filled) % this.capacity] : NaN;
  }

  /** A time before the last one means that the run was reset: the old rows go. The same time again is ignored. */
  push(t: number, values: ArrayLike<number>): void {
    if (this.filled > 0 && t === this.last) return;
    if (this.filled > 0 && t < this.last) this.filled = 0;
    this.time[this.next] = t;
    const n = Math.min(this.channels, values.length);
    for (let k = 0; k < n; ++k) this.data[k * this.capacity + this.next] = values[k];
    this.next = (this.next + 1) % this.capacity;
    this.filled = Math.min(this.capacity, this.filled + 1);
  }

  /** A copy of one channel from time `from` on. */
  curve(channel: number, from: number): Curve {
    let begin = 0;
    let end = this.filled;
    const at = (k: number): number => (this.next + this.capacity - this.filled + k) % this.capacity;
    while (begin < end) {
      const mid = (begin + end) >> 1;
      if (this.time[at(mid)] < from) begin = mid + 1;
      else end = mid;
    }
    const skip = Math.max(0, begin - 1);
    const n = this.filled - skip;
    const x = new Float64Array(n);
    const hi = new Float64Array(n);
    for (let k = 0; k < n; ++k) {
      const i = at(skip + k);
      x[k] = this.time[i];
      hi[k] = this.data[channel * this.capacity + i];
    }
    return { x, hi, lo: null };
  }
}
