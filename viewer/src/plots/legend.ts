// The lines of a plot: colour, name, values at the cursor, unit, and a button to take it out. A press on the name
// hides the line.

import { element, iconButton, setText } from './dom';

export interface LegendEntry {
  key: string;
  label: string;
  unit: string;
  color: string;
  /** Runs that have this channel. */
  runs: readonly number[];
  /** Role instead of a line, as 'x' of an X-Y plot. */
  role?: string;
  error: string | null;
  hidden: boolean;
}

export interface LegendActions {
  remove(key: string): void;
  toggle(key: string): void;
  makeX?(key: string): void;
}

export class Legend {
  readonly root = element('ul', { class: 'mp-legend', 'aria-label': 'lines and values at the cursor' });
  private values = new Map<string, HTMLElement>();

  constructor(private readonly act: LegendActions) {}

  set(entries: readonly LegendEntry[], empty: string): void {
    this.values.clear();
    this.root.replaceChildren(...entries.map((e) => this.row(e)));
    if (entries.length === 0) this.root.append(element('li', { class: 'mp-hint' }, empty));
  }

  setValue(key: string, run: number, text: string, exact: boolean): void {
    const node = this.values.get(`${run} ${key}`);
    if (!node) return;
    setText(node, text);
    node.classList.toggle('mp-stale', !exact);
  }

  private row(e: LegendEntry): HTMLElement {
    const row = element('li', { class: e.hidden ? 'mp-line mp-off' : 'mp-line', 'data-key': e.key, title: e.error ?? e.key });
    if (e.role) row.append(element('span', { class: 'mp-role' }, e.role));
    else {
      const swatch = element('span', { class: 'mp-swatch', 'aria-hidden': 'true' });
      swatch.style.background = e.color;
      row.append(swatch);
    }
    row.append(
      element(
        'button',
        { type: 'button', class: 'mp-name', 'aria-pressed': e.hidden ? 'false' : 'true', title: e.key, onclick: () => this.act.toggle(e.key) },
        // Where there is no room for all of it, the end of a path says more than its begin.
        element('bdi', { dir: 'ltr' }, e.label),
      ),
    );
    if (e.error !== null) {
      row.classList.add('mp-bad');
      row.append(element('span', { class: 'mp-error' }, e.error));
    } else {
      for (const run of e.runs) {
        // Not announced: while playing it changes with every picture.
        const value = element('output', { class: run === 0 ? 'mp-value' : 'mp-value mp-second', 'data-run': run, 'aria-live': 'off' });
        this.values.set(`${run} ${e.key}`, value);
        row.append(value);
      }
      if (e.unit && e.unit !== '1') row.append(element('span', { class: 'mp-unit' }, e.unit));
    }
    if (this.act.makeX && !e.role) row.append(iconButton('x', `use ${e.label} as abscissa`, () => this.act.makeX?.(e.key), { class: 'mp-icon mp-quiet' }));
    row.append(iconButton('×', `remove ${e.label}`, () => this.act.remove(e.key), { class: 'mp-icon mp-quiet' }));
    return row;
  }
}
