// One drawing area: axes and grid by uPlot, over them the curves, each with its own abscissa. uPlot aligns all series to
// one x; here it gets one series of two points for each scale, and draws none of them.

import uPlot from 'uplot';
import { CurveLayer, type DrawnLine, type ToPixel } from './curve_layer';
import { logTicks, niceTicks, tickLabels } from './format';

export type Side = 'y' | 'y2';

export interface ChartLine extends DrawnLine {
  side: Side;
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
  readonly layer = new CurveLayer();
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
    const shape = [a.y2 !== null, a.xLabel, a.yLabel, a.y2Label, a.log].join('|');
    const data = [a.x, ...this.sides.map(() => [1, 1])] as uPlot.AlignedData;
    if (!this.u || shape !== this.shape) {
      this.u?.destroy();
      this.shape = shape;
      this.u = new uPlot(this.options(), data, this.parent);
      this.u.over.before(this.layer.canvas);
      this.onOver(this.u.over);
    } else {
      this.u.setData(data, true);
    }
  }

  private get sides(): Side[] {
    return this.axes.y2 ? ['y', 'y2'] : ['y'];
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
      series: [{}, ...this.sides.map((side): uPlot.Series => ({ scale: side, auto: false, points: { show: false }, paths: () => null }))],
      hooks: { draw: [(u) => this.curves(u)] },
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

  private curves(u: uPlot): void {
    const { layer, axes } = this;
    const { left, top, width, height } = u.bbox;
    layer.begin(left, top, Math.round(width), Math.round(height));
    const px = affine(u, 'x', axes.log, left);
    for (const line of this.lines) layer.line(line, px, affine(u, line.side, axes.log, top), axes.x);
  }
}

/** Value to pixel of a scale, counted from `origin`; not finite for what a logarithm cannot take. */
function affine(u: uPlot, key: string, log: boolean, origin: number): ToPixel {
  const s = u.scales[key];
  const f = (v: number): number => (log ? Math.log10(v) : v);
  const lo = s.min as number;
  const hi = s.max as number;
  const p0 = u.valToPos(lo, key, true) - origin;
  const slope = (u.valToPos(hi, key, true) - origin - p0) / (f(hi) - f(lo));
  const base = p0 - slope * f(lo);
  // Far outside of the canvas, coordinates lose their precision: bounded, the slope at the border hardly changes.
  return (v) => Math.min(1e7, Math.max(-1e7, base + slope * f(v)));
}

/** Characters of the longest label. */
const longest = (labels: readonly string[] | null): number => Math.max(0, ...(labels ?? []).map((l) => l.length));
