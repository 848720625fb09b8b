// The list of channels: search field above, tree below. Only the rows in sight are elements, so that thousands of
// channels cost nothing. Arrow keys walk and open, Enter adds to the active plot, rows can be dragged onto a plot.

import { element, iconButton } from './dom';
import { TreeModel, type Row, type TreeChannel } from './tree_model';

export interface TreeActions {
  add(paths: string[]): void;
  edit(path: string): void;
}

export const dragType = 'application/x-monocoque-channels';

const rowHeight = 22;

export class TreeView {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly model = new TreeModel();
  private readonly list: HTMLElement;
  private readonly sheet = element('div', { class: 'mp-sheet' });
  private readonly count = element('div', { class: 'mp-count', role: 'status' });
  private active = 0;
  private labels: (path: string) => string = (p) => p;

  constructor(private readonly act: TreeActions) {
    this.input = element('input', {
      type: 'search',
      class: 'mp-search',
      placeholder: 'Search channels',
      'aria-label': 'search channels',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.list = element(
      'div',
      { class: 'mp-tree', role: 'tree', tabindex: '0', 'aria-label': 'channels', 'aria-multiselectable': 'false' },
      this.sheet,
    );
    this.root = element('div', { class: 'mp-channels' }, this.input, this.list, this.count);
    this.input.addEventListener('input', () => {
      this.model.setQuery(this.input.value);
      this.active = 0;
      this.list.scrollTop = 0;
      this.render();
    });
    this.input.addEventListener('keydown', (e) => this.searchKey(e));
    this.list.addEventListener('keydown', (e) => this.treeKey(e));
    this.list.addEventListener('scroll', () => this.render());
    this.list.addEventListener('focus', () => this.render());
    this.list.addEventListener('blur', () => this.render());
    new ResizeObserver(() => this.render()).observe(this.list);
  }

  setChannels(channels: readonly TreeChannel[], labels: (path: string) => string): void {
    this.labels = labels;
    this.model.setChannels(channels);
    this.render();
  }

  private searchKey(e: KeyboardEvent): void {
    if (e.key === 'ArrowDown') {
      this.list.focus();
      this.move(0);
    } else if (e.key === 'Enter') this.choose(this.model.rows[this.active]);
    else if (e.key === 'Escape' && this.input.value) {
      this.input.value = '';
      this.input.dispatchEvent(new Event('input'));
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private treeKey(e: KeyboardEvent): void {
    const row = this.model.rows[this.active];
    const page = Math.max(1, Math.floor(this.list.clientHeight / rowHeight) - 1);
    if (e.key === 'ArrowUp' && this.active === 0) this.input.focus();
    else if (e.key === 'ArrowDown') this.move(this.active + 1);
    else if (e.key === 'ArrowUp') this.move(this.active - 1);
    else if (e.key === 'PageDown') this.move(this.active + page);
    else if (e.key === 'PageUp') this.move(this.active - page);
    else if (e.key === 'Home') this.move(0);
    else if (e.key === 'End') this.move(this.model.rows.length - 1);
    else if (e.key === 'ArrowRight') {
      if (row && row.channel < 0 && !row.open) this.model.toggle(row.path, true);
      else if (row && row.channel < 0) this.active += 1;
      this.move(this.active);
    } else if (e.key === 'ArrowLeft') {
      if (row?.open) this.model.toggle(row.path, false);
      else this.active = Math.max(0, this.model.parentOf(this.active));
      this.move(this.active);
    } else if (e.key === 'Enter') this.choose(row);
    else if (e.key === '/' || e.key === 'Escape') this.input.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private choose(row: Row | undefined): void {
    if (!row) return;
    if (row.channel >= 0) this.act.add([row.path]);
    else this.model.toggle(row.path);
    this.render();
  }

  private move(to: number): void {
    this.active = Math.min(this.model.rows.length - 1, Math.max(0, to));
    const top = this.active * rowHeight;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top + rowHeight > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top + rowHeight - this.list.clientHeight;
    this.render();
  }

  /** Makes elements for the rows in sight and a few around them. */
  private render(): void {
    const { rows } = this.model;
    this.active = Math.min(Math.max(0, this.active), Math.max(0, rows.length - 1));
    this.sheet.style.height = `${rows.length * rowHeight}px`;
    const first = Math.max(0, Math.floor(this.list.scrollTop / rowHeight) - 4);
    const last = Math.min(rows.length, first + Math.ceil((this.list.clientHeight || 400) / rowHeight) + 8);
    const made: HTMLElement[] = [];
    for (let k = first; k < last; ++k) made.push(this.row(rows[k], k));
    this.sheet.replaceChildren(...made);
    if (rows.length > 0) this.list.setAttribute('aria-activedescendant', `mp-row-${this.active}`);
    else this.list.removeAttribute('aria-activedescendant');
    const channels = rows.filter((r) => r.channel >= 0).length;
    this.count.textContent = this.model.searching ? `${channels} found` : '';
    this.count.hidden = !this.model.searching;
  }

  private row(row: Row, k: number): HTMLElement {
    const leaf = row.channel >= 0;
    const label = this.labels(row.label);
    const node = element(
      'div',
      {
        class: `mp-row${k === this.active ? ' mp-active' : ''}${leaf ? ' mp-leaf' : ''}`,
        role: 'treeitem',
        id: `mp-row-${k}`,
        'aria-level': row.depth + 1,
        'aria-selected': k === this.active ? 'true' : 'false',
        ...(leaf ? {} : { 'aria-expanded': row.open ? 'true' : 'false' }),
        'data-path': row.path,
        draggable: 'true',
        title: row.unit ? `${row.path} [${row.unit}]` : row.path,
      },
      element('span', { class: 'mp-twist', 'aria-hidden': 'true' }, leaf ? '' : row.open ? '▾' : '▸'),
      element('span', { class: 'mp-label' }, label),
      element('span', { class: 'mp-unit' }, leaf ? (row.unit === '1' ? '' : row.unit) : String(row.count)),
    );
    node.style.top = `${k * rowHeight}px`;
    node.style.paddingLeft = `${4 + row.depth * 12}px`;
    node.addEventListener('click', () => {
      this.active = k;
      if (leaf) this.render();
      else this.choose(row);
    });
    if (leaf) {
      node.addEventListener('dblclick', () => this.choose(row));
      const add = iconButton('+', `plot ${label}`, () => this.act.add([row.path]), { class: 'mp-icon mp-add', tabindex: '-1' });
      node.append(add);
      if (row.path.startsWith('e:')) {
        node.append(iconButton('edit', `edit ${label}`, () => this.act.edit(row.path), { class: 'mp-icon mp-add', tabindex: '-1' }));
      }
    }
    node.addEventListener('dragstart', (e) => {
      const paths = this.model.channelsOf(row).map((i) => this.model.path(i));
      e.dataTransfer?.setData(dragType, JSON.stringify(paths));
      e.dataTransfer?.setData('text/plain', paths.join('\n'));
    });
    return node;
  }
}
