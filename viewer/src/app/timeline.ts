// Play, pause, step, scrub, loop, speed.
import type { TimeBus } from '../api/types';
import { fixed, h } from './dom';

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock: HTMLOutputElement;
  private readonly speed: HTMLSelectElement;
  private readonly loop: HTMLButtonElement;
  private shownPlaying: boolean | null = null;
  private lastShown = 0;

  /// `neighbour` gives the time of the row before or after another.
  constructor(private readonly bus: TimeBus, private readonly neighbour: (t: number, direction: number) => number) {
    const icon = (path: string) => {
      const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      s.setAttribute('viewBox', '0 0 16 16');
      s.setAttribute('aria-hidden', 'true');
      const p = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      p.setAttribute('d', path);
      s.append(p);
      return s as unknown as Node;
    };
    const button = (label: string, keys: string, path: string, f: () => void, id: string) =>
      h('button', { id, class: 'icon', 'aria-label': label, title: `${label} (${keys})`, onclick: f }, icon(path));
    this.play = button('Play', 'space', 'M4 2l10 6-10 6z', () => bus.setPlaying(!bus.playing), 'play');
    this.slider = h('input', { type: 'range', id: 'scrub', min: 0, max: 1, step: 'any', 'aria-label': 'Time', value: 0 });
    this.slider.addEventListener('input', () => {
      bus.setPlaying(false);
      bus.setTime(Number(this.slider.value));
    });
    // Arrow keys move by rows or seconds, not by the browser's guess.
    this.slider.addEventListener('keydown', (e) => {
      const d = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[e.key];
      if (!d) return;
      e.preventDefault();
      if (e.shiftKey) this.jump(d);
      else this.step(d);
    });
    this.clock = h('output', { id: 'clock', class: 'clock', 'aria-live': 'off' });
    this.speed = h('select', { id: 'speed', 'aria-label': 'Speed of play', title: 'Speed ([ and ])' });
    for (const s of speeds) this.speed.append(h('option', { value: s }, `${s} x`));
    this.speed.addEventListener('change', () => bus.setSpeed(Number(this.speed.value)));
    this.loop = h('button', { id: 'loop', class: 'text', 'aria-pressed': 'false', title: 'Loop (l)', onclick: () => bus.setLoop(!bus.loop) }, 'Loop');
    this.element = h('div', { class: 'timeline', role: 'group', 'aria-label': 'Time line' },
      h('div', { class: 'transport' },
        button('Step back', ',', 'M3 2h2v12H3zM14 2v12L6 8z', () => this.step(-1), 'step-back'),
        this.play,
        button('Step forward', '.', 'M11 2h2v12h-2zM2 2l8 6-8 6z', () => this.step(1), 'step-forward')),
      this.slider, this.clock, this.speed, this.loop);
    bus.subscribe(() => this.show());
  }

  step(direction: number): void {
    this.bus.setPlaying(false);
    this.bus.setTime(this.neighbour(this.bus.time, direction));
  }
  /// By a hundredth of the range.
  jump(direction: number): void {
    this.bus.setTime(this.bus.time + (direction * (this.bus.t1 - this.bus.t0)) / 100);
  }
  faster(direction: number): void {
    const i = speeds.findIndex((s) => s >= this.bus.speed - 1e-9);
    this.bus.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, (i < 0 ? speeds.length - 1 : i) + direction))]);
  }

  /// Text that changes makes the browser paint: while playing, as often as one can follow.
  private show(): void {
    const { bus, slider } = this, now = performance.now();
    if (bus.playing && this.shownPlaying && now - this.lastShown < 66) return;
    this.lastShown = now;
    slider.min = String(bus.t0);
    slider.max = String(bus.t1);
    slider.value = String(bus.time);
    const text = `${fixed(bus.time, 3)} / ${fixed(bus.t1, 2)} s`;
    this.clock.textContent = text;
    slider.setAttribute('aria-valuetext', `${fixed(bus.time, 3)} seconds`);
    if (this.shownPlaying !== bus.playing) {
      this.shownPlaying = bus.playing;
      this.play.setAttribute('aria-label', bus.playing ? 'Pause' : 'Play');
      this.play.title = bus.playing ? 'Pause (space)' : 'Play (space)';
      this.play.querySelector('path')!.setAttribute('d', bus.playing ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M4 2l10 6-10 6z');
    }
    this.speed.value = String(bus.speed);
    this.loop.setAttribute('aria-pressed', String(bus.loop));
  }
}
