// The page's frame: title, sidebar with tabs, 3D view, time line, plots; drawers on small screens.
import { h } from './dom';

export interface Tab {
  id: string;
  label: string;
  panel: HTMLElement;
}

export class Shell {
  readonly root: HTMLElement;
  readonly stage = h('div', { class: 'stage', id: 'stage', tabindex: 0, role: 'application', 'aria-label': '3D view: arrow keys turn it, plus and minus zoom' });
  readonly hud = h('div', { class: 'hud', id: 'hud' });
  readonly commands = h('div', { class: 'commands', id: 'commands' });
  readonly plots = h('section', { class: 'plots', id: 'plots', 'aria-label': 'Plots' });
  readonly overlay = h('div', { class: 'overlay' });
  onResize: () => void = () => {};
  private readonly title = h('div', { class: 'title', id: 'title' });
  private readonly side = h('aside', { class: 'side', id: 'side', 'aria-label': 'Parts and settings' });
  private readonly tabList = h('div', { class: 'tabs', role: 'tablist' });
  private readonly nav = h('nav', { class: 'nav', 'aria-label': 'Panels' });
  private readonly slot = h('div', { class: 'timeline-slot' });
  private readonly notes = h('div', { class: 'notes', role: 'status', 'aria-live': 'polite' });
  private readonly buttons = h('div', { class: 'buttons' });
  private readonly tabs: { tab: Tab; button: HTMLButtonElement; nav: HTMLButtonElement }[] = [];
  private readonly plotsNav: HTMLButtonElement;

  constructor() {
    const split = h('div', { class: 'split', id: 'split', role: 'separator', tabindex: 0, 'aria-orientation': 'horizontal', 'aria-label': 'Height of the plots', 'aria-valuenow': 280 });
    const center = h('main', { class: 'center' }, this.stage, this.slot, split, this.plots);
    this.stage.append(this.overlay, this.hud);
    this.side.append(this.tabList);
    this.plotsNav = h('button', { onclick: () => this.drawer('plots') }, 'Plots');
    this.nav.append(this.plotsNav);
    this.root = h('div', { class: 'shell', 'data-drawer': 'none' },
      h('header', {}, h('span', { class: 'mark' }, 'Monocoque'), this.title, this.commands, this.buttons),
      this.side, center, this.nav, this.notes);
    this.dragSplit(split);
    this.tabList.addEventListener('keydown', (e) => {
      const d = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!d) return;
      e.preventDefault();
      e.stopPropagation();
      const now = this.tabs.findIndex((t) => t.button === document.activeElement);
      const next = this.tabs[(now + d + this.tabs.length) % this.tabs.length];
      this.showTab(next.tab.id);
      next.button.focus();
    });
  }

  setTitle(...pieces: (Node | string)[]): void {
    this.title.replaceChildren(...pieces);
  }
  addButton(label: string, title: string, id: string, f: () => void): HTMLButtonElement {
    const b = h('button', { class: 'text', id, title, 'aria-label': title, onclick: f }, label);
    this.buttons.append(b);
    return b;
  }
  setTimeline(e: HTMLElement): void {
    this.slot.replaceChildren(e);
  }

  addTab(tab: Tab): void {
    tab.panel.id = `panel-${tab.id}`;
    tab.panel.classList.add('panel');
    tab.panel.setAttribute('role', 'tabpanel');
    tab.panel.setAttribute('aria-labelledby', `tab-${tab.id}`);
    const button = h('button', { role: 'tab', id: `tab-${tab.id}`, 'aria-controls': tab.panel.id, onclick: () => this.showTab(tab.id) }, tab.label);
    const nav = h('button', { onclick: () => this.drawer(tab.id) }, tab.label);
    this.tabList.append(button);
    this.nav.insertBefore(nav, this.plotsNav);
    this.side.append(tab.panel);
    this.tabs.push({ tab, button, nav });
    this.showTab(this.tabs[0].tab.id);
  }
  showTab(id: string): void {
    for (const { tab, button } of this.tabs) {
      const on = tab.id === id;
      tab.panel.hidden = !on;
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
    }
  }
  /// Small screens: opens a panel below the picture, or closes it.
  drawer(id: string): void {
    const now = this.root.dataset.drawer, next = now === id ? 'none' : id;
    this.root.dataset.drawer = next;
    this.root.dataset.kind = next === 'none' ? 'none' : next === 'plots' ? 'plots' : 'side';
    if (next !== 'none' && next !== 'plots') this.showTab(next);
    for (const t of this.tabs) t.nav.setAttribute('aria-pressed', String(next === t.tab.id));
    this.plotsNav.setAttribute('aria-pressed', String(next === 'plots'));
    this.onResize();
  }

  note(text: string, kind: 'info' | 'error'): void {
    const note = h('div', { class: `note ${kind}`, role: kind === 'error' ? 'alert' : undefined }, h('span', {}, text),
      h('button', { 'aria-label': 'Dismiss', onclick: () => note.remove() }, '\u00d7'));
    this.notes.append(note);
    if (kind === 'info') setTimeout(() => note.remove(), 5000);
  }

  private dragSplit(split: HTMLElement): void {
    const set = (height: number) => {
      const most = this.root.clientHeight - 240, v = Math.round(Math.max(0, Math.min(most, height)));
      this.root.style.setProperty('--plots', `${v}px`);
      split.setAttribute('aria-valuenow', String(v));
      this.onResize();
    };
    split.addEventListener('pointerdown', (e) => {
      split.setPointerCapture(e.pointerId);
      const from = e.clientY, height = this.plots.clientHeight;
      const move = (m: PointerEvent) => set(height + from - m.clientY);
      split.addEventListener('pointermove', move);
      split.addEventListener('pointerup', () => split.removeEventListener('pointermove', move), { once: true });
    });
    split.addEventListener('keydown', (e) => {
      const d = { ArrowUp: 24, ArrowDown: -24 }[e.key];
      if (!d) return;
      e.preventDefault();
      e.stopPropagation();
      set(this.plots.clientHeight + d);
    });
  }
}
