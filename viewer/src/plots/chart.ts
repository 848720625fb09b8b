// One drawing area: axes, grid and curves by uPlot, from curves that each have their own abscissa. uPlot aligns all
// series to one x; here it gets two points only and each series draws its own path.

import uPlot from 'uplot';
import { logTicks, niceTicks, tickLabels } from './format';
import { lowerBound, type Curve } from './thin';

export type Side = 'y' | 'y2';

export interface ChartLine {
  curve: Curve;
  /** Added to x before drawing. */
  shift: number;
  color: string;
  dash: number[];
  side: Side;
  /** Points in any order of x (X-Y plots): hi is y, every one is joined. */
  free?: boolean;
}

export interface ChartAxes {
  x: [number, number];
  y: [number, number];
  y2: [number, number] | null;
  xLabel: string;
  yLabel: string;
  y2Label: string;
  log: boolean;
  /** Unit behind the last number of the abscissa, where there is no label. */
  xUnit?: string;
}

export interface ChartColors {
  ink: string;
  grid: string;
  font: string;
}

export class Chart {
  private u: uPlot | null = null;
  private shape = '';
  lines: ChartLine[] = [];
  axes: ChartAxes = { x: [0, 1], y: [0, 1], y2: null, xLabel: '', yLabel: '', y2Label: '', log: false };
  private colors: ChartColors = { ink: '#000', grid: '#ccc', font: '11px sans-serif' };
  private width = 0;
  private height = 0;

  constructor(
    private readonly parent: HTMLElement,
    /** Called with the element over the plotting area whenever it is made anew. */
    private readonly onOver: (over: HTMLElement) => void,
  ) {}

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.u?.setSize({ width, height });
  }

  setColors(colors: ChartColors): void {
    this.colors = colors;
    this.shape = '';
  }

  draw(): void {
    if (this.width < 20 || this.height < 20) return;
    const a = this.axes;
    const shape = [this.lines.length, a.y2 !== null, a.xLabel, a.yLabel, a.y2Label, a.log, ...this.lines.map((l) => l.side)].join('|');
    const data = [a.x, ...this.lines.map(() => [1, 1])] as uPlot.AlignedData;
    if (!this.u || shape !== this.shape) {
      this.u?.destroy();
      this.shape = shape;
      this.u = new uPlot(this.options(), data, this.parent);
      this.onOver(this.u.over);
    } else {
      this.u.setData(data, true);
    }
  }

  /** The plotting area, in CSS pixels. */
  get area(): { width: number; height: number } {
    const box = this.u?.bbox;
    return box ? { width: box.width / devicePixelRatio, height: box.height / devicePixelRatio } : { width: 0, height: 0 };
  }

  toPixel(value: number, scale: 'x' | Side): number {
    return this.u ? this.u.valToPos(value, scale) : NaN;
  }
  toValue(pixel: number, scale: 'x' | Side): number {
    return this.u ? this.u.posToVal(pixel, scale) : NaN;
  }

  destroy(): void {
    this.u?.destroy();
    this.u = null;
  }

  private options(): uPlot.Options {
    const a = this.axes;
    const scale = (range: () => [number, number]): uPlot.Scale => ({ time: false, auto: true, distr: a.log ? 3 : 1, range });
    const scales: uPlot.Scales = { x: scale(() => this.axes.x), y: scale(() => this.axes.y) };
    const axes: uPlot.Axis[] = [this.axis('x', a.xLabel, 2), this.axis('y', a.yLabel, 3)];
    if (a.y2) {
      scales.y2 = scale(() => this.axes.y2 ?? [0, 1]);
      axes.push(this.axis('y2', a.y2Label, 1));
    }
    return {
      width: this.width,
      height: this.height,
      scales,
      axes,
      padding: [8, a.y2 ? null : 20, 0, null],
      legend: { show: false },
      cursor: { show: false },
      series: [
        {},
        ...this.lines.map((_, k): uPlot.Series => ({
          scale: this.lines[k].side,
          auto: false,
          width: lineWidth,
          stroke: () => this.lines[k]?.color ?? '#000',
          fill: () => this.lines[k]?.color ?? '#000',
          dash: this.lines[k].dash,
          points: { show: false },
          paths: (u) => this.path(u, k),
        })),
      ],
    };
  }

  private axis(scale: 'x' | Side, label: string, side: 0 | 1 | 2 | 3): uPlot.Axis {
    const upright = scale !== 'x';
    const log = this.axes.log;
    const font = this.colors.font;
    return {
      scale,
      side,
      stroke: this.colors.ink,
      font,
      labelFont: font,
      label: label || undefined,
      labelSize: upright || label ? 16 : 0,
      labelGap: 0,
      gap: 4,
      // Few widths, so that most plots below one another have the same time at the same place.
      size: upright ? (_u, labels) => Math.max(52, 12 * Math.ceil((12 + 6.4 * longest(labels)) / 12)) : 24,
      grid: { show: scale !== 'y2', stroke: this.colors.grid, width: 1 },
      ticks: { show: true, stroke: this.colors.grid, size: 4, width: 1 },
      splits: (u, _i, lo, hi) => {
        const length = (upright ? u.bbox.height : u.bbox.width) / devicePixelRatio || 100;
        const most = Math.max(2, Math.floor(length / (upright ? 26 : 75)));
        return log ? logTicks(lo, hi, most) : niceTicks(lo, hi, most).ticks;
      },
      filter: (_u, splits) => splits,
      values: (_u, splits) => {
        const labels = log
          ? splits.map((v) => (v >= 0.01 && v < 1e4 ? String(v) : v.toExponential(0).replace('+', '')))
          : tickLabels(splits, splits.length > 1 ? splits[1] - splits[0] : Math.abs(splits[0]) || 1);
        if (!upright && this.axes.xUnit && labels.length > 0) labels[labels.length - 1] += ` ${this.axes.xUnit}`;
        return labels;
      },
    };
  }

  /** Polyline through the samples; through lo and hi of each bucket, which fills the band between them. */
  private path(u: uPlot, index: number): uPlot.Series.Paths | null {
    const line = this.lines[index];
    if (!line || line.curve.x.length === 0) return null;
    const px = affine(u, 'x', this.axes.log);
    const py = affine(u, line.side, this.axes.log);
    const stroke = new Path2D();
    const { x, hi, lo } = line.curve;
    let begin = 0;
    let end = x.length;
    if (!line.free) [begin, end] = visible(x, this.axes.x[0] - line.shift, this.axes.x[1] - line.shift);
    // More than two samples in a column of pixels: its least and greatest say the same.
    const dense = !line.free && end - begin > 2 * u.bbox.width;
    const pen = new Pen(stroke);
    for (let k = begin; k < end; ++k) {
      const H = py(hi[k]);
      pen.add(px(x[k] + line.shift), lo ? py(lo[k]) : H, H, dense);
    }
    pen.lift();
    // Dashes of a line that fills an area cannot be seen, and cost more than all the rest.
    const series = u.series[index + 1];
    const area = pen.travel > 8 * u.bbox.width;
    series.dash = area ? [] : line.dash;
    series.alpha = area && line.dash.length > 0 ? 0.55 : 1;
    // A stroke to and fro in every column takes a renderer without a GPU twenty times as long as the band it fills.
    // Not where the way is made between columns: there it is a line that must keep its width.
    if (area && pen.filled > 0.5 * pen.travel)
      return { stroke: null, fill: pen.band((lineWidth / 2) * devicePixelRatio), clip: null, band: null, flags: 0 };
    return { stroke, fill: null, clip: null, band: null, flags: 0 };
  }
}

