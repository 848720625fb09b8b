// Values at the cursor that only the source knows exactly (the curve on the page is thinned): one request at a time
// per run, always for the newest time.

import type { DataSource } from '../api/types';
import type { ChannelBook } from './book';

export class ValuePump {
  private known = new Map<string, { t: number; value: number }>();
  private asked = new Map<number, { keys: string[]; t: number }>();
  private busy = new Set<number>();

  constructor(
    private readonly source: DataSource,
    private readonly book: ChannelBook,
    private readonly changed: () => void,
  ) {}

  ask(run: number, keys: string[], t: number): void {
    if (keys.length === 0) {
      this.asked.delete(run);
      return;
    }
    this.asked.set(run, { keys, t });
    if (!this.busy.has(run)) void this.serve(run);
  }

  /** The last answer, exact when its time is t; null before the first one. */
  value(run: number, key: string, t: number): { value: number; exact: boolean } | null {
    const v = this.known.get(`${run} ${key}`);
    return v ? { value: v.value, exact: v.t === t } : null;
  }

  private async serve(run: number): Promise<void> {
    this.busy.add(run);
    let next = this.asked.get(run);
    while (next) {
      const { t } = next;
      const keys = next.keys.filter((k) => this.book.address(run, k) !== null);
      this.asked.delete(run);
      try {
        const values = await this.source.at(run, keys.map((k) => this.book.address(run, k) as number | string), t);
        keys.forEach((k, i) => this.known.set(`${run} ${k}`, { t, value: values[i] ?? NaN }));
        this.changed();
      } catch {
        // The curve's own request reports what is wrong with a channel.
      }
      next = this.asked.get(run);
    }
    this.busy.delete(run);
  }
}
