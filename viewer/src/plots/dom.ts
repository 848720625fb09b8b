// Elements without markup in strings: nothing that a run file says is ever read as HTML.

type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;

/** element('button', {class: 'x', onclick: f}, 'text', child): attributes by name, 'on...' as listeners. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as (e: Event) => void);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** A small button that shows a sign and says what it does. */
export function iconButton(sign: string, label: string, action: () => void, more: Attributes = {}): HTMLButtonElement {
  return element('button', { type: 'button', class: 'mp-icon', title: label, 'aria-label': label, onclick: action, ...more }, sign);
}

/** Text set only when it changes: layout work is what costs while playing. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
