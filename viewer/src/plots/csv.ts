// CSV of what is plotted: every sample within the shown interval. The server streams it; without one (exported page,
// live) the page writes the samples it has, in the same form.

import type { Host } from './host';
import { fileName } from './format';
import { curveOf } from './store';
import type { Curve } from './thin';

function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  save(url, name);
  window.setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** A field with separators or quotes inside is quoted (RFC 4180). */
const field = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One table of curves with the same abscissa; of thinned ones the middle of each bucket. */
export function csvText(columns: readonly { label: string; unit: string; curve: Curve }[], abscissa = 'time [s]'): string {
  const lines = [[abscissa, ...columns.map((c) => field(`${c.label} [${c.unit}]`))].join(',')];
  const x = columns[0]?.curve.x ?? new Float64Array(0);
  for (let k = 0; k < x.length; ++k) {
    const row = columns.map(({ curve }) => (curve.lo ? 0.5 * (curve.lo[k] + curve.hi[k]) : curve.hi[k]));
    lines.push([x[k], ...row].join(','));
  }
  return lines.join('\n') + '\n';
}

export async function downloadCsv(host: Host, keys: readonly string[], view: readonly [number, number], name: string): Promise<void> {
  const { session, book } = host;
  for (const run of host.runs) {
    const known = keys.filter((k) => book.address(run, k) !== null);
    if (known.length === 0) continue;
    const shift = session.shift(run);
    const [from, to] = [view[0] + shift, view[1] + shift];
    const channels = known.map((k) => book.address(run, k) as number | string);
    const file = fileName(host.runs.length > 1 ? `run${run + 1}_${name}` : name, 'csv');
    const address = host.live ? null : session.source.csvAddress(run, channels, from, to);
    if (address !== null) {
      save(address, file);
      continue;
    }
    const answer = host.live ? null : await session.source.data(run, channels, from, to, 1e9);
    const columns = known.map((key, k) => {
      const curve = answer ? curveOf(answer, k) : host.store.curve({ run, key, from, to, points: 1e9 });
      return { label: book.label(key), unit: book.unit(key), curve: within(curve, from, to) };
    });
    saveText(csvText(columns), file);
  }
}

function within(curve: Curve, from: number, to: number): Curve {
  let begin = 0;
  let end = curve.x.length;
  while (begin < end && curve.x[begin] < from) ++begin;
  while (end > begin && curve.x[end - 1] > to) --end;
  return { x: curve.x.subarray(begin, end), hi: curve.hi.subarray(begin, end), lo: curve.lo?.subarray(begin, end) ?? null };
}
