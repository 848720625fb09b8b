// The panel: channels on the left, plots below one another on the right. Holds what the plots share: the interval of
// time, the curves, the values at the cursor, the layout.

import type { ChannelInfo, PlotsHandle, Session, TimeBus } from '../api/types';
import { makeBar } from './bar';
import { ChannelBook } from './book';
import type { ChartColors } from './chart';
import { defaultPlots } from './defaults';
import { element } from './dom';
import { Editor } from './editor';
import { plainError } from './format';
import type { Host } from './host';
import { derivedKey, heights, maxPlots, readLayout, type Derived, type Kind, type Layout, type PlotSpec } from './layout';
import { LiveStore } from './live_store';
import type { Plot } from './plot';
import { PsdPlot } from './psd_plot';
import { DataStore } from './store';
import { shiftInto } from './thin';
import { TimePlot } from './time_plot';
import { dragType, TreeView } from './tree_view';
import { ValuePump } from './values';
import { XyPlot } from './xy_plot';

const liveSpan = { least: 4, most: 20 }; // s; grows with what is known, so that plots are not empty at first
const saveDelay = 800; // ms
const narrow = 560; // px

export class Panel implements Host, PlotsHandle {
  readonly book = new ChannelBook();
  readonly live: boolean;
  readonly store: DataStore | LiveStore;
  colors: ChartColors = { ink: '#222', grid: '#ddd', font: '11px sans-serif' };
  private readonly pump: ValuePump;
  private readonly root: HTMLElement;
  private readonly stack = element('div', { class: 'mp-stack' });
  private readonly overlayBox = element('input', { type: 'checkbox' });
  private foldButton!: HTMLButtonElement;
  private resetButton!: HTMLButtonElement;
  private readonly tree: TreeView;
  private readonly editor: Editor;
  private plots: Plot[] = [];
  private active: Plot | null = null;
  private zoomed: readonly [number, number] | null = null;
  private overlay = true;
  private saveTimer = 0;
  private liveFrame = 0;
  private ready = false;
  private sized = false;
  private readonly ends: (() => void)[] = [];

