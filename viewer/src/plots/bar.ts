// The commands above the plots.

import { element, iconButton } from './dom';
import type { Kind } from './layout';

export interface BarActions {
  live: boolean;
  embedded: boolean;
  /** The check box of the second run, where there is one. */
  overlay: HTMLInputElement | null;
  create(kind: Kind): void;
  derive(): void;
  whole(): void;
  standard(): void;
  fold(): void;
}

export function makeBar(act: BarActions): { bar: HTMLElement; fold: HTMLButtonElement; reset: HTMLButtonElement } {
  const button = (text: string, label: string, action: () => void): HTMLButtonElement =>
    element('button', { type: 'button', title: label, 'aria-label': label, onclick: action }, text);
  const fold = element(
    'button',
    { type: 'button', 'aria-expanded': 'true', title: 'show or hide the list of channels', onclick: () => act.fold() },
    'Channels',
  );
  const reset = iconButton('⟲', 'show the whole time', () => act.whole(), { disabled: true });
  const bar = element(
    'div',
    { class: 'mp-bar', role: 'toolbar', 'aria-label': 'plots' },
    fold,
    button('+ Time', 'new plot over time', () => act.create('time')),
    button('+ X-Y', 'new plot of one channel over another', () => act.create('xy')),
  );
  if (!act.live) {
    bar.append(button('+ PSD', 'new plot of power spectral density', () => act.create('psd')));
    if (!act.embedded) bar.append(button('f(x)', 'new derived channel', () => act.derive()));
  }
  if (act.overlay) bar.append(element('label', { class: 'mp-check', title: 'draw the second run dashed' }, act.overlay, ' both runs'));
  bar.append(element('span', { class: 'mp-gap' }), reset, button('Standard', 'the plots that a new run shows', () => act.standard()));
  return { bar, fold, reset };
}
