// One channel over another, with a mark at the present time. The curve is the whole run, thinned by its shape.

import type { ChartLine } from './chart';
import { downloadCsv } from './csv';
import { element } from './dom';
import { formatValue, plainError } from './format';
import { axisLabel, unitFits } from './axes';
import { lineDash } from './palette';
import { PlanePlot } from './plane';
import { emptyCurve, type Curve, type Numbers } from './thin';

const mostPoints = 6000;

export class XyPlot extends PlanePlot {
  private curves = new Map<string, { curve: Curve; error: string | null }>();
  private marks: HTMLElement | null = null;
  private shown = '';

  override add(key: string): boolean {
    if (this.spec.x !== undefined) return super.add(key);
    // The first channel of an X-Y plot is its abscissa.
    this.spec.x = key;
    this.refresh();
    this.host.edited();
    return true;
  }

  protected override fits(key: string): boolean {
    const { book } = this.host;
    const units = this.spec.series.map((s) => book.unit(s));
    return units.length === 0 || (unitFits(units, book.unit(key)) && units.includes(book.unit(key)));
  }

  protected compose(): void {
    const { host, spec, chart } = this;
    const lines: ChartLine[] = [];
    const errors = new Map<string, string | null>();
    spec.series.forEach((key, k) => {
      for (const run of this.runsOf(key)) {
        const known = this.fetch(run, key);
        errors.set(key, errors.get(key) ?? known.error);
        if (this.hidden.has(key)) continue;
        lines.push({ curve: known.curve, shift: 0, color: this.color(key), dash: lineDash(k, run !== host.runs[0]), side: 'y', free: true });
      }
    });
    const [t0, t1] = host.full;
    // The overviews serve the mark: values at the cursor come from the store.
    host.store.want(this, this.cursorKeys().flatMap((key) => this.runsOf(key).map((run) => ({ run, key, from: t0, to: t1, points: 200 }))));
    const bounds = this.manual ?? this.bounds(lines, false);
    chart.lines = lines;
    chart.axes = {
      x: bounds.x,
      y: bounds.y,
      y2: null,
      xLabel: spec.x === undefined ? '' : `${host.book.label(spec.x)} ${axisLabel(host.book.unit(spec.x))}`,
      yLabel: axisLabel(host.book.unit(spec.series[0] ?? '')),
      y2Label: '',
      log: false,
    };
    const entries = [
      ...(spec.x === undefined ? [] : [this.entry(spec.x, host.book.unit(spec.x), null, 'x')]),
      ...spec.series.map((key) => this.entry(key, host.book.unit(key), errors.get(key) ?? null)),
    ];
    const state = JSON.stringify(entries);
    if (state === this.shown) return;
    this.shown = state;
    this.legend.set(entries, 'The first channel becomes the abscissa, further ones the curves.');
  }

  private fetch(run: number, key: string): { curve: Curve; error: string | null } {
    const { host, spec } = this;
    const none = { curve: emptyCurve, error: null };
    const x = spec.x === undefined ? null : host.book.address(run, spec.x);
    const y = host.book.address(run, key);
    if (x === null || y === null) return none;
    if (host.live) return { curve: this.liveCurve(spec.x as string, key), error: null };
    const id = `${run} ${spec.x} ${key}`;
    const known = this.curves.get(id);
    if (known) return known;
    this.curves.set(id, none);
    const shift = host.session.shift(run);
    host.session.source.xy(run, x, y, host.full[0] + shift, host.full[1] + shift, mostPoints).then(
      (answer) => {
        const get = (name: string): Numbers => (answer.arrays.get(name)?.data ?? new Float64Array(0)) as Numbers;
        this.curves.set(id, { curve: { x: get('x'), hi: get('y'), lo: null }, error: null });
        this.redraw();
      },
      (error: Error) => {
        this.curves.set(id, { curve: emptyCurve, error: plainError(error) });
        this.redraw();
      },
    );
    return none;
  }

  private liveCurve(x: string, y: string): Curve {
    const want = { run: 0, from: this.host.view[0], to: this.host.view[1], points: 2000 };
    const a = this.host.store.curve({ ...want, key: x });
    const b = this.host.store.curve({ ...want, key: y });
    const middle = (c: Curve): Numbers => (c.lo ? Float64Array.from(c.hi, (h, k) => 0.5 * (h + (c.lo as Numbers)[k])) : c.hi);
    return { x: middle(a), hi: middle(b), lo: null };
  }

  tick(numbers: boolean): void {
    const { host, spec } = this;
    const value = (run: number, key: string): number => {
      const v = host.value(run, key);
      if (numbers) this.legend.setValue(key, run, v === null || Number.isNaN(v.value) ? '–' : formatValue(v.value), v?.exact === true);
      return v?.value ?? NaN;
    };
    this.root.dataset.time = String(host.bus.time);
    if (spec.x === undefined) return;
    const marks: { x: number; y: number; key: string; second: boolean }[] = [];
    const xs = new Map(this.runsOf(spec.x).map((run) => [run, value(run, spec.x as string)]));
    for (const key of spec.series) {
      for (const run of this.runsOf(key)) marks.push({ x: xs.get(run) ?? NaN, y: value(run, key), key, second: run !== host.runs[0] });
    }
    this.place(marks.filter((m) => !this.hidden.has(m.key)));
  }

  private place(marks: readonly { x: number; y: number; key: string; second: boolean }[]): void {
    const { marks: holder, chart } = this;
    if (!holder) return;
    while (holder.childElementCount > marks.length) holder.lastElementChild?.remove();
    while (holder.childElementCount < marks.length) holder.append(element('div', { class: 'mp-mark' }));
    marks.forEach((m, k) => {
      const node = holder.children[k] as HTMLElement;
      const [px, py] = [chart.toPixel(m.x, 'x'), chart.toPixel(m.y, 'y')];
      const { width, height } = chart.area;
      node.hidden = !(px >= 0 && py >= 0 && px <= width && py <= height);
      node.style.transform = `translate(${px}px, ${py}px)`;
      node.style.borderColor = this.color(m.key);
      node.style.background = m.second ? 'transparent' : this.color(m.key);
      node.dataset.x = String(m.x);
      node.dataset.y = String(m.y);
    });
  }

  cursorKeys(): string[] {
    return this.spec.x === undefined ? this.spec.series : [this.spec.x, ...this.spec.series];
  }

  viewChanged(): void {
    if (this.host.live) this.redraw();
  }

  csv(): void {
    void downloadCsv(this.host, this.cursorKeys(), this.host.full, `${this.host.book.label(this.spec.series[0] ?? 'plot')}_xy`);
  }

  protected decorate(over: HTMLElement): void {
    this.marks = element('div', { class: 'mp-marks', 'aria-hidden': 'true' });
    over.append(this.marks);
  }
}
