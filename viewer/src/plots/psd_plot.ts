// Power spectral densities of channels over the interval that the time plots show, by the server (Welch).

import { csvText, saveText } from './csv';
import type { ChartLine } from './chart';
import { element } from './dom';
import { fileName, formatValue, plainError } from './format';
import { axisLabel, unitFits } from './axes';
import { lineDash } from './palette';
import { PlanePlot } from './plane';
import { emptyCurve, type Curve, type Numbers } from './thin';

interface Spectrum {
  curve: Curve;
  unit: string;
  error: string | null;
  /** The answer is there; until then the last one is shown. */
  settled: boolean;
}

export class PsdPlot extends PlanePlot {
  private spectra = new Map<string, Spectrum>();
  private waiting = 0;
  private interval: readonly [number, number];
  private shown = '';

  constructor(...args: ConstructorParameters<typeof PlanePlot>) {
    super(...args);
    this.interval = this.host.view;
    this.spec.window ??= 2;
    this.spec.log ??= true;
    const window_s = element('input', { type: 'number', min: '0.01', step: 'any', value: this.spec.window, 'aria-label': 'window in seconds' });
    window_s.addEventListener('change', () => {
      const v = Number(window_s.value);
      if (v > 0) {
        this.spec.window = v;
        this.redraw();
        this.host.edited();
      } else window_s.value = String(this.spec.window);
    });
    const log = element('input', { type: 'checkbox', ...(this.spec.log ? { checked: true } : {}) });
    log.addEventListener('change', () => {
      this.spec.log = log.checked;
      this.manual = null;
      this.redraw();
      this.host.edited();
    });
    this.tools.append(element('label', {}, 'window ', window_s, ' s'), element('label', {}, log, ' log'));
  }

  protected override fits(key: string): boolean {
    const { book } = this.host;
    const units = this.spec.series.map((s) => book.unit(s));
    return units.length === 0 || (unitFits(units, book.unit(key)) && units.includes(book.unit(key)));
  }

  protected compose(): void {
    const { host, spec, chart } = this;
    const lines: ChartLine[] = [];
    let unit = '';
    const errors = new Map<string, string | null>();
    spec.series.forEach((key, k) => {
      for (const run of this.runsOf(key)) {
        const s = this.fetch(run, key);
        unit ||= s.unit;
        errors.set(key, errors.get(key) ?? s.error);
        if (this.hidden.has(key)) continue;
        lines.push({ curve: s.curve, shift: 0, color: this.color(key), dash: lineDash(k, run !== host.runs[0]), side: 'y' });
      }
    });
    const log = spec.log !== false;
    const bounds = this.manual ?? this.bounds(lines, log);
    chart.lines = lines;
    chart.axes = { x: bounds.x, y: bounds.y, y2: null, xLabel: 'frequency [Hz]', yLabel: axisLabel(unit), y2Label: '', log };
    const entries = spec.series.map((key) => this.entry(key, 'Hz', errors.get(key) ?? null));
    const state = JSON.stringify(entries);
    if (state !== this.shown) {
      this.shown = state;
      this.legend.set(entries, 'Choose channels in the list (Enter), or drag them here.');
    }
  }

  private id(run: number, key: string): string {
    return [run, key, ...this.interval, this.host.session.shift(run), this.spec.window].join(' ');
  }

  private fetch(run: number, key: string): Spectrum {
    const { host, spec } = this;
    const id = this.id(run, key);
    const known = this.spectra.get(id);
    if (known) return known;
    const none: Spectrum = { curve: emptyCurve, unit: '', error: null, settled: false };
    const address = host.book.address(run, key);
    if (host.live) return { ...none, error: 'a spectrum needs a finished run' };
    if (address === null) return none;
    // The spectrum of the last interval stays until the new one is there.
    const before = [...this.spectra].reverse().find(([k, s]) => k.startsWith(`${run} ${key} `) && s.curve.x.length > 0)?.[1];
    this.spectra.set(id, before ? { ...before, settled: false } : none);
    if (this.spectra.size > 40) this.spectra.delete(this.spectra.keys().next().value as string);
    const shift = host.session.shift(run);
    const done = (s: Spectrum): void => {
      this.spectra.set(id, s);
      this.redraw();
    };
    host.session.source.psd(run, address, this.interval[0] + shift, this.interval[1] + shift, spec.window ?? 2, 0.5).then(
      (answer) => {
        const get = (name: string): Numbers => (answer.arrays.get(name)?.data ?? new Float64Array(0)) as Numbers;
        done({ curve: { x: get('f'), hi: get('p'), lo: null }, unit: String(answer.meta.unit ?? ''), error: null, settled: true });
      },
      (error: Error) => done({ ...none, error: plainError(error), settled: true }),
    );
    return before ?? none;
  }

  /** Asks anew after the interval has rested: a spectrum of many samples is work for the server. */
  private ask(): void {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      // An exported page holds the spectra of the whole run only.
      this.interval = this.host.session.source.embedded ? this.host.full : this.host.view;
      this.redraw();
    }, 250);
  }

  viewChanged(): void {
    this.ask();
  }

  tick(numbers: boolean): void {
    if (!numbers) return;
    this.root.dataset.time = String(this.host.bus.time);
    for (const key of this.spec.series) {
      for (const run of this.runsOf(key)) {
        const s = this.spectra.get(this.id(run, key));
        if (s) this.legend.setValue(key, run, s.curve.x.length > 0 ? `peak ${formatValue(peak(s.curve), 5)}` : '–', s.settled);
      }
    }
  }

  cursorKeys(): string[] {
    return [];
  }

  csv(): void {
    for (const run of this.host.runs) {
      const columns = this.spec.series.flatMap((key) => {
        const s = this.spectra.get(this.id(run, key));
        return s && s.curve.x.length > 0 ? [{ label: this.host.book.label(key), unit: s.unit, curve: s.curve }] : [];
      });
      if (columns.length === 0) continue;
      const name = `${this.host.runs.length > 1 ? `run${run + 1}_` : ''}${columns[0].label}_psd`;
      saveText(csvText(columns, 'frequency [Hz]'), fileName(name, 'csv'));
    }
  }

  protected decorate(): void {}

  override destroy(): void {
    window.clearTimeout(this.waiting);
    super.destroy();
  }
}

/** Frequency of the greatest density above zero frequency. */
export function peak(curve: Curve): number {
  let best = -1;
  for (let k = 0; k < curve.x.length; ++k) if (curve.x[k] > 0 && (best < 0 || curve.hi[k] > curve.hi[best])) best = k;
  return best < 0 ? NaN : curve.x[best];
}
