// Tree of parts, usable by arrow keys, and the values of the selected one.
import type { ChannelInfo, Session, TimeBus } from '../api/types';
import type { RunView } from '../scene/run_view';
import { place } from '../scene/rotation';
import { digits, fixed, h } from './dom';

const mostChannels = 60;

export class PartsPanel {
  readonly element: HTMLElement;
  /// Short text of the selection, for the view on small screens.
  readonly chip = h('div', { class: 'chip', hidden: true, 'aria-live': 'polite' });
  private readonly tree = h('ul', { class: 'tree', role: 'tree', id: 'parts', 'aria-label': 'Parts' });
  private readonly values = h('div', { class: 'values', id: 'values', role: 'region', 'aria-label': 'Values of the selected part' });
  private readonly items = new Map<string, HTMLElement>();
  private run: RunView | null = null;
  private channels: ChannelInfo[] = [];
  private cells = new Map<string, HTMLElement>();
  private shown: number[] = []; // channel indices
  private shownCells: HTMLElement[] = [];
  private asking = false;
  private askAgain = false;
  private lastAsked = NaN;
  private lastShown = 0;
  private row = new Float64Array(0);
  private row2 = new Float64Array(0);
  private spare = new Float64Array(0);

  constructor(private readonly session: Session, private readonly bus: TimeBus) {
    this.element = h('div', { class: 'parts-panel' }, this.tree, this.values);
    this.tree.addEventListener('keydown', (e) => this.key(e));
    this.tree.addEventListener('click', (e) => {
      const item = (e.target as HTMLElement).closest<HTMLElement>('[role=treeitem]');
      if (!item) return;
      if (item.dataset.part) session.select(item.dataset.part);
      else this.fold(item);
      this.focusItem(item);
    });
    session.on('select', () => this.selectionChanged());
    bus.subscribe(() => this.refresh(false));
  }

  setRun(run: RunView | null): void {
    this.run = run;
    if (run) {
      this.row = new Float64Array(run.scene.row);
      this.row2 = new Float64Array(run.scene.row);
      this.spare = new Float64Array(run.scene.arrows);
    }
    this.fill();
    this.selectionChanged();
  }
  setChannels(channels: ChannelInfo[]): void {
    this.channels = channels;
    this.selectionChanged();
  }

  private fill(): void {
    this.tree.replaceChildren();
    this.items.clear();
    if (!this.run) return;
    const groups = new Map<string, HTMLElement>();
    for (const part of this.run.scene.parts) {
      if (part.kind === 'ground') continue;
      const cut = part.name.indexOf('/');
      let parent: HTMLElement = this.tree;
      if (cut > 0) {
        const name = part.name.slice(0, cut);
        if (!groups.has(name)) {
          const list = h('ul', { role: 'group' });
          groups.set(name, list);
          this.tree.append(h('li', { role: 'treeitem', 'aria-expanded': 'true', tabindex: -1 }, h('span', { class: 'row group' }, name), list));
        }
        parent = groups.get(name)!;
      }
      const item = h('li', { role: 'treeitem', tabindex: -1, 'data-part': part.name, 'aria-selected': 'false' },
        h('span', { class: 'row' }, h('span', { class: `dot ${part.kind}` }), part.name.slice(cut + 1), h('span', { class: 'note' }, `${digits(part.mass, 3)} kg`)));
      this.items.set(part.name, item);
      parent.append(item);
    }
    this.visible()[0]?.setAttribute('tabindex', '0');
  }

