// What is plotted, as JSON: kept beside the run, restored when it is opened. Read with suspicion, since the file may
// have been edited or belong to another version: what does not fit is left out.

export type Kind = 'time' | 'xy' | 'psd';

export interface PlotSpec {
  kind: Kind;
  height: number; // CSS pixels
  /** Channel paths, or 'e:' and an expression. */
  series: string[];
  /** Abscissa of an X-Y plot. */
  x?: string;
  /** Length of the windows of a PSD, s. */
  window?: number;
  /** Logarithmic axes of a PSD. */
  log?: boolean;
}

export interface Derived {
  name: string;
  expression: string;
  unit: string;
}

export interface Layout {
  version: 1;
  plots: PlotSpec[];
  derived: Derived[];
  overlay: boolean;
}

export const maxPlots = 16;
export const maxSeries = 16;
export const heights = { least: 120, usual: 170, most: 1200 };

const text = (v: unknown, most: number): string | null =>
  typeof v === 'string' && v.length > 0 && v.length <= most ? v : null;
const bounded = (v: unknown, lo: number, hi: number, otherwise: number): number =>
  typeof v === 'number' && Number.isFinite(v) ? Math.min(hi, Math.max(lo, v)) : otherwise;

function readPlot(v: unknown): PlotSpec | null {
  if (typeof v !== 'object' || v === null) return null;
  const o = v as Record<string, unknown>;
  if (o.kind !== 'time' && o.kind !== 'xy' && o.kind !== 'psd') return null;
  const series: string[] = [];
  for (const s of Array.isArray(o.series) ? o.series : []) {
    const key = text(s, 4200);
    if (key !== null && !series.includes(key) && series.length < maxSeries) series.push(key);
  }
  const spec: PlotSpec = { kind: o.kind, height: bounded(o.height, heights.least, heights.most, heights.usual), series };
  if (o.kind === 'xy') {
    const x = text(o.x, 4200);
    if (x !== null) spec.x = x;
  }
  if (o.kind === 'psd') {
    spec.window = bounded(o.window, 0.01, 1000, 2);
    spec.log = o.log !== false;
  }
  return spec;
}

/** The layout in a JSON value, or null when it is none. */
export function readLayout(v: unknown): Layout | null {
  if (typeof v !== 'object' || v === null) return null;
  const o = v as Record<string, unknown>;
  if (o.version !== 1 || !Array.isArray(o.plots)) return null;
  const plots: PlotSpec[] = [];
  for (const p of o.plots.slice(0, maxPlots)) {
    const spec = readPlot(p);
    if (spec) plots.push(spec);
  }
  const derived: Derived[] = [];
  for (const d of Array.isArray(o.derived) ? o.derived.slice(0, 64) : []) {
    const item = (d ?? {}) as Record<string, unknown>;
    const name = text(item.name, 80);
    const expression = text(item.expression, 4096);
    if (name !== null && expression !== null) derived.push({ name, expression, unit: text(item.unit, 20) ?? '' });
  }
  return { version: 1, plots, derived, overlay: o.overlay !== false };
}

export const derivedKey = (d: Derived): string => `e:${d.expression}`;
