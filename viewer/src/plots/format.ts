// Numbers as an engineer reads them: a fixed count of digits, no noise, a true minus sign only on the page.

/** `digits` significant digits; powers of ten outside of 1e-4 .. 1e6. Empty for what is no number. */
export function formatValue(value: number, digits = 6): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) {
    const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
    return `${trimZeros(mantissa)}e${exponent.replace('+', '')}`;
  }
  return trimZeros(value.toPrecision(digits));
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Time with as many decimals as the width of the view needs to tell neighbouring pixels apart. */
export function formatTime(t: number, span: number): string {
  const decimals = span > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span)))) : 3;
  return t.toFixed(decimals);
}

/** Labels of axis ticks: all with the decimals of the step, or all with an exponent when they are large or small. */
export function tickLabels(ticks: readonly (number | null)[], step: number): string[] {
  let size = 0;
  for (const v of ticks) if (v !== null) size = Math.max(size, Math.abs(v));
  if (size > 0 && (size >= 1e6 || size < 1e-3)) {
    const digits = Math.min(15, Math.max(1, Math.floor(Math.log10(size)) - Math.floor(Math.log10(step) + 1e-9) + 1));
    return ticks.map((v) => (v === null ? '' : Math.abs(v) < step / 2 ? '0' : formatValue(v, digits)));
  }
  const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return ticks.map((v) => (v === null ? '' : (Math.abs(v) < step / 2 ? 0 : v).toFixed(decimals)));
}

/** Ticks at 1, 2 or 5 times a power of ten, at most `most` of them within [lo, hi]. */
export function niceTicks(lo: number, hi: number, most: number): { ticks: number[]; step: number } {
  const span = hi - lo;
  if (!(span > 0) || most < 1) return { ticks: [], step: 1 };
  const power = Math.pow(10, Math.floor(Math.log10(span / most)));
  let step = power * 10;
  for (const m of [1, 2, 5]) {
    if (span / (power * m) <= most) {
      step = power * m;
      break;
    }
  }
  const ticks: number[] = [];
  const first = Math.ceil(lo / step - 1e-9);
  for (let k = first; k * step <= hi + step * 1e-9; ++k) ticks.push(roundTo(k * step, step));
  return { ticks, step };
}

/** Removes the last bits that k * step leaves, so that 0.30000000000000004 reads 0.3. */
function roundTo(value: number, step: number): number {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)) + 1);
  return decimals < 15 ? Number(value.toFixed(decimals)) : value;
}

/** Decades (and 2, 5 within them where there are few) for a logarithmic axis. */
export function logTicks(lo: number, hi: number, most: number): number[] {
  if (!(lo > 0) || !(hi > lo)) return [];
  const first = Math.floor(Math.log10(lo));
  const last = Math.ceil(Math.log10(hi));
  const decades = last - first;
  const every = Math.max(1, Math.ceil(decades / Math.max(1, most)));
  const within = decades * 3 <= most ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let d = first; d <= last; ++d) {
    if (((d % every) + every) % every !== 0) continue;
    for (const m of within) {
      const v = Number(`${m}e${d}`);
      if (v >= lo * 0.999999 && v <= hi * 1.000001) ticks.push(v);
    }
  }
  return ticks;
}

/** A name that every file system takes. */
export function fileName(text: string, extension: string): string {
  const base = text.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[_.]+|_+$/g, '');
  return `${base.slice(0, 80) || 'plot'}.${extension}`;
}