const lineWidth = 1.4; // px

/** Joins columns, each from L to H, by one line: the nearer end at the begin of a column, the farther one at its end,
 *  so that a smooth curve stays a line and noise fills its band. */
class Pen {
  travel = 0; // px up and down
  filled = 0; // of these within columns
  private readonly columns: number[] = []; // x, upper, lower end; NaN for a gap
  private down = false;
  private last = NaN;
  private column = NaN;
  private x = 0;
  private lo = 0;
  private hi = 0;

  constructor(private readonly path: Path2D) {}

  add(x: number, L: number, H: number, dense: boolean): void {
    if (!(x - x === 0 && H - H === 0 && L - L === 0)) {
      this.lift();
      return;
    }
    const column = dense ? Math.round(x) : x;
    if (dense && column === this.column) {
      this.lo = Math.max(this.lo, L);
      this.hi = Math.min(this.hi, H);
      return;
    }
    this.flush(column);
    this.column = column;
    this.x = column;
    this.lo = Math.max(L, H);
    this.hi = Math.min(L, H);
  }

  /** A gap follows. */
  lift(): void {
    this.flush(this.x);
    if (this.down) this.columns.push(NaN, NaN, NaN);
    this.down = false;
    this.last = NaN;
  }

  /** The area of all columns, wider by `margin` px up and down. */
  band(margin: number): Path2D {
    const path = new Path2D();
    const c = this.columns;
    for (let begin = 0; begin < c.length; ) {
      let end = begin;
      while (end < c.length && !Number.isNaN(c[end])) end += 3;
      for (let k = begin; k < end; k += 3) path[k === begin ? 'moveTo' : 'lineTo'](c[k], c[k + 1] - margin);
      for (let k = end - 3; k >= begin; k -= 3) path.lineTo(c[k], c[k + 2] + margin);
      path.closePath();
      begin = end + 3;
    }
    return path;
  }

  private flush(end: number): void {
    if (Number.isNaN(this.column)) return;
    const up = Math.abs(this.hi - this.last) < Math.abs(this.lo - this.last);
    const [near, far] = up ? [this.hi, this.lo] : [this.lo, this.hi];
    if (this.down) this.path.lineTo(this.x, near);
    else this.path.moveTo(this.x, near);
    if (near !== far) this.path.lineTo(end, far);
    else if (!this.down) this.path.lineTo(this.x, near);
    if (this.down) this.travel += Math.abs(near - this.last);
    this.travel += Math.abs(far - near);
    this.filled += Math.abs(far - near);
    this.columns.push(this.x, this.hi, this.lo);
    this.last = far;
    this.down = true;
    this.column = NaN;
  }
}

/** Value to canvas pixel of a scale; not finite for what a logarithm cannot take. */
function affine(u: uPlot, key: string, log: boolean): (v: number) => number {
  const s = u.scales[key];
  const f = (v: number): number => (log ? Math.log10(v) : v);
  const lo = s.min as number;
  const hi = s.max as number;
  const p0 = u.valToPos(lo, key, true);
  const slope = (u.valToPos(hi, key, true) - p0) / (f(hi) - f(lo));
  const base = p0 - slope * f(lo);
  // Far outside of the canvas, coordinates lose their precision: bounded, the slope at the border hardly changes.
  return (v) => Math.min(1e7, Math.max(-1e7, base + slope * f(v)));
}

/** Characters of the longest label. */
const longest = (labels: readonly string[] | null): number => Math.max(0, ...(labels ?? []).map((l) => l.length));

/** Samples within the view, and one more on either side. */
function visible(x: ArrayLike<number>, from: number, to: number): [number, number] {
  return [Math.max(0, lowerBound(x, from) - 1), Math.min(x.length, lowerBound(x, to) + 1)];
}
