// Keys, gamepad and touch, each giving pedals; the one that was moved last counts.
import { h } from '../app/dom';
import { noPedals, type Pedals } from './messages';

export type Command = 'reset' | 'body' | 'pause';

type Held = 'left' | 'right' | 'go' | 'stop' | 'hold';
const steering: Record<string, Held | undefined> = {
  ArrowLeft: 'left', KeyA: 'left', ArrowRight: 'right', KeyD: 'right', ArrowUp: 'go', KeyW: 'go', ArrowDown: 'stop', KeyS: 'stop',
  Space: 'hold',
};
const commands: Record<string, Command | undefined> = { KeyR: 'reset', KeyF: 'body', KeyP: 'pause' };

export class Keyboard {
  readonly pedals = noPedals();
  private readonly down = new Set<string>();

  constructor(private readonly changed: () => void, command: (c: Command) => void, active: () => boolean) {
    document.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !active() || typing(e.target) || document.querySelector('dialog[open]')) return;
      const c = commands[e.code];
      if (c ?? steering[e.code]) {
        e.preventDefault();
        e.stopPropagation();
      }
      if (c && !e.repeat) command(c);
      if (steering[e.code]) this.set(e.code, true);
    }, { capture: true });
    document.addEventListener('keyup', (e) => this.set(e.code, false), { capture: true });
    // Keys released elsewhere are never heard of.
    addEventListener('blur', () => this.release());
  }

  release(): void {
    this.down.clear();
    this.update();
  }
  private set(code: string, on: boolean): void {
    if (!steering[code] || on === this.down.has(code)) return;
    if (on) this.down.add(code);
    else this.down.delete(code);
    this.update();
  }
  private update(): void {
    const any = (name: Held) => [...this.down].some((code) => steering[code] === name);
    this.pedals.steer = (any('right') ? 1 : 0) - (any('left') ? 1 : 0);
    this.pedals.throttle = any('go') ? 1 : 0;
    this.pedals.hold = any('hold');
    this.pedals.brake = any('stop') || this.pedals.hold ? 1 : 0;
    this.changed();
  }
}

/// Text fields and lists keep their keys; a space on a button presses it.
function typing(target: EventTarget | null): boolean {
  const e = target as HTMLElement | null;
  return !!e?.tagName && /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) && (e as HTMLInputElement).type !== 'checkbox';
}

/// Standard layout: left stick steers, triggers are pedals, A holds, X changes the body, Y resets, start pauses.
export class Gamepads {
  readonly pedals = noPedals();
  private readonly pressed = new Map<number, boolean>();

  constructor(private readonly changed: () => void, private readonly command: (c: Command) => void) {}

  /// Once per frame.
  poll(): void {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) return;
    const zone = 0.08, axis = pad.axes[0] ?? 0;
    const steer = Math.abs(axis) < zone ? 0 : (axis - Math.sign(axis) * zone) / (1 - zone);
    const button = (k: number) => pad.buttons[k]?.value ?? 0;
    const next: Pedals = { steer, throttle: button(7), brake: Math.max(button(6), button(0)), hold: button(0) > 0.5 };
    const edges: [number, Command][] = [[3, 'reset'], [2, 'body'], [9, 'pause']];
    for (const [k, c] of edges) {
      const on = button(k) > 0.5;
      if (on && !this.pressed.get(k)) this.command(c);
      this.pressed.set(k, on);
    }
    const p = this.pedals;
    if (next.steer === p.steer && next.throttle === p.throttle && next.brake === p.brake && next.hold === p.hold) return;
    Object.assign(p, next);
    this.changed();
  }
}

/// A steering bar and two pedals for thumbs.
export class Touch {
  readonly pedals = noPedals();
  readonly element: HTMLElement;

  constructor(private readonly changed: () => void) {
    const knob = h('div', { class: 'live-knob' });
    const bar = h('div', { class: 'live-steer', 'aria-label': 'Steering' }, knob);
    const brake = h('div', { class: 'live-pedal brake' }, 'Brake'), go = h('div', { class: 'live-pedal go' }, 'Go');
    this.element = h('div', { class: 'live-touch', id: 'live-touch' }, bar, brake, go);
    this.drag(bar, (fx) => {
      this.pedals.steer = fx === null ? 0 : Math.max(-1, Math.min(1, 2.4 * (fx - 0.5)));
      knob.style.transform = `translateX(${50 * this.pedals.steer}px)`;
    });
    this.drag(brake, (_, fy) => (this.pedals.brake = press(fy)));
    this.drag(go, (_, fy) => (this.pedals.throttle = press(fy)));
  }

  /// Places within the element, 0 to 1; null when let go.
  private drag(e: HTMLElement, set: (fx: number | null, fy: number | null) => void): void {
    const at = (p: PointerEvent) => {
      const box = e.getBoundingClientRect();
      set((p.clientX - box.left) / box.width, (p.clientY - box.top) / box.height);
      this.changed();
    };
    e.addEventListener('pointerdown', (p) => {
      p.preventDefault();
      p.stopPropagation();
      e.setPointerCapture(p.pointerId);
      e.classList.add('held');
      at(p);
    });
    e.addEventListener('pointermove', (p) => {
      if (e.hasPointerCapture(p.pointerId)) at(p);
    });
    const end = () => {
      e.classList.remove('held');
      set(null, null);
      this.changed();
    };
    e.addEventListener('pointerup', end);
    e.addEventListener('pointercancel', end);
  }
}

/// The higher the thumb, the more; a tap in the middle is already half.
const press = (fy: number | null): number => (fy === null ? 0 : Math.max(0.15, Math.min(1, 1.1 - fy)));
