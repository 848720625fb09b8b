// Keyboard shortcuts, and the page that lists them.
import { h } from './dom';

export interface Shortcut {
  keys: string[]; // values of KeyboardEvent.key
  shown: string;
  text: string;
  run: () => void;
  /// Also while a live car is driven, when letters and arrows belong to the driver.
  live?: boolean;
  /// Only while the picture has the focus.
  stage?: boolean;
}

export class Keys {
  readonly dialog: HTMLDialogElement;

  constructor(private readonly list: Shortcut[], private readonly stage: HTMLElement, private readonly isLive: () => boolean) {
    const body = h('tbody', {});
    for (const s of list) body.append(h('tr', {}, h('td', {}, h('kbd', {}, s.shown)), h('td', {}, s.text + (s.stage ? ' (picture focused)' : ''))));
    const close = h('button', { class: 'text', onclick: () => this.dialog.close() }, 'Close');
    this.dialog = h('dialog', { class: 'help', id: 'help', 'aria-label': 'Keyboard shortcuts' },
      h('h2', {}, 'Keyboard and mouse'), h('table', {}, body),
      h('p', { class: 'hint' }, 'Drag turns the view, right drag or shift drag moves it, the wheel zooms, a click selects a part.'), close);
    document.addEventListener('keydown', (e) => this.key(e));
  }

  help(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const target = e.target as HTMLElement;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !(e.key === '?' || (target as HTMLInputElement).type === 'checkbox')) {
      // The slider of the time line takes the transport keys.
      if ((target as HTMLInputElement).type !== 'range' || /^(Arrow|Home|End|Page)/.test(e.key)) return;
    }
    if ((e.key === ' ' || e.key === 'Enter') && /^(BUTTON|INPUT|SUMMARY|A)$/.test(target.tagName)) return;
    if (this.dialog.open && e.key !== '?') return;
    const live = this.isLive(), onStage = this.stage.contains(target);
    for (const s of this.list) {
      if (!s.keys.includes(e.key) || (live && !s.live) || (s.stage && !onStage)) continue;
      e.preventDefault();
      s.run();
      return;
    }
  }
}
