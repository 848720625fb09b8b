// Curves from the source, as coarse as the view allows. Each channel has an overview of the whole run, and one detail
// around the present view, fetched with half a view of margin on either side, so that panning finds data. One
// request is under way at a time for each run; what was wanted meanwhile replaces what was wanted before.

import type { Container, DataSource } from '../api/types';
import type { ChannelBook } from './book';
import { emptyCurve, valueAt, type Curve, type Numbers } from './thin';

export interface Want {
  run: number;
  key: string;
  from: number; // time of the run
  to: number;
  points: number;
}

export interface CurveStore {
  /** What one plot shows now; replaces its last wants. */
  want(owner: object, wants: Want[]): void;
  /** The best known curve for this view, and whether it is every sample. */
  curve(want: Want): Curve;
  /** Value at a time, or null when only the source knows. */
  value(run: number, key: string, t: number): number | null;
  error(run: number, key: string): string | null;
}

interface Entry {
  overview: Curve | null;
  detail: Curve | null;
  from: number;
  to: number;
  density: number; // points per second of the detail
  error: string | null;
  used: number;
}

const overviewPoints = 2000;
const batch = 24;
const keep = 200;

/** Curve k of a data answer. */
export function curveOf(c: Container, k: number): Curve {
  const array = (name: string): Numbers | null => (c.arrays.get(`${name}_${k}`)?.data as Numbers | undefined) ?? null;
  const x = array('t') ?? ((c.arrays.get('t_0')?.data ?? c.arrays.get('t')?.data) as Numbers | undefined);
  const hi = array('hi');
  if (!x || !hi) throw new Error(`channel ${k} is missing in the answer`);
  const lo = array('lo');
  return { x, hi, lo: lo && lo.length === hi.length ? lo : null };
}

export class DataStore implements CurveStore {
  private entries = new Map<string, Entry>();
  private wants = new Map<object, Want[]>();
  private busy = new Set<number>();
  private timer = 0;
  private clock = 0;
  private ended = false;

  constructor(
    private readonly source: DataSource,
    private readonly book: ChannelBook,
    private readonly span: (run: number) => readonly [number, number],
    private readonly changed: () => void,
    private readonly delay = 40,
  ) {}

  want(owner: object, wants: Want[]): void {
    if (wants.length > 0) this.wants.set(owner, wants);
    else this.wants.delete(owner);
    if (this.timer === 0 && !this.ended) this.timer = window.setTimeout(() => this.work(), this.delay);
  }

  curve(want: Want): Curve {
    const e = this.entries.get(id(want));
    if (!e) return emptyCurve;
    e.used = ++this.clock;
    if (e.detail && covers(e, want)) return e.detail;
    return e.overview ?? e.detail ?? emptyCurve;
  }

  value(run: number, key: string, t: number): number | null {
    const e = this.entries.get(`${run} ${key}`);
    if (!e) return null;
    for (const c of [e.overview, e.detail]) {
      if (!c || c.lo || c.x.length === 0) continue;
      if (t >= c.x[0] && t <= c.x[c.x.length - 1]) return valueAt(c, t);
    }
    // Outside of the run there is no value; that need not be asked.
    const [t0, t1] = this.span(run);
    return t < t0 || t > t1 ? NaN : null;
  }

  error(run: number, key: string): string | null {
    return this.entries.get(`${run} ${key}`)?.error ?? null;
  }

  destroy(): void {
    this.ended = true;
    window.clearTimeout(this.timer);
    this.wants.clear();
  }

  private work(): void {
    this.timer = 0;
    const runs = new Set<number>();
    for (const list of this.wants.values()) for (const w of list) runs.add(w.run);
    for (const run of runs) if (!this.busy.has(run)) void this.serve(run);
  }

