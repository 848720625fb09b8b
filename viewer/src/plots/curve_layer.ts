// The curves of a chart on a canvas of their own, over axes and grid. The browser's processor draws it, not its
// graphics: without a GPU that takes a tenth of the time, with one it costs little, and all look the same.

import { lowerBound, type Curve } from './thin';
import { Columns, Way } from './trace';

export type ToPixel = (value: number) => number;

export interface DrawnLine {
  curve: Curve;
  /** Added to x before drawing. */
  shift: number;
  color: string;
  dash: number[]; // CSS pixels
  /** Points in any order of x (X-Y plots): hi is y, every one is joined. */
  free?: boolean;
}

const lineWidth = 1.4; // CSS pixels
/** Up and down in a column on the average, from which a curve is drawn as the area it covers. */
const areaTravel = 8;

export class CurveLayer {
  readonly canvas = document.createElement('canvas');
  private readonly context: CanvasRenderingContext2D;
  /** For tests, what the last picture cost: rectangles of columns, corners of strokes; and how many there were. */
  readonly drawn = { columns: 0, corners: 0 };
  pictures = 0;

  constructor() {
    this.canvas.className = 'mp-curves';
    // The one way to ask for a canvas in memory.
    this.context = this.canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  }

  /** Lays it over the plotting area, given in pixels of the device, and wipes it. */
  begin(left: number, top: number, width: number, height: number): void {
    const { canvas, context } = this;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    } else context.clearRect(0, 0, width, height);
    const css = (v: number): string => `${v / devicePixelRatio}px`;
    Object.assign(canvas.style, { left: css(left), top: css(top), width: css(width), height: css(height) });
    this.drawn.columns = this.drawn.corners = 0;
    ++this.pictures;
  }

  /** Draws a line; `px` and `py` give pixels of this canvas, `range` is what the abscissa shows. */
  line(line: DrawnLine, px: ToPixel, py: ToPixel, range: readonly [number, number]): void {
    const { width } = this.canvas;
    const { x, hi, lo } = line.curve;
    const [begin, end] = line.free ? [0, x.length] : visible(x, range[0] - line.shift, range[1] - line.shift);
    // More than two samples in a column of pixels: its least and greatest say the same.
    const dense = !line.free && end - begin > 2 * width;
    const columns = new Columns(width);
    const way = new Way();
    for (let k = begin; k < end; ++k) {
      const at = px(x[k] + line.shift);
      const high = py(hi[k]);
      const low = lo ? py(lo[k]) : high;
      if (!line.free) columns.add(at, low, high);
      if (!dense) way.add(at, low, high);
    }
    if (dense) columns.each(follow(way));
    const area = way.travel > areaTravel * width;
    // In an area dashes cannot be seen, and cost more than all the rest: it is lighter instead.
    this.context.globalAlpha = area && line.dash.length > 0 ? 0.55 : 1;
    if (area && !line.free) this.fill(columns, line.color);
    else this.stroke(way, line.color, area ? [] : line.dash);
    this.context.globalAlpha = 1;
  }

  private fill(columns: Columns, color: string): void {
    const { context, drawn } = this;
    const thick = lineWidth * devicePixelRatio;
    context.fillStyle = color;
    columns.each((column, top, bottom) => {
      context.fillRect(column, top - thick / 2, 1, bottom - top + thick);
      ++drawn.columns;
    });
  }

  private stroke(way: Way, color: string, dash: readonly number[]): void {
    const { context, drawn } = this;
    context.strokeStyle = color;
    context.lineWidth = lineWidth * devicePixelRatio;
    context.lineJoin = 'round';
    context.setLineDash(dash.map((d) => d * devicePixelRatio));
    context.stroke(way.path);
    drawn.corners += way.corners;
  }
}

/** The way through columns; a column that is missing is a gap. */
function follow(way: Way): (column: number, top: number, bottom: number) => void {
  let last = -1;
  return (column, top, bottom) => {
    if (column !== last + 1) way.lift();
    way.add(column + 0.5, top, bottom);
    last = column;
  };
}

/** Samples within the view, and one more on either side. */
function visible(x: ArrayLike<number>, from: number, to: number): [number, number] {
  return [Math.max(0, lowerBound(x, from) - 1), Math.min(x.length, lowerBound(x, to) + 1)];
}
