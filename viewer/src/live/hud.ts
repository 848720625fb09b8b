// Speed, pedals and the health of the simulation, over the picture.
import { fixed, h } from '../app/dom';
import { paused, reverse, stopped, type BodyKind, type Pedals, type Stats } from './messages';

export class Hud {
  readonly element: HTMLElement;
  private readonly speed = h('span', { id: 'live-speed' }, '0');
  private readonly gear = h('span', { id: 'live-gear' }, 'D');
  private readonly lines = new Map<string, HTMLElement>();
  private readonly bars = { steer: bar('steer'), throttle: bar('go'), brake: bar('brake') };
  private readonly state = h('div', { class: 'live-state', id: 'live-state', role: 'status', 'aria-live': 'polite' });

  constructor() {
    const table = h('dl', {});
    for (const [id, text] of [
      ['rt', 'real-time factor'], ['step', 'step, median'], ['p99', 'step, 99 %'], ['worst', 'worst step'], ['overruns', 'overruns'],
      ['deformation', 'deformation'], ['body-kind', 'body'], ['watchers', 'watching'],
    ]) {
      const value = h('dd', { id: `live-${id}` }, '-');
      this.lines.set(id, value);
      table.append(h('dt', {}, text), value);
    }
    this.element = h('div', { class: 'live-hud', id: 'live-hud' },
      h('div', { class: 'live-speed' }, this.speed, h('small', {}, 'km/h'), this.gear),
      h('div', { class: 'live-bars' }, ...Object.entries(this.bars).flatMap(([name, e]) => [h('span', {}, name), e])), table, this.state);
  }

  private put(id: string, text: string): void {
    const e = this.lines.get(id)!;
    if (e.textContent !== text) e.textContent = text;
  }

  motion(speed: number, flags: number, deformation: number, pedals: Pedals): void {
    const kmh = fixed(Math.abs(3.6 * speed), 0), gear = flags & reverse ? 'R' : 'D';
    if (this.speed.textContent !== kmh) this.speed.textContent = kmh;
    if (this.gear.textContent !== gear) this.gear.textContent = gear;
    this.put('deformation', `${fixed(1e3 * deformation, 2)} mm`);
    fill(this.bars.throttle, 0, pedals.throttle);
    fill(this.bars.brake, 0, pedals.brake);
    fill(this.bars.steer, 0.5 + Math.min(0, pedals.steer) / 2, Math.abs(pedals.steer) / 2);
    this.say(flags & stopped ? 'stopped: press R' : flags & paused ? 'paused' : '');
  }
  say(text: string): void {
    if (this.state.textContent !== text) this.state.textContent = text;
  }
  stats(s: Stats): void {
    this.put('rt', fixed(s.rt_factor, 2));
    this.put('step', `${fixed(s.median_us, 0)} \u00b5s`);
    this.put('p99', `${fixed(s.p99_us, 0)} \u00b5s`);
    this.put('worst', `${fixed(s.worst_us, 0)} of ${fixed(s.period_us, 0)} \u00b5s`);
    this.put('overruns', `${s.overruns} /s, ${s.all_overruns}`);
    this.put('watchers', String(s.watchers));
  }
  body(kind: BodyKind): void {
    this.put('body-kind', kind);
  }
}

const bar = (kind: string): HTMLElement => h('div', { class: `live-bar ${kind}` }, h('div', {}));

function fill(e: HTMLElement, from: number, size: number): void {
  const inner = e.firstElementChild as HTMLElement;
  inner.style.left = `${100 * from}%`;
  inner.style.width = `${100 * size}%`;
}
