// Channels over time. All time plots show the same interval; zooming asks the source for that interval anew.

import { axisLabel, sides, unitFits } from './axes';
import type { ChartLine, Side } from './chart';
import { downloadCsv } from './csv';
import { element } from './dom';
import { formatValue } from './format';
import { lineDash } from './palette';
import { Plot } from './plot';
import type { Want } from './store';
import { extent, padRange, shiftInto, zoomRange } from './thin';

type Pair = [number, number];

export class TimePlot extends Plot {
  private cursor: HTMLElement | null = null;
  private manual: { y?: Pair; y2?: Pair } = {};
  private shown = '';

  protected override fits(key: string): boolean {
    const { book } = this.host;
    return unitFits(this.spec.series.map((s) => book.unit(s)), book.unit(key));
  }

  protected compose(): void {
    const { host, spec, chart } = this;
    const units = spec.series.map((s) => host.book.unit(s));
    const axes = sides(units);
    const points = Math.round(Math.min(2000, Math.max(200, chart.area.width || this.root.clientWidth)));
    const wants: Want[] = [];
    const lines: ChartLine[] = [];
    spec.series.forEach((key, k) => {
      for (const run of this.runsOf(key)) {
        const shift = host.session.shift(run);
        const want = { run, key, from: host.view[0] + shift, to: host.view[1] + shift, points };
        wants.push(want);
        if (this.hidden.has(key)) continue;
        const curve = host.store.curve(want);
        lines.push({ curve, shift: -shift, color: this.color(key), dash: lineDash(k, run !== host.runs[0]), side: axes.side[k] });
      }
    });
    host.store.want(this, wants);
    chart.lines = lines;
    chart.axes = {
      x: [host.view[0], host.view[1]],
      y: this.manual.y ?? this.range(lines, 'y'),
      y2: axes.right === null ? null : (this.manual.y2 ?? this.range(lines, 'y2')),
      xLabel: '',
      xUnit: 's',
      yLabel: axisLabel(axes.left),
      y2Label: axisLabel(axes.right ?? ''),
      log: false,
    };
    this.showLegend(units);
  }

  private range(lines: readonly ChartLine[], side: Side): Pair {
    let range: Pair | null = null;
    for (const line of lines) {
      if (line.side !== side) continue;
      const e = extent(line.curve, this.host.view[0] - line.shift, this.host.view[1] - line.shift);
      if (e) range = range ? [Math.min(range[0], e[0]), Math.max(range[1], e[1])] : e;
    }
    return range ? padRange(range[0], range[1]) : [0, 1];
  }

  /** Rebuilt only when its rows change: focus inside of it must survive a redraw. */
  private showLegend(units: readonly string[]): void {
    const entries = this.spec.series.map((key, k) =>
      this.entry(key, units[k], this.host.store.error(this.runsOf(key)[0] ?? 0, key)),
    );
    const state = JSON.stringify(entries);
    if (state === this.shown) return;
    this.shown = state;
    this.legend.set(entries, 'Choose channels in the list (Enter), or drag them here.');
  }

  tick(numbers: boolean): void {
    const { bus } = this.host;
    if (this.cursor) {
      const px = this.cursorPixel();
      const inside = px >= -1 && px <= this.chart.area.width + 1;
      this.cursor.hidden = !inside;
      if (inside) this.cursor.style.transform = `translateX(${px}px)`;
    }
    if (!numbers) return;
    for (const key of this.spec.series) {
      for (const run of this.runsOf(key)) {
        const v = this.host.value(run, key);
        this.legend.setValue(key, run, v === null || Number.isNaN(v.value) ? '–' : formatValue(v.value), v?.exact === true);
      }
    }
    this.root.dataset.time = String(bus.time);
  }

  cursorKeys(): string[] {
    return this.spec.series;
  }

  csv(): void {
    void downloadCsv(this.host, this.spec.series, this.host.view, this.host.book.label(this.spec.series[0] ?? 'plot'));
  }

  protected decorate(over: HTMLElement): void {
    this.cursor = element('div', { class: 'mp-cursor', 'aria-hidden': 'true' });
    over.append(this.cursor);
  }

  viewChanged(): void {
    this.redraw();
  }

  cursorPixel(): number {
    return this.chart.toPixel(this.host.bus.time, 'x');
  }

  setTime(px: number): void {
    const t = this.chart.toValue(px, 'x');
    if (!this.host.live) this.host.bus.setTime(t);
  }

  zoom(x: Pair | null, y: Pair | null): void {
    if (y) {
      const at = (side: Side): Pair => [this.chart.toValue(y[1], side), this.chart.toValue(y[0], side)];
      this.manual = this.chart.axes.y2 ? { y: at('y'), y2: at('y2') } : { y: at('y') };
      this.redraw();
    }
    if (x) this.show([this.chart.toValue(x[0], 'x'), this.chart.toValue(x[1], 'x')]);
  }

  scale(px: number, py: number, factor: number, upright: boolean): void {
    const { host, chart } = this;
    if (upright) {
      const about = (range: Pair, side: Side): Pair => {
        const c = chart.toValue(py, side);
        return [c + (range[0] - c) * factor, c + (range[1] - c) * factor];
      };
      const { y, y2 } = chart.axes;
      this.manual = y2 ? { y: about(y, 'y'), y2: about(y2, 'y2') } : { y: about(y, 'y') };
      this.redraw();
      return;
    }
    host.setView(zoomRange(host.view, chart.toValue(px, 'x'), factor, host.full, host.narrowest));
  }

  pan(dx: number, dy: number): void {
    const { host, chart } = this;
    const { width, height } = chart.area;
    if (width <= 0) return;
    const dt = (-dx / width) * (host.view[1] - host.view[0]);
    if (dt !== 0) host.setView(shiftInto([host.view[0] + dt, host.view[1] + dt], host.full));
    if (dy !== 0 && this.manual.y) {
      const move = (r: Pair): Pair => [r[0] + (dy / height) * (r[1] - r[0]), r[1] + (dy / height) * (r[1] - r[0])];
      this.manual = this.manual.y2 ? { y: move(this.manual.y), y2: move(this.manual.y2) } : { y: move(this.manual.y) };
      this.redraw();
    }
  }

  reset(): void {
    this.manual = {};
    this.redraw();
    this.host.setView(null);
  }

  private show(range: Pair): void {
    const { host } = this;
    host.setView(zoomRange(range, 0.5 * (range[0] + range[1]), 1, host.full, host.narrowest));
  }
}