  /** Fetches for one run until nothing is missing. */
  private async serve(run: number): Promise<void> {
    this.busy.add(run);
    try {
      for (let job = this.nextJob(run); job && !this.ended; job = this.nextJob(run)) {
        await this.fetch(run, job.wants, job.from, job.to, job.points, job.overview);
        if (!this.ended) this.changed();
      }
    } finally {
      this.busy.delete(run);
      this.evict();
    }
  }

  /** The next request: overviews first, then details; channels that want the same interval together. */
  private nextJob(run: number): { wants: Want[]; from: number; to: number; points: number; overview: boolean } | null {
    const blank: Want[] = [];
    let coarse: Want[] = [];
    for (const list of this.wants.values()) {
      for (const w of list) {
        if (w.run !== run || this.book.address(run, w.key) === null) continue;
        const e = this.entries.get(id(w));
        if (!e) {
          if (!blank.some((b) => b.key === w.key)) blank.push(w);
        } else if (!e.error && this.coarse(e, w) && (coarse.length === 0 || same(coarse[0], w))) {
          if (!coarse.some((b) => b.key === w.key)) coarse.push(w);
        }
      }
    }
    const [t0, t1] = this.span(run);
    if (blank.length > 0) return { wants: blank.slice(0, batch), from: t0, to: t1, points: overviewPoints, overview: true };
    if (coarse.length === 0) return null;
    coarse = coarse.slice(0, batch);
    const w = coarse[0];
    const margin = 0.5 * (w.to - w.from);
    return { wants: coarse, from: Math.max(t0, w.from - margin), to: Math.min(t1, w.to + margin), points: 2 * w.points, overview: false };
  }

  private coarse(e: Entry, w: Want): boolean {
    if (!e.overview || e.overview.lo === null) return false;
    if (e.detail && covers(e, w) && (e.detail.lo === null || e.density * (w.to - w.from) >= 0.9 * w.points)) return false;
    const [t0, t1] = this.span(w.run);
    return (overviewPoints / (t1 - t0)) * (w.to - w.from) < 0.9 * w.points;
  }

  private async fetch(run: number, wants: Want[], from: number, to: number, points: number, overview: boolean): Promise<void> {
    const channels = wants.map((w) => this.book.address(run, w.key) as number | string);
    try {
      const answer = await this.source.data(run, channels, from, to, points);
      wants.forEach((w, k) => this.store(w, curveOf(answer, k), from, to, points, overview));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      // One bad channel must not take the others with it: ask each alone.
      if (wants.length > 1) for (const w of wants) await this.fetch(run, [w], from, to, points, overview);
      else this.entry(wants[0]).error = text;
    }
  }

  private store(w: Want, curve: Curve, from: number, to: number, points: number, overview: boolean): void {
    const e = this.entry(w);
    if (overview) {
      e.overview = curve;
      return;
    }
    e.detail = curve;
    e.from = from;
    e.to = to;
    e.density = points / Math.max(1e-12, to - from);
  }

  private entry(w: Want): Entry {
    let e = this.entries.get(id(w));
    if (!e) {
      e = { overview: null, detail: null, from: 0, to: 0, density: 0, error: null, used: ++this.clock };
      this.entries.set(id(w), e);
    }
    return e;
  }

  private evict(): void {
    if (this.entries.size <= keep) return;
    const needed = new Set<string>();
    for (const list of this.wants.values()) for (const w of list) needed.add(id(w));
    const old = [...this.entries].filter(([k]) => !needed.has(k)).sort((a, b) => a[1].used - b[1].used);
    for (const [k] of old.slice(0, this.entries.size - keep)) this.entries.delete(k);
  }
}

const id = (w: { run: number; key: string }): string => `${w.run} ${w.key}`;
const same = (a: Want, b: Want): boolean => a.from === b.from && a.to === b.to && a.points === b.points;
/** The wanted interval lies in the one that was asked for (the curve itself may end with the run before). */
function covers(e: Entry, w: Want): boolean {
  const slack = 1e-9 * (e.to - e.from);
  return w.from >= e.from - slack && w.to <= e.to + slack;
}
