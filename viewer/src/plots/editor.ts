// Editor of a derived channel: name, expression, unit. The server judges the expression while one types, its words
// stand below with a mark under the column it means. Names of channels and functions are offered.

import { element, iconButton } from './dom';
import { completionAt, errorColumn, functionNames } from './expression';
import { formatValue, plainError } from './format';
import type { Derived } from './layout';
import { search } from './search';

export interface EditorActions {
  /** Value of the expression now; rejects with the server's words. */
  check(expression: string): Promise<number>;
  channels(): readonly string[];
  save(derived: Derived, before: Derived | null): void;
  remove(derived: Derived): void;
  closed(): void;
}

export class Editor {
  readonly root: HTMLElement;
  private readonly name = element('input', { type: 'text', maxlength: '80', 'aria-label': 'name', placeholder: 'name' });
  private readonly unit = element('input', { type: 'text', maxlength: '20', size: '6', 'aria-label': 'unit', placeholder: 'unit' });
  private readonly text = element('input', {
    type: 'text',
    class: 'mp-expression',
    maxlength: '4096',
    'aria-label': 'expression',
    placeholder: '[car/velocity/x]*3.6',
    autocomplete: 'off',
    spellcheck: 'false',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'mp-offers',
  });
  private readonly caret = element('pre', { class: 'mp-caret', 'aria-hidden': 'true' });
  private readonly verdict = element('p', { class: 'mp-verdict', role: 'status' });
  private readonly offers = element('ul', { class: 'mp-offers', role: 'listbox', id: 'mp-offers', hidden: true });
  private readonly removeButton: HTMLButtonElement;
  private before: Derived | null = null;
  private timer = 0;
  private turn = 0;
  private offered: { insert: string; begin: number }[] = [];
  private choice = -1;

  constructor(private readonly act: EditorActions) {
    this.removeButton = element('button', { type: 'button', onclick: () => this.drop() }, 'Delete');
    this.root = element(
      'form',
      { class: 'mp-editor', hidden: true, 'aria-label': 'derived channel' },
      element(
        'div',
        { class: 'mp-fields' },
        this.name,
        element('div', { class: 'mp-typing' }, this.text, this.caret, this.offers),
        this.unit,
        element('button', { type: 'submit' }, 'Plot'),
        this.removeButton,
        iconButton('×', 'close', () => this.close()),
      ),
      this.verdict,
    );
    this.root.addEventListener('submit', (e) => {
      e.preventDefault();
      void this.submit();
    });
    this.root.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') this.close();
      e.stopPropagation();
    });
    this.text.addEventListener('input', () => this.typed());
    this.text.addEventListener('click', () => this.offer());
    this.text.addEventListener('keydown', (e) => this.key(e));
    this.text.addEventListener('blur', () => window.setTimeout(() => this.showOffers([]), 150));
  }

  open(derived: Derived | null): void {
    this.before = derived;
    this.name.value = derived?.name ?? '';
    this.unit.value = derived?.unit ?? '';
    this.text.value = derived?.expression ?? '';
    this.removeButton.hidden = derived === null;
    this.root.hidden = false;
    this.tell('', '');
    if (derived) this.typed();
    this.text.focus();
  }

  close(): void {
    if (this.root.hidden) return;
    this.root.hidden = true;
    this.showOffers([]);
    this.act.closed();
  }

  private drop(): void {
    if (this.before) this.act.remove(this.before);
    this.close();
  }

  private typed(): void {
    this.offer();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), 200);
  }

  /** True when the server can evaluate the expression; an answer to an older text is not shown. */
  private async check(): Promise<boolean> {
    window.clearTimeout(this.timer);
    const turn = ++this.turn;
    const expression = this.text.value.trim();
    if (!expression) {
      this.tell('', '');
      return false;
    }
    try {
      const value = await this.act.check(expression);
      if (turn === this.turn) this.tell(`now ${formatValue(value)}`, 'good');
      return true;
    } catch (error) {
      if (turn === this.turn) this.tell(plainError(error), 'bad');
      return false;
    }
  }

  private tell(text: string, kind: 'good' | 'bad' | ''): void {
    this.verdict.textContent = text;
    this.verdict.className = `mp-verdict ${kind ? `mp-${kind}` : ''}`;
    this.text.setAttribute('aria-invalid', kind === 'bad' ? 'true' : 'false');
    const column = kind === 'bad' ? errorColumn(text, this.text.value.trimEnd().length) : null;
    this.caret.textContent = column === null ? '' : `${' '.repeat(Math.max(0, column - 1))}^`;
  }

  private async submit(): Promise<void> {
    const expression = this.text.value.trim();
    if (!(await this.check())) {
      this.text.focus();
      return;
    }
    const name = this.name.value.trim() || expression.slice(0, 80);
    this.act.save({ name, expression, unit: this.unit.value.trim() }, this.before);
    this.close();
  }

  // ---- offers --------------------------------------------------------------------------------------------------------

  private offer(): void {
    const at = completionAt(this.text.value, this.text.selectionStart ?? 0);
    if (!at) return this.showOffers([]);
    if (at.kind === 'channel') {
      const paths = this.act.channels();
      const hits = search(paths, at.text).slice(0, 8);
      return this.showOffers(hits.map((h) => ({ insert: `[${paths[h.index]}]`, begin: at.begin })));
    }
    const names = functionNames.filter((f) => f.startsWith(at.text) && f !== at.text);
    this.showOffers(names.slice(0, 8).map((f) => ({ insert: `${f}(`, begin: at.begin })));
  }

  private showOffers(offered: { insert: string; begin: number }[]): void {
    this.offered = offered;
    this.choice = offered.length > 0 ? 0 : -1;
    this.offers.hidden = offered.length === 0;
    this.text.setAttribute('aria-expanded', offered.length > 0 ? 'true' : 'false');
    this.markChoice();
  }

  private markChoice(): void {
    this.offers.replaceChildren(
      ...this.offered.map((o, k) => {
        const item = element('li', { role: 'option', id: `mp-offer-${k}`, 'aria-selected': k === this.choice ? 'true' : 'false' }, o.insert);
        item.addEventListener('pointerdown', (e) => {
          e.preventDefault();
          this.take(k);
        });
        return item;
      }),
    );
    if (this.choice >= 0) this.text.setAttribute('aria-activedescendant', `mp-offer-${this.choice}`);
    else this.text.removeAttribute('aria-activedescendant');
  }

  private take(k: number): void {
    const o = this.offered[k];
    if (!o) return;
    const caret = this.text.selectionStart ?? this.text.value.length;
    this.text.setRangeText(o.insert, o.begin, caret, 'end');
    this.typed();
    this.showOffers([]);
  }

  private key(e: KeyboardEvent): void {
    if (this.offered.length === 0) return;
    const n = this.offered.length;
    if (e.key === 'ArrowDown') this.choice = (this.choice + 1) % n;
    else if (e.key === 'ArrowUp') this.choice = (this.choice + n - 1) % n;
    else if (e.key === 'Tab' || e.key === 'Enter') {
      this.take(this.choice);
      e.preventDefault();
      return;
    } else if (e.key === 'Escape') {
      this.showOffers([]);
      e.stopPropagation();
      return;
    } else return;
    this.markChoice();
    e.preventDefault();
  }
}