  constructor(
    parent: HTMLElement,
    readonly session: Session,
    readonly bus: TimeBus,
  ) {
    this.live = session.info.mode === 'live';
    this.store = this.live
      ? new LiveStore(this.book)
      : new DataStore(session.source, this.book, (run) => this.spanOf(run), (run) => this.stepOf(run), () => this.redraw(), 40, session.source.embedded ? 20000 : 2000);
    this.pump = new ValuePump(session.source, this.book, () => this.tick());
    this.tree = new TreeView({ add: (paths) => this.addAll(paths), edit: (path) => this.editDerived(path) });
    this.editor = new Editor({
      check: async (expression) => (await session.source.at(0, [`e:${expression}`], bus.time + session.shift(0)))[0] ?? NaN,
      channels: () => this.book.channels(0).map((c) => c.path),
      save: (derived, before) => this.saveDerived(derived, before),
      remove: (derived) => this.removeDerived(derived),
      closed: () => this.active?.root.focus(),
    });
    this.root = element('div', { class: 'mp-panel' }, this.toolbar(), this.editor.root, element('div', { class: 'mp-body' }, this.tree.root, this.stack));
    parent.replaceChildren(this.root);
    this.dropTarget();
    this.readColors();
    this.ends.push(bus.subscribe(() => this.clockChanged()));
    this.ends.push(session.on('theme', () => this.themeChanged()));
    this.ends.push(session.on('runs', () => this.redraw()));
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.root);
    this.ends.push(() => observer.disconnect());
    void this.open();
  }

  // ---- what plots ask ------------------------------------------------------------------------------------------------

  get dark(): boolean {
    return this.session.theme === 'dark';
  }
  get full(): readonly [number, number] {
    if (this.live) {
      const store = this.store as LiveStore;
      const last = Number.isFinite(store.last) ? store.last : 0;
      const known = last - (Number.isFinite(store.first) ? store.first : last);
      return [last - Math.min(liveSpan.most, Math.max(liveSpan.least, known)), last];
    }
    return [this.bus.t0, Math.max(this.bus.t1, this.bus.t0 + 1e-9)];
  }
  get view(): readonly [number, number] {
    return this.zoomed ?? this.full;
  }
  get narrowest(): number {
    return Math.max(1e-6, 4 * this.stepOf(this.session.info.runs[0]?.id ?? 0));
  }
  get runs(): readonly number[] {
    if (this.live) return [0];
    const ids = this.session.info.runs.map((r) => r.id).slice(0, 2);
    return this.overlay ? ids : ids.slice(0, 1);
  }

  setView(range: readonly [number, number] | null): void {
    const [t0, t1] = this.full;
    // A live plot always ends now; zooming would only freeze it.
    const whole = this.live || range === null || (range[0] <= t0 && range[1] >= t1);
    this.zoomed = whole ? null : range;
    this.resetButton.disabled = this.zoomed === null;
    for (const p of this.plots) p.viewChanged();
  }

  value(run: number, key: string): { value: number; exact: boolean } | null {
    const t = this.runTime(run);
    const own = this.store.value(run, key, t);
    if (own !== null) return { value: own, exact: true };
    const asked = this.pump.value(run, key, t);
    // What an exported page has thinned, it knows only roughly.
    return asked && { ...asked, exact: asked.exact && !this.session.source.embedded };
  }

  activate(plot: Plot): void {
    if (this.active === plot) return;
    this.active?.root.classList.remove('mp-chosen');
    this.active = plot;
    plot.root.classList.add('mp-chosen');
  }

  remove(plot: Plot): void {
    const at = this.plots.indexOf(plot);
    if (at < 0) return;
    this.plots.splice(at, 1);
    plot.destroy();
    if (this.active === plot) {
      this.active = null;
      const next = this.plots[Math.min(at, this.plots.length - 1)];
      if (next) {
        this.activate(next);
        next.root.focus();
      } else this.tree.input.focus();
    }
    this.edited();
  }

  edited(): void {
    this.updateStack();
    if (!this.ready || this.live || this.session.info.readonly || this.session.source.embedded) return;
    window.clearTimeout(this.saveTimer);
    this.saveTimer = window.setTimeout(() => void this.save(), saveDelay);
  }

  // ---- handle of the shell -------------------------------------------------------------------------------------------

  resize(): void {
    const width = this.root.clientWidth;
    if (width === 0) return;
    // On a phone the channels would hide the plots; later it is the user's choice.
    if (!this.sized) this.fold(width < narrow || this.live);
    this.sized = true;
    this.root.classList.toggle('mp-narrow', width < narrow);
    for (const p of this.plots) p.resize();
  }

  layout(): Layout {
    return { version: 1, plots: this.plots.map((p) => p.spec), derived: this.book.derived, overlay: this.overlay };
  }

  /** Live runs: the channels of the rows that push() will bring. */
  setChannels(channels: ChannelInfo[]): void {
    this.book.setRun(0, channels);
    if (this.store instanceof LiveStore) this.store.reset();
    this.showChannels();
    this.ready = true;
    if (this.plots.length === 0) this.apply({ version: 1, plots: defaultPlots(channels), derived: [], overlay: false });
    else for (const p of this.plots) p.refresh();
  }

  push(t: number, values: ArrayLike<number>): void {
    if (!(this.store instanceof LiveStore)) return;
    this.store.push(t, values);
    // Ten times a second is enough for a curve to move; the page has the 3D view to draw as well.
    if (this.liveFrame !== 0) return;
    this.liveFrame = window.setTimeout(() => {
      this.liveFrame = 0;
      this.redraw();
    }, 100);
  }

  destroy(): void {
    for (const end of this.ends) end();
    window.clearTimeout(this.saveTimer);
    window.clearTimeout(this.liveFrame);
    for (const p of this.plots) p.destroy();
    if (this.store instanceof DataStore) this.store.destroy();
    this.root.remove();
  }

  // ---- opening, saving -----------------------------------------------------------------------------------------------

  private async open(): Promise<void> {
    const { source, info } = this.session;
    if (this.live) return; // setChannels() tells them
    try {
      const runs = info.runs.map((r) => r.id).slice(0, 2);
      const lists = await Promise.all(runs.map((run) => source.channels(run)));
      lists.forEach((list, k) => this.book.setRun(runs[k], list));
    } catch (error) {
      this.session.notify(`Channels cannot be read: ${plainError(error)}`, 'error');
      return;
    }
    const kept = await source.layout(0).then(readLayout, () => null);
    this.apply(kept && kept.plots.length > 0 ? kept : { version: 1, plots: defaultPlots(this.book.channels(0)), derived: kept?.derived ?? [], overlay: true });
    this.ready = true;
  }

  private apply(layout: Layout): void {
    for (const p of this.plots) p.destroy();
    this.plots = [];
    this.active = null;
    this.book.derived = layout.derived;
    this.overlay = layout.overlay;
    this.overlayBox.checked = layout.overlay;
    this.showChannels();
    for (const spec of layout.plots) this.make({ ...spec, series: [...spec.series] });
    if (this.plots[0]) this.activate(this.plots[0]);
    this.updateStack();
  }

  private async save(): Promise<void> {
    try {
      await this.session.source.saveLayout(0, this.layout());
    } catch (error) {
      this.session.notify(`The layout is not saved: ${plainError(error)}`, 'error');
    }
  }

  // ---- plots ---------------------------------------------------------------------------------------------------------

  private make(spec: PlotSpec): Plot {
    const plot = spec.kind === 'time' ? new TimePlot(this, spec) : spec.kind === 'xy' ? new XyPlot(this, spec) : new PsdPlot(this, spec);
    this.plots.push(plot);
    this.stack.append(plot.root);
    plot.recolor();
    return plot;
  }

  private create(kind: Kind): Plot | null {
    if (this.plots.length >= maxPlots) {
      this.session.notify(`There are ${maxPlots} plots already; remove one first.`);
      return null;
    }
    const plot = this.make({ kind, height: heights.usual, series: [] });
    this.activate(plot);
    plot.root.scrollIntoView({ block: 'nearest' });
    this.edited();
    return plot;
  }

  /** To the active plot; where the unit finds no axis, to a plot of their own. */
  private addAll(keys: readonly string[]): void {
    for (const key of keys) {
      const plot = this.active ?? this.create('time');
      if (plot?.add(key)) continue;
      this.create('time')?.add(key);
    }
    this.active?.root.scrollIntoView({ block: 'nearest' });
  }

  private dropTarget(): void {
    const over = (e: DragEvent): void => {
      if (!e.dataTransfer?.types.includes(dragType)) return;
      e.preventDefault();
      e.dataTransfer.dropEffect = 'copy';
      const target = this.plotAt(e.target);
      for (const p of this.plots) p.root.classList.toggle('mp-drop', p === target);
    };
    const leave = (): void => {
      for (const p of this.plots) p.root.classList.remove('mp-drop');
    };
    this.stack.addEventListener('dragover', over);
    this.stack.addEventListener('dragleave', leave);
    this.stack.addEventListener('drop', (e) => {
      leave();
      const text = e.dataTransfer?.getData(dragType);
      if (!text) return;
      e.preventDefault();
      const target = this.plotAt(e.target) ?? this.create('time');
      if (target) this.activate(target);
      this.addAll(JSON.parse(text) as string[]);
    });
  }

  private plotAt(target: EventTarget | null): Plot | null {
    return this.plots.find((p) => target instanceof Node && p.root.contains(target)) ?? null;
  }

  // ---- derived channels ----------------------------------------------------------------------------------------------

  private editDerived(path: string): void {
    const found = this.book.derived.find((d) => derivedKey(d) === path);
    if (found) this.editor.open(found);
  }

  private saveDerived(derived: Derived, before: Derived | null): void {
    const others = this.book.derived.filter((d) => d !== before && derivedKey(d) !== derivedKey(derived));
    this.book.derived = [...others, derived];
    this.showChannels();
    const old = before ? derivedKey(before) : null;
    let shown = false;
    for (const p of this.plots) {
      if (old === null || !p.cursorKeys().concat(p.spec.series).includes(old)) continue;
      p.spec.series = p.spec.series.map((s) => (s === old ? derivedKey(derived) : s));
      if (p.spec.x === old) p.spec.x = derivedKey(derived);
      shown = true;
      p.refresh();
    }
    if (!shown) this.addAll([derivedKey(derived)]);
    this.edited();
  }

  private removeDerived(derived: Derived): void {
    this.book.derived = this.book.derived.filter((d) => d !== derived);
    this.showChannels();
    for (const p of this.plots) {
      const key = derivedKey(derived);
      if (p.spec.series.includes(key) || p.spec.x === key) p.drop(key);
    }
    this.edited();
  }

  // ---- time and looks ------------------------------------------------------------------------------------------------

  private runTime(run: number): number {
    return this.bus.time + (this.live ? 0 : this.session.shift(run));
  }

  private spanOf(run: number): readonly [number, number] {
    const r = this.session.info.runs.find((i) => i.id === run);
    return r ? [r.t0, r.t1] : this.full;
  }

  private stepOf(run: number): number {
    const r = this.session.info.runs.find((i) => i.id === run);
    return r && r.rows > 1 ? (r.t1 - r.t0) / (r.rows - 1) : 0;
  }

  private lastRange = '';
  private lastNumbers = 0;

  private clockChanged(): void {
    const range = `${this.bus.t0} ${this.bus.t1}`;
    if (range !== this.lastRange && !this.live) {
      this.lastRange = range;
      this.setView(null);
    }
    // Playing past the end of a zoomed view turns the page.
    if (this.zoomed && this.bus.playing && (this.bus.time < this.zoomed[0] || this.bus.time > this.zoomed[1])) {
      const width = this.zoomed[1] - this.zoomed[0];
      this.setView(shiftInto([this.bus.time - 0.05 * width, this.bus.time + 0.95 * width], this.full));
    }
    // While playing, cursors move with every picture, numbers as often as one can read them.
    const now = performance.now();
    const numbers = !this.bus.playing || this.live || now - this.lastNumbers >= 120;
    if (numbers) {
      this.lastNumbers = now;
      this.askValues();
    }
    this.tick(numbers);
  }

  private askValues(): void {
    if (this.live || !this.ready) return;
    for (const run of this.runs) {
      const keys = new Set<string>();
      const t = this.runTime(run);
      for (const p of this.plots)
        for (const key of p.cursorKeys())
          if (this.book.address(run, key) !== null && this.store.error(run, key) === null && this.store.value(run, key, t) === null) keys.add(key);
      this.pump.ask(run, [...keys], t);
    }
  }

  private tick(numbers = true): void {
    for (const p of this.plots) p.tick(numbers);
  }

  private redraw(): void {
    this.askValues();
    for (const p of this.plots) p.redraw();
  }

  private themeChanged(): void {
    this.readColors();
    for (const p of this.plots) p.recolor();
  }

  private readColors(): void {
    const style = getComputedStyle(this.root);
    const get = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
    this.colors = { ink: get('--mp-ink', '#333'), grid: get('--mp-grid', '#ddd'), font: `11px ${style.fontFamily || 'sans-serif'}` };
  }

  private showChannels(): void {
    const derived = this.book.derived.map((d) => ({ path: derivedKey(d), unit: d.unit }));
    const own = this.book.channels(0).filter((c) => !derived.some((d) => d.path === c.path));
    this.tree.setChannels([...derived, ...own], (label) => (label.startsWith('e:') ? this.book.label(label) : label));
  }

  private fold(hidden: boolean): void {
    this.root.classList.toggle('mp-folded', hidden);
    this.foldButton.setAttribute('aria-expanded', hidden ? 'false' : 'true');
  }

  private updateStack(): void {
    this.stack.classList.toggle('mp-empty', this.plots.length === 0);
  }

  private toolbar(): HTMLElement {
    const { bar, fold, reset } = makeBar({
      live: this.live,
      embedded: this.session.source.embedded,
      overlay: this.session.info.runs.length > 1 ? this.overlayBox : null,
      create: (kind) => this.create(kind),
      derive: () => this.editor.open(null),
      whole: () => this.setView(null),
      standard: () => {
        this.apply({ version: 1, plots: defaultPlots(this.book.channels(0)), derived: this.book.derived, overlay: this.overlay });
        this.edited();
      },
      fold: () => {
        const hide = !this.root.classList.contains('mp-folded');
        this.fold(hide);
        if (!hide) this.tree.input.focus();
        this.resize();
      },
    });
    this.foldButton = fold;
    this.resetButton = reset;
    this.overlayBox.addEventListener('change', () => {
      this.overlay = this.overlayBox.checked;
      for (const p of this.plots) p.refresh();
      this.askValues();
      this.edited();
    });
    return bar;
  }
}
