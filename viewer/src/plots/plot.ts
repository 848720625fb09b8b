// A plot in the panel: head with its commands, legend, drawing area, lower edge to drag. What is drawn and what
// zooming means belongs to the kinds (time_plot, xy_plot, psd_plot).

import { Chart } from './chart';
import { element, iconButton } from './dom';
import type { Host } from './host';
import { heights, maxSeries, type PlotSpec } from './layout';
import { Legend, type LegendEntry } from './legend';
import { lineColor } from './palette';
import { attachPointer, type PointerActions } from './pointer';

export const kindNames = { time: 'Time', xy: 'X-Y', psd: 'PSD' } as const;

const usage =
  'Arrow keys move the time, with shift the view; plus and minus zoom, 0 shows all, Delete removes the plot. ' +
  'A click sets the time, dragging the cursor line scrubs, dragging elsewhere zooms.';

export abstract class Plot implements PointerActions {
  readonly root: HTMLElement;
  protected readonly chart: Chart;
  protected readonly legend: Legend;
  protected readonly tools = element('span', { class: 'mp-tools' });
  protected readonly hidden = new Set<string>();
  private readonly title = element('span', { class: 'mp-title' });
  private readonly frame = element('div', { class: 'mp-frame' });
  private frameRequest = 0;
  private readonly sight: IntersectionObserver;
  private inSight = true;
  box = false;

  constructor(
    protected readonly host: Host,
    readonly spec: PlotSpec,
  ) {
    this.legend = new Legend({
      remove: (key) => this.drop(key),
      toggle: (key) => this.toggle(key),
      ...(spec.kind === 'xy' ? { makeX: (key: string) => this.makeX(key) } : {}),
    });
    this.chart = new Chart(this.frame, (over) => this.furnish(over));
    this.root = element(
      'section',
      { class: 'mp-plot', tabindex: '0', 'data-kind': spec.kind, 'aria-description': usage, onkeydown: (e: KeyboardEvent) => this.key(e) },
      element(
        'div',
        { class: 'mp-head' },
        this.title,
        this.tools,
        iconButton('⟲', 'reset zoom (0)', () => this.reset()),
        iconButton('CSV', 'download the plotted channels as CSV', () => this.csv(), { class: 'mp-icon mp-word' }),
        iconButton('×', 'remove this plot', () => host.remove(this)),
      ),
      this.legend.root,
      this.frame,
      this.grip(),
    );
    this.root.addEventListener('focusin', () => host.activate(this));
    this.root.addEventListener('pointerdown', () => host.activate(this));
    this.frame.style.height = `${spec.height}px`;
    this.sight = new IntersectionObserver(([entry]) => {
      this.inSight = entry.isIntersecting;
      if (this.inSight) this.redraw();
    });
    this.sight.observe(this.root);
  }

  // ---- what the kinds do ---------------------------------------------------------------------------------------------

  /** Sets axes and lines of the chart from what is known; asks for what is missing. */
  protected abstract compose(): void;
  /** Place of the cursor, and with `numbers` the values of the legend. */
  abstract tick(numbers: boolean): void;
  abstract csv(): void;
  abstract cursorPixel(): number;
  abstract setTime(px: number): void;
  abstract zoom(x: [number, number] | null, y: [number, number] | null): void;
  abstract scale(px: number, py: number, factor: number, upright: boolean): void;
  abstract pan(dx: number, dy: number): void;
  abstract reset(): void;
  /** The element over a new drawing area, for cursor line or marker. */
  protected abstract decorate(over: HTMLElement): void;
  /** Channels whose value at the clock's time is shown. */
  abstract cursorKeys(): string[];
  /** The linked time interval changed. */
  abstract viewChanged(): void;

  // ---- the series ----------------------------------------------------------------------------------------------------

  /** False when the channel does not fit here (a third unit, or too many lines). */
  add(key: string): boolean {
    if (this.spec.series.includes(key)) return true;
    if (this.spec.series.length >= maxSeries || !this.fits(key)) return false;
    this.spec.series.push(key);
    this.refresh();
    this.host.edited();
    return true;
  }

  protected fits(_key: string): boolean {
    return true;
  }

  drop(key: string): void {
    if (this.spec.x === key) delete this.spec.x;
    else this.spec.series = this.spec.series.filter((s) => s !== key);
    this.hidden.delete(key);
    this.refresh();
    this.host.edited();
    this.root.focus();
  }

  private toggle(key: string): void {
    if (!this.hidden.delete(key)) this.hidden.add(key);
    this.refresh();
  }

  private makeX(key: string): void {
    const old = this.spec.x;
    this.spec.series = this.spec.series.map((s) => (s === key ? (old ?? '') : s)).filter((s) => s !== '');
    this.spec.x = key;
    this.refresh();
    this.host.edited();
  }

