// Small helpers to make elements.

type Attributes = Record<string, string | number | boolean | ((e: never) => void) | undefined>;
export type Child = Node | string | null | undefined | false;

/// h('button', { class: 'x', onclick: f, 'aria-label': 'y' }, 'text')
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') e.addEventListener(name.replace(/^on/, ''), value as EventListener);
    else e.setAttribute(name, value === true ? '' : String(value));
  }
  for (const c of children) if (c !== null && c !== undefined && c !== false) e.append(c);
  return e;
}

/// Number with four significant digits, as engineers write them.
export function digits(v: number, n = 4): string {
  if (!Number.isFinite(v)) return '-';
  if (v === 0) return '0';
  const a = Math.abs(v);
  if (a >= 1e6 || a < 1e-4) return v.toExponential(n - 1).replace('e+', 'e');
  return String(Number(v.toPrecision(n)));
}

/// Fixed decimals, so that running numbers do not jump.
export const fixed = (v: number, n: number): string => (Number.isFinite(v) ? v.toFixed(n) : '-');

/// A check box with its text.
export function checkbox(text: string, on: boolean, change: (on: boolean) => void, id?: string): HTMLLabelElement {
  const box = h('input', { type: 'checkbox', id, onchange: (e: Event) => change((e.target as HTMLInputElement).checked) });
  box.checked = on;
  return h('label', { class: 'check' }, box, h('span', {}, text));
}

/// A labelled number field; `change` gets only numbers that are at least `min`.
export function numberField(
  text: string, unit: string, value: number, min: number, step: string, change: (v: number) => void, id?: string,
): HTMLLabelElement {
  const field = h('input', { type: 'number', min, step, id, value: String(value) });
  field.addEventListener('change', () => {
    const v = Number(field.value);
    const good = field.value !== '' && Number.isFinite(v) && v >= min;
    field.setAttribute('aria-invalid', String(!good));
    if (good) change(v);
  });
  return h('label', { class: 'field' }, h('span', {}, text), field, h('span', { class: 'unit' }, unit));
}

export function select<T extends string>(
  text: string, options: readonly (readonly [T, string])[], value: T, change: (v: T) => void, id?: string,
): HTMLLabelElement {
  const list = h('select', { id, onchange: (e: Event) => change((e.target as HTMLSelectElement).value as T) });
  for (const [v, label] of options) list.append(h('option', { value: v, selected: v === value }, label));
  return h('label', { class: 'field' }, h('span', {}, text), list);
}
