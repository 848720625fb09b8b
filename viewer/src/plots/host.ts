// What a plot may ask of the panel around it.

import type { Session, TimeBus } from '../api/types';
import type { ChannelBook } from './book';
import type { ChartColors } from './chart';
import type { Plot } from './plot';
import type { CurveStore } from './store';

export interface Host {
  readonly session: Session;
  readonly bus: TimeBus;
  readonly book: ChannelBook;
  readonly store: CurveStore;
  readonly live: boolean;
  readonly dark: boolean;
  readonly colors: ChartColors;
  /** Runs on show: the first, and the second where it is overlaid. */
  readonly runs: readonly number[];
  /** Time interval that all time plots show. */
  readonly view: readonly [number, number];
  readonly full: readonly [number, number];
  readonly narrowest: number;
  setView(range: readonly [number, number] | null): void;
  /** Value at the clock's time, and whether it is that time's exactly; null: not known yet. */
  value(run: number, key: string): { value: number; exact: boolean } | null;
  activate(plot: Plot): void;
  remove(plot: Plot): void;
  /** The user changed what is plotted. */
  edited(): void;
}
