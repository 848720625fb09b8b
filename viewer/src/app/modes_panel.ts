// Natural modes: a table to choose from, and the model moving in the chosen one.
import { needArray } from '../api/container';
import type { Container } from '../api/types';
import { coordinate, retract } from '../scene/kinematics';
import { place, turn } from '../scene/rotation';
import type { RunView } from '../scene/run_view';
import type { Stage } from '../scene/stage';
import { checkbox, digits, fixed, h } from './dom';

export class ModesPanel {
  readonly element = h('div', { class: 'modes-panel' });
  chosen = 0;
  playing = true;
  phase = 0; // rad
  /// Factor on the eigenvector so that the largest movement is `share` of the model's size.
  factor = 0;
  private share = 0.05;
  private period = 1.5; // s on the page for one cycle
  private readonly count: number;
  private readonly nz: number;
  private readonly frequency: ArrayLike<number>;
  private readonly damping: ArrayLike<number>;
  private readonly real: ArrayLike<number>;
  private readonly imag: ArrayLike<number>;
  private readonly x0: Float64Array;
  private readonly step: Float64Array;
  private readonly out: Float64Array;
  private readonly rows: HTMLElement[] = [];
  private readonly info = h('p', { class: 'hint', id: 'mode-info' });

  constructor(modes: Container, private readonly run: RunView, private readonly stage: Stage) {
    this.frequency = needArray(modes, 'frequency').data;
    this.damping = needArray(modes, 'damping').data;
    const real = needArray(modes, 'real');
    this.real = real.data;
    this.imag = needArray(modes, 'imag').data;
    this.count = real.shape[0];
    this.nz = real.shape[1];
    run.motion.at(run.motion.t0, run.x, run.arrowValues);
    this.x0 = Float64Array.from(run.x);
    this.step = new Float64Array(this.nz);
    this.out = new Float64Array(run.scene.row);
    const body = h('tbody', {});
    for (let k = 0; k < this.count; ++k) {
      const row = h('tr', { role: 'option', tabindex: k ? -1 : 0, 'aria-selected': 'false', 'data-mode': k, onclick: () => this.choose(k) },
        h('td', { class: 'number' }, String(k + 1)),
        h('td', { class: 'number' }, digits(this.frequency[k], 5)),
        h('td', { class: 'number' }, fixed(100 * this.damping[k], 2)));
      this.rows.push(row);
      body.append(row);
    }
    const table = h('table', { class: 'mode-table', role: 'listbox', 'aria-label': 'Natural modes', id: 'modes' },
      h('thead', {}, h('tr', {}, h('th', {}, 'Mode'), h('th', {}, 'Hz'), h('th', {}, 'Damping %'))), body);
    table.addEventListener('keydown', (e) => {
      const d = { ArrowDown: 1, ArrowUp: -1, Home: -this.count, End: this.count }[e.key];
      if (!d) return;
      e.preventDefault();
      e.stopPropagation();
      const shown = this.rows.map((r, k) => (r.hidden ? -1 : k)).filter((k) => k >= 0);
      this.choose(shown[Math.max(0, Math.min(shown.length - 1, shown.indexOf(this.chosen) + d))]);
      this.rows[this.chosen].focus();
    });
    const slider = (label: string, id: string, min: number, max: number, value: number, change: (v: number) => void) => {
      const s = h('input', { type: 'range', id, min, max, step: 'any', value });
      s.addEventListener('input', () => change(Number(s.value)));
      return h('label', { class: 'field wide' }, h('span', {}, label), s);
    };
    this.element.append(
      h('div', { class: 'mode-controls' },
        slider('Amplitude', 'mode-amplitude', 0, 0.25, this.share, (v) => {
          this.share = v;
          this.rescale();
        }),
        slider('Period', 'mode-period', 0.3, 5, this.period, (v) => (this.period = v)), this.info),
      h('div', { class: 'scroll' }, table));
    const swinging = this.rows.filter((_, k) => this.swings(k)).length;
    if (swinging && swinging < this.count) {
      const box = checkbox(`Only the ${swinging} that swing (of ${this.count})`, true, (on) => this.filter(on), 'mode-swinging');
      this.info.before(box);
      this.filter(true);
    }
    this.choose(Math.max(0, Array.from(this.frequency).findIndex((f) => f > 1e-3)));
    stage.setOverride((r) => this.pose(r));
  }