  private visible(): HTMLElement[] {
    return [...this.tree.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(
      (i) => !i.parentElement!.closest('[aria-expanded=false]'));
  }
  private focusItem(item: HTMLElement): void {
    for (const i of this.tree.querySelectorAll('[tabindex="0"]')) i.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
    item.focus({ preventScroll: false });
  }
  private fold(item: HTMLElement, open = item.getAttribute('aria-expanded') === 'false'): void {
    if (item.hasAttribute('aria-expanded')) item.setAttribute('aria-expanded', String(open));
  }

  private key(e: KeyboardEvent): void {
    const list = this.visible(), now = list.indexOf(document.activeElement as HTMLElement);
    const item = list[now];
    if (!item || e.ctrlKey || e.metaKey || e.altKey) return;
    switch (e.key) {
      case 'ArrowDown': this.focusItem(list[Math.min(list.length - 1, now + 1)]); break;
      case 'ArrowUp': this.focusItem(list[Math.max(0, now - 1)]); break;
      case 'Home': this.focusItem(list[0]); break;
      case 'End': this.focusItem(list[list.length - 1]); break;
      case 'ArrowRight': this.fold(item, true); break;
      case 'ArrowLeft':
        if (item.getAttribute('aria-expanded') === 'true') this.fold(item, false);
        else {
          const up = item.parentElement!.closest<HTMLElement>('[role=treeitem]');
          if (up) this.focusItem(up);
        }
        break;
      case 'Enter':
      case ' ':
        if (item.dataset.part) this.session.select(item.dataset.part === this.session.selected ? null : item.dataset.part);
        else this.fold(item);
        break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
  }

  private selectionChanged(): void {
    for (const [name, item] of this.items) item.setAttribute('aria-selected', String(name === this.session.selected));
    const part = this.part();
    this.cells.clear();
    this.shown = [];
    this.shownCells = [];
    this.chip.hidden = !part;
    if (!part || !this.run) {
      this.values.replaceChildren(h('p', { class: 'hint' }, 'Select a part here or in the picture to see its values.'));
      return;
    }
    const item = this.items.get(part.name)!;
    item.scrollIntoView({ block: 'nearest' });
    const line = (key: string, label: string, unit: string) => {
      const cell = h('td', { class: 'number', 'data-value': key });
      this.cells.set(key, cell);
      return h('tr', {}, h('th', { scope: 'row' }, label), cell, h('td', { class: 'unit' }, unit));
    };
    const table = h('table', {}, h('tbody', {},
      line('kind', 'Kind', ''), line('mass', 'Mass', 'kg'),
      line('x', 'Position x', 'm'), line('y', 'Position y', 'm'), line('z', 'Position z', 'm'),
      line('vx', 'Velocity x', 'm/s'), line('vy', 'Velocity y', 'm/s'), line('vz', 'Velocity z', 'm/s'),
      line('speed', 'Speed', 'm/s'), line('kmh', '', 'km/h')));
    if (part.kind === 'flexible')
      table.tBodies[0].append(line('nq', 'Elastic coordinates', ''), line('bend', 'Largest displacement', 'mm'));
    this.cells.get('kind')!.textContent = part.kind;
    this.cells.get('mass')!.textContent = digits(part.mass, 5);
    if (this.cells.has('nq')) this.cells.get('nq')!.textContent = String(part.nq);
    const own = h('table', { class: 'channels' }, h('tbody', {})), prefix = `${part.name}/`;
    this.channels.forEach((c, i) => {
      if (!c.path.startsWith(prefix) || this.shown.length >= mostChannels) return;
      const cell = h('td', { class: 'number', 'data-channel': c.path });
      this.shown.push(i);
      this.shownCells.push(cell);
      own.tBodies[0].append(h('tr', {}, h('th', { scope: 'row' }, c.path.slice(prefix.length)), cell, h('td', { class: 'unit' }, c.unit)));
    });
    this.values.replaceChildren(
      h('h3', {}, part.name), table, ...(this.shown.length ? [h('h4', {}, 'Channels'), own] : []));
    this.lastAsked = NaN;
    this.refresh(true);
  }

  private part() {
    return this.run?.scene.parts.find((p) => p.name === this.session.selected) ?? null;
  }

  /// Numbers of now; while playing five times a second are enough to read.
  refresh(force: boolean): void {
    const now = performance.now();
    if (!this.run || !this.session.selected) return;
    if (!force && this.bus.playing && now - this.lastShown < 200) return;
    this.lastShown = now;
    const part = this.part(), run = this.run;
    if (!part || !run.valid) return;
    const t = this.bus.time, step = 0.0025, p = new Float64Array(3), a = new Float64Array(3), b = new Float64Array(3);
    const before = Math.max(run.motion.t0, t - step), after = Math.min(run.motion.t1, t + step);
    const com = part.com ?? [0, 0, 0];
    const where = (time: number, out: Float64Array, row: Float64Array) => {
      if (!run.motion.at(time, row, this.spare)) return;
      if (part.x < 0) return;
      const turn = part.turns ? row.subarray(part.x + 3, part.x + 7) : [1, 0, 0, 0];
      place(out, 0, row, part.x, turn, 0, com[0], com[1], com[2]);
    };
    where(before, a, this.row);
    where(t, p, this.row2);
    where(after, b, this.row);
    const v = [0, 1, 2].map((c) => (after > before ? (b[c] - a[c]) / (after - before) : 0));
    const speed = Math.hypot(v[0], v[1], v[2]);
    const set = (key: string, text: string) => {
      const cell = this.cells.get(key);
      if (cell) cell.textContent = text;
    };
    ['x', 'y', 'z'].forEach((k, c) => {
      set(k, fixed(p[c], 4));
      set(`v${k}`, fixed(v[c], 3));
    });
    set('speed', fixed(speed, 3));
    set('kmh', fixed(3.6 * speed, 2));
    const surface = run.surfaces[run.scene.parts.indexOf(part)];
    if (surface && this.cells.has('bend'))
      set('bend', fixed(1000 * surface.largest('displacement', Math.max(1, Math.floor(surface.vertexCount / 2000))), 3));
    this.chip.textContent = `${part.name}  ${fixed(3.6 * speed, 1)} km/h`;
    this.ask(t);
  }

  private ask(t: number): void {
    if (!this.shown.length || t === this.lastAsked || this.bus.live) return;
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    this.lastAsked = t;
    const cells = this.shownCells;
    this.session.source.at(0, this.shown, t + this.session.shift(0))
      .then((values) => cells.forEach((cell, i) => (cell.textContent = digits(values[i], 5))))
      .catch(() => cells.forEach((cell) => (cell.textContent = '-')))
      .finally(() => {
        this.asking = false;
        if (this.askAgain) {
          this.askAgain = false;
          this.ask(this.bus.time);
        }
      });
  }
}
