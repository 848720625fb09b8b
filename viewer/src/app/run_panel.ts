// Where the runs come from: files, model, solver, results in short.
import type { RunInfo } from '../api/types';
import { digits, h } from './dom';

function rows(value: unknown, path: string, out: [string, string][]): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    if (value.length <= 6) out.push([path, value.map((v) => (typeof v === 'number' ? digits(v) : String(v))).join(', ')]);
  } else if (typeof value === 'object') {
    for (const [k, v] of Object.entries(value)) rows(v, path ? `${path} ${k}` : k, out);
  } else {
    out.push([path, typeof value === 'number' ? digits(value, 5) : String(value)]);
  }
}

export function runPanel(runs: RunInfo[]): HTMLElement {
  const element = h('div', { class: 'run-panel' });
  for (const run of runs) {
    const list: [string, string][] = [];
    const { model, scenario, solver, created, version, git_commit } = run;
    rows({ model, scenario, solver, created, version, commit: git_commit }, '', list);
    list.push(['time', `${digits(run.t0)} to ${digits(run.t1)} s`], ['rows', `${run.rows} of data, ${run.motion_rows} of motion`],
      ['channels', String(run.channels)], ['complete', run.complete ? 'yes' : 'no, it was cut off']);
    const more: [string, string][] = [];
    rows(run.summary, '', more);
    rows(run.settings, '', more);
    const table = (entries: [string, string][]) =>
      h('table', {}, h('tbody', {}, ...entries.map(([k, v]) => h('tr', {}, h('th', { scope: 'row' }, k.replaceAll('_', ' ')), h('td', {}, v)))));
    element.append(h('h3', {}, run.file), table(list));
    if (more.length) element.append(h('h4', {}, 'Summary and settings'), table(more));
  }
  return element;
}