  /// Others only creep back, or do not come back at all.
  private swings(k: number): boolean {
    return this.frequency[k] > 1e-3;
  }
  private filter(on: boolean): void {
    this.rows.forEach((r, k) => (r.hidden = on && !this.swings(k)));
    if (on && !this.swings(this.chosen)) this.choose(Math.max(0, this.rows.findIndex((r) => !r.hidden)));
  }

  choose(k: number): void {
    if (!this.count) return;
    this.chosen = k;
    this.rows.forEach((r, i) => {
      r.setAttribute('aria-selected', String(i === k));
      r.tabIndex = i === k ? 0 : -1;
    });
    this.rows[k].scrollIntoView({ block: 'nearest' });
    this.rescale();
  }

  private rescale(): void {
    const size = this.largest();
    this.factor = size > 0 ? (this.share * this.run.extent) / size : 0;
    this.info.textContent = `Mode ${this.chosen + 1}: ${digits(this.frequency[this.chosen], 5)} Hz, damping ${fixed(100 * this.damping[this.chosen], 2)} %. ` +
      `Largest movement drawn ${digits(1000 * this.share * this.run.extent, 3)} mm; slowed ${digits(this.frequency[this.chosen] * this.period, 3)} times.`;
    this.stage.redraw();
  }

  /// Largest movement of a marker, a centre of mass or a vertex per unit of the eigenvector.
  private largest(): number {
    const { scene, surfaces } = this.run, v = new Float64Array(3);
    let most = 0, z = 0;
    const begin = this.chosen * this.nz;
    scene.parts.forEach((part, i) => {
      if (part.x < 0) return;
      const zw = z + 3, zq = z + (part.turns ? 6 : 3), q0 = this.x0.subarray(part.x + 3, part.x + 7);
      const point = (r: ArrayLike<number>, phi: (c: number, k: number) => number) => {
        let sum = 0;
        for (const source of [this.real, this.imag]) {
          const d = (k: number) => source[begin + k];
          const u = [0, 0, 0];
          if (part.turns) {
            u[0] = d(zw + 1) * r[2] - d(zw + 2) * r[1];
            u[1] = d(zw + 2) * r[0] - d(zw) * r[2];
            u[2] = d(zw) * r[1] - d(zw + 1) * r[0];
          }
          for (let c = 0; c < 3; ++c) for (let k = 0; k < part.nq; ++k) u[c] += phi(c, k) * d(zq + k);
          if (part.turns) turn(v, 0, q0, 0, u[0], u[1], u[2]);
          else v.set(u);
          for (let c = 0; c < 3; ++c) sum += (v[c] + d(z + c)) ** 2;
        }
        most = Math.max(most, Math.sqrt(sum));
      };
      point(part.com ?? [0, 0, 0], () => 0);
      for (const m of scene.markers)
        if (m.part === i) point(m.position, (c, k) => m.phi?.[c]?.[k] ?? 0);
      const s = surfaces[i];
      if (s) {
        const skip = Math.max(1, Math.floor(s.vertexCount / 300));
        for (let n = 0; n < s.vertexCount; n += skip)
          point(s.points.subarray(3 * n, 3 * n + 3), (c, k) => (s.modes ? s.modes[(3 * n + c) * s.nq + k] : 0));
      }
      z = zq + part.nq;
    });
    return most;
  }

  /// Once per frame.
  advance(elapsed: number): void {
    if (!this.playing || !this.count) return;
    this.phase = (this.phase + (2 * Math.PI * elapsed) / this.period) % (2 * Math.PI);
    this.stage.redraw();
  }

  /// x = retract(x0, a Re(shape e^{i phase}))
  private pose(run: RunView): void {
    const c = this.factor * Math.cos(this.phase), s = this.factor * Math.sin(this.phase), begin = this.chosen * this.nz;
    for (let k = 0; k < this.nz; ++k) this.step[k] = c * this.real[begin + k] - s * this.imag[begin + k];
    this.out.set(this.x0);
    retract(run.scene, this.x0, this.step, this.out);
    run.updateFrom(this.out);
  }

  /// Movement of a part's frame from rest, for tests.
  movement(part: number): number[] {
    const p = this.run.scene.parts[part], out: number[] = [];
    place(out, 0, this.out, p.x, [1, 0, 0, 0], 0, 0, 0, 0);
    return out.map((v, c) => v - this.x0[p.x + c]).concat(Array.from(this.out.subarray(coordinate(p, 0), coordinate(p, p.nq))));
  }
}
