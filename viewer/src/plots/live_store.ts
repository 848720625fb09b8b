// The curves of a live run: what was pushed, nothing to fetch.

import type { ChannelBook } from './book';
import { Rolling } from './rolling';
import type { CurveStore, Want } from './store';
import { emptyCurve, thin, valueAt, type Curve } from './thin';

export class LiveStore implements CurveStore {
  private ring: Rolling;

  constructor(private readonly book: ChannelBook) {
    this.ring = new Rolling(0, 1);
  }

  reset(): void {
    this.ring = new Rolling(this.book.channels(0).length);
  }

  push(t: number, values: ArrayLike<number>): void {
    if (this.ring.channels === 0) this.reset();
    this.ring.push(t, values);
  }

  get first(): number {
    return this.ring.first;
  }
  get last(): number {
    return this.ring.last;
  }

  want(): void {}

  curve(want: Want): Curve {
    const index = this.book.address(0, want.key);
    return typeof index === 'number' ? thin(this.ring.curve(index, want.from), want.points) : emptyCurve;
  }

  value(_run: number, key: string, t: number): number | null {
    const index = this.book.address(0, key);
    return typeof index === 'number' ? valueAt(this.ring.curve(index, t - 1), t) : NaN;
  }

  error(_run: number, key: string): string | null {
    return key.startsWith('e:') ? 'derived channels need a finished run' : null;
  }
}