  color(key: string): string {
    return lineColor(Math.max(0, this.spec.series.indexOf(key)), this.host.dark);
  }

  /** The runs on show that have the channel. */
  protected runsOf(key: string): number[] {
    return this.host.runs.filter((run) => this.host.book.address(run, key) !== null);
  }

  protected entry(key: string, unit: string, error: string | null, role?: string): LegendEntry {
    const runs = this.runsOf(key);
    const missing = runs.length === 0 ? 'this run has no such channel' : null;
    const base = { key, label: this.host.book.label(key), unit, color: this.color(key), runs, error: error ?? missing, hidden: this.hidden.has(key) };
    return role === undefined ? base : { ...base, role };
  }

  // ---- drawing -------------------------------------------------------------------------------------------------------

  /** The set of lines changed. */
  refresh(): void {
    const names = this.spec.series.map((s) => this.host.book.label(s));
    this.title.textContent = this.spec.kind === 'time' ? '' : kindNames[this.spec.kind];
    this.root.setAttribute('aria-label', `${kindNames[this.spec.kind]} plot of ${names.join(', ') || 'nothing yet'}`);
    this.redraw();
  }

  /** Draws with the next frame, however often it is called before; what is scrolled away, when it comes back. */
  redraw(): void {
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    this.frameRequest = 0;
    if (!this.root.isConnected || !this.inSight) return;
    this.chart.resize(this.frame.clientWidth, this.frame.clientHeight);
    this.compose();
    this.chart.draw();
    this.tick(true);
  }

  recolor(): void {
    this.chart.setColors(this.host.colors);
    this.refresh();
  }

  resize(): void {
    this.redraw();
  }

  destroy(): void {
    this.sight.disconnect();
    cancelAnimationFrame(this.frameRequest);
    this.host.store.want(this, []);
    this.chart.destroy();
    this.root.remove();
  }

  activate(): void {
    this.host.activate(this);
  }

  private furnish(over: HTMLElement): void {
    over.classList.add('mp-over');
    attachPointer(over, this);
    this.decorate(over);
  }

  /** The lower edge: drag, or arrow keys, change the height. */
  private grip(): HTMLElement {
    const set = (height: number): void => {
      this.spec.height = Math.round(Math.min(heights.most, Math.max(heights.least, height)));
      this.frame.style.height = `${this.spec.height}px`;
      grip.setAttribute('aria-valuenow', String(this.spec.height));
      this.redraw();
      this.host.edited();
    };
    const grip = element('div', {
      class: 'mp-grip',
      role: 'separator',
      tabindex: '0',
      'aria-orientation': 'horizontal',
      'aria-label': 'height of the plot',
      'aria-valuenow': this.spec.height,
      'aria-valuemin': heights.least,
      'aria-valuemax': heights.most,
    });
    let from: { y: number; height: number } | null = null;
    grip.addEventListener('pointerdown', (e) => {
      from = { y: e.clientY, height: this.spec.height };
      grip.setPointerCapture(e.pointerId);
    });
    grip.addEventListener('pointermove', (e) => {
      if (from) set(from.height + e.clientY - from.y);
    });
    const stop = (): void => {
      from = null;
    };
    grip.addEventListener('pointerup', stop);
    grip.addEventListener('pointercancel', stop);
    grip.addEventListener('keydown', (e) => {
      if (e.key !== 'ArrowUp' && e.key !== 'ArrowDown') return;
      set(this.spec.height + (e.key === 'ArrowDown' ? 20 : -20));
      e.preventDefault();
      e.stopPropagation();
    });
    return grip;
  }

  protected key(e: KeyboardEvent): void {
    if (e.target !== this.root || e.ctrlKey || e.metaKey || e.altKey) return;
    const { width, height } = this.chart.area;
    const middle = this.cursorPixel() >= 0 && this.cursorPixel() <= width ? this.cursorPixel() : width / 2;
    const actions: Record<string, () => void> = {
      '+': () => this.scale(middle, height / 2, 0.7, false),
      '=': () => this.scale(middle, height / 2, 0.7, false),
      '-': () => this.scale(middle, height / 2, 1 / 0.7, false),
      '0': () => this.reset(),
      Delete: () => this.host.remove(this),
    };
    const step = (sign: number): void => {
      if (e.shiftKey) this.pan(-sign * width * 0.1, 0);
      else this.setTime(this.cursorPixel() + sign * Math.max(1, width / 200));
    };
    actions.ArrowLeft = () => step(-1);
    actions.ArrowRight = () => step(1);
    const action = actions[e.key];
    if (!action) return;
    action();
    e.preventDefault();
    e.stopPropagation();
  }
}
