// Plots that are not over time (X-Y, PSD): both axes zoom freely, from ranges of their own.

import { Plot } from './plot';
import type { ChartLine } from './chart';
import { padRange } from './thin';

type Pair = [number, number];

export abstract class PlanePlot extends Plot {
  protected manual: { x: Pair; y: Pair } | null = null;
  override box = true;

  /** Least and greatest finite coordinates of all lines; positive ones only where axes are logarithmic. */
  protected bounds(lines: readonly ChartLine[], log: boolean): { x: Pair; y: Pair } {
    const x: Pair = [Infinity, -Infinity];
    const y: Pair = [Infinity, -Infinity];
    const take = (r: Pair, v: number): void => {
      if (!Number.isFinite(v) || (log && v <= 0)) return;
      if (v < r[0]) r[0] = v;
      if (v > r[1]) r[1] = v;
    };
    for (const { curve } of lines) {
      for (let k = 0; k < curve.x.length; ++k) {
        if (log && curve.x[k] <= 0) continue;
        take(x, curve.x[k]);
        take(y, curve.hi[k]);
      }
    }
    const finish = (r: Pair): Pair => {
      if (r[0] > r[1]) return log ? [0.1, 10] : [0, 1];
      if (!log) return padRange(r[0], r[1]);
      return r[1] > r[0] ? [r[0], r[1]] : [r[0] / 2, r[1] * 2];
    };
    // Twelve decades below the peak is rounding, not signal.
    if (log && y[0] < y[1] * 1e-12) y[0] = y[1] * 1e-12;
    return { x: finish(x), y: finish(y) };
  }

  zoom(x: Pair | null, y: Pair | null): void {
    const { chart } = this;
    this.manual = {
      x: x ? [chart.toValue(x[0], 'x'), chart.toValue(x[1], 'x')] : chart.axes.x,
      y: y ? [chart.toValue(y[1], 'y'), chart.toValue(y[0], 'y')] : chart.axes.y,
    };
    this.redraw();
  }

  scale(px: number, py: number, factor: number): void {
    const { width, height } = this.chart.area;
    const along = (p: number, length: number): Pair => [p * (1 - factor), p + (length - p) * factor];
    this.zoom(along(px, width), along(py, height));
  }

  pan(dx: number, dy: number): void {
    const { width, height } = this.chart.area;
    this.zoom([-dx, width - dx], [-dy, height - dy]);
  }

  reset(): void {
    this.manual = null;
    this.redraw();
  }

  cursorPixel(): number {
    return NaN;
  }
  setTime(): void {}
}
