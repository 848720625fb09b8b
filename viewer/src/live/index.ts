// Driving live: connection, inputs, picture, plots and the state of the simulation on one page.
import './live.css';
import { h } from '../app/dom';
import { readContainer } from '../api/container';
import type { App, SceneInfo } from '../api/types';
import { Connection, liveAddress } from './connection';
import { Frames } from './frames';
import { Hud } from './hud';
import { Gamepads, Keyboard, Touch, type Command } from './inputs';
import { noPedals, paused, type BodyKind, type Hello, type Message, type Pedals, type Stats } from './messages';

const heartbeat = 200; // ms; the server lets the car roll out when a driver is silent for a second
const newRoad = 40; // m from the place the road was asked for last

/// What the page itself knows of a live run, plotted beside the channels of the model.
const ownChannels = [
  { path: 'live/real_time_factor', unit: '1' }, { path: 'live/worst_step', unit: 'us' }, { path: 'live/deformation', unit: 'mm' },
];

class Live {
  private readonly hud = new Hud();
  private readonly connection: Connection;
  private readonly keyboard: Keyboard;
  private readonly gamepads: Gamepads;
  private readonly touch: Touch;
  private pedals: Pedals = noPedals();
  private fresh = false; // pedals changed since they were sent
  private sent = 0;
  private scene: SceneInfo | null = null;
  private sceneText = '';
  private drawn = false; // the scene is with the page
  private bent = 0; // m, largest elastic displacement
  private shownAt = NaN; // time of the frame whose speed stands on the page
  private plotted = new Float32Array(0);
  private paths: string[] = [];
  frames: Frames | null = null;
  stats: Stats | null = null;
  driver = false;
  connected = false;
  body: BodyKind = 'flexible';
  events: string[] = [];
  private road: [number, number] | null = null;
  private readonly buttons: Record<Command | 'wheel' | 'give', HTMLButtonElement>;

  constructor(private readonly app: App) {
    const button = (id: string, text: string, title: string, run: () => void) =>
      h('button', { class: 'text', id: `live-${id}`, title, onclick: (e: Event) => {
        (e.currentTarget as HTMLElement).blur(); // the next space belongs to the brake
        run();
      } }, text);
    this.buttons = {
      wheel: button('wheel', 'Take the wheel', 'Drive instead of watching', () => this.connection.send({ type: 'take_wheel' })),
      give: button('give', 'Give the wheel', 'A watcher has asked for it', () => this.connection.send({ type: 'give_wheel' })),
      pause: button('pause', 'Pause', 'Pause (P)', () => this.command('pause')),
      reset: button('reset', 'Reset', 'Back to the start (R)', () => this.command('reset')),
      body: button('body', 'Rigid body', 'Flexible or rigid body (F)', () => this.command('body')),
    };
    this.buttons.give.hidden = true;
    app.commands.append(...Object.values(this.buttons));
    app.hud.append(this.hud.element);
    const moved = (p: Pedals) => () => {
      this.pedals = p;
      this.fresh = true;
    };
    const command = (c: Command) => this.command(c);
    this.keyboard = new Keyboard(() => moved(this.keyboard.pedals)(), command, () => this.driver);
    this.gamepads = new Gamepads(() => moved(this.gamepads.pedals)(), command);
    this.touch = new Touch(() => moved(this.touch.pedals)());
    app.stage.append(this.touch.element);
    app.bus.setLive(true);
    this.connection = new Connection(liveAddress(), {
      message: (m) => this.message(m),
      state: (bytes) => this.state(bytes),
      open: (on) => this.opened(on),
    });
    requestAnimationFrame(() => this.draw());
    setInterval(() => this.give(true), heartbeat);
    setInterval(() => this.show(), 100);
  }

  private opened(on: boolean): void {
    this.connected = on;
    if (!on) this.setDriver(false, false);
    this.hud.say(on ? '' : 'connection lost, trying again');
  }

  private hello(m: Hello): void {
    this.setDriver(m.driver, false);
    this.setBody(m.body);
    this.buttons.body.disabled = !m.can_switch;
    // After a break of the connection the same car is still there.
    const text = JSON.stringify(m.scene);
    if (this.scene && text === this.sceneText) return;
    this.scene = m.scene;
    this.sceneText = text;
    this.app.plots.setChannels?.([...m.channels, ...ownChannels]);
    this.paths = m.channels.map((c) => c.path);
    this.plotted = new Float32Array(m.channels.length + ownChannels.length);
    this.frames = new Frames(m.scene, m.channels.length, 1 / m.rate_Hz);
    this.drawn = false;
  }

  /// Sizes and cameras follow from where things are: the first frame comes before the picture.
  private async showFirst(frames: Frames): Promise<void> {
    this.drawn = true;
    await this.app.showScene(this.scene!, frames, (k) => this.app.session.source.asset(0, k));
    this.app.setCamera('chase');
  }

  private message(m: Message): void {
    switch (m.type) {
      case 'hello':
        this.hello(m);
        break;
      case 'stats':
        this.stats = m;
        this.hud.stats(m);
        break;
      case 'driver':
        this.setDriver(m.you, m.free);
        break;
      case 'body':
        this.setBody(m.kind);
        break;
      case 'wheel_wanted':
        this.buttons.give.hidden = false;
        this.app.session.notify('A watcher asks for the wheel: press "Give the wheel" to agree.');
        break;
      case 'event':
        this.events.push(m.text);
        if (this.events.length > 100) this.events.shift();
        this.app.session.notify(m.text, m.kind === 'failed' ? 'error' : 'info');
        break;
      case 'error':
        this.app.session.notify(m.text, 'error');
    }
  }

  private setDriver(on: boolean, free: boolean): void {
    if (on !== this.driver) {
      this.keyboard.release();
      this.app.session.notify(on ? `You drive: ${howTo()}` : free ? 'Nobody drives.' : 'You watch.');
    }
    this.driver = on;
    this.buttons.wheel.hidden = on;
    this.buttons.give.hidden = true;
    for (const c of ['pause', 'reset', 'body'] as const) this.buttons[c].hidden = !on;
  }
  private setBody(kind: BodyKind): void {
    this.body = kind;
    this.buttons.body.textContent = kind === 'rigid' ? 'Flexible body' : 'Rigid body';
    this.hud.body(kind);
  }

  private command(c: Command): void {
    if (!this.driver) return;
    if (c === 'reset') this.connection.send({ type: 'reset' });
    else if (c === 'pause') this.connection.send({ type: 'pause', on: !((this.frames?.flags ?? 0) & paused) });
    else this.connection.send({ type: 'body', kind: this.body === 'rigid' ? 'flexible' : 'rigid' });
  }

  private state(bytes: ArrayBuffer): void {
    const { frames } = this;
    if (!frames?.add(bytes, performance.now() / 1000)) return;
    if (!this.drawn) void this.showFirst(frames);
    this.app.bus.setRange(frames.t0, frames.t1);
    const n = frames.channels.length, { plotted, stats } = this;
    plotted.set(frames.channels);
    plotted[n] = stats ? Math.round(1e3 * stats.rt_factor) / 1e3 : NaN; // finer is the clock's noise, and would fill the plot
    plotted[n + 1] = stats?.worst_us ?? NaN;
    plotted[n + 2] = 1e3 * this.bent;
    this.app.plots.push?.(frames.t1, plotted);
    this.needRoad();
  }

  private needRoad(): void {
    const { scene, frames, app } = this;
    if (!scene?.road || scene.road.flat || !frames) return;
    const part = scene.parts[scene.vehicle ?? 1], [x, y] = frames.place(scene.vehicle ?? 1);
    if (part.x < 0 || (this.road && Math.hypot(x - this.road[0], y - this.road[1]) < newRoad)) return;
    const heading = this.road ? Math.atan2(y - this.road[1], x - this.road[0]) : 0;
    this.road = [x, y];
    const query = `x=${x.toFixed(2)}&y=${y.toFixed(2)}&heading=${heading.toFixed(3)}`;
    fetch(`api/runs/0/road?${query}`)
      .then(async (r) => (r.ok ? readContainer(await r.arrayBuffer()) : null))
      .then((c) => c && app.showRoad(c))
      .catch(() => {});
  }

  private give(always: boolean): void {
    if (!this.driver || !this.connected || !(this.fresh || always)) return;
    this.fresh = false;
    ++this.sent;
    const { steer, throttle, brake, hold } = this.pedals;
    this.connection.send({ type: 'input', steer, throttle, brake, ...(hold ? { hold } : {}) });
  }

  private draw(): void {
    this.gamepads.poll();
    this.give(false);
    if (this.frames?.count) this.app.bus.setTime(this.frames.shown(performance.now() / 1000));
    requestAnimationFrame(() => this.draw());
  }

  private show(): void {
    if (!this.frames?.count || !this.connected) return;
    this.bent = this.body === 'rigid' ? 0 : this.app.deformation();
    this.hud.motion(this.frames.speed, this.frames.flags, this.bent, this.pedals);
    this.shownAt = this.frames.t1;
  }

  /// For tests.
  hooks(): object {
    return {
      get: () => ({
        t: this.frames?.t1, t0: this.frames?.t0, sequence: this.frames?.sequence, speed: this.frames?.speed, flags: this.frames?.flags,
        frames: this.frames?.count, place: this.scene && this.frames?.count ? this.frames.place(this.scene.vehicle ?? 1) : null,
        heading: this.frames?.count && this.scene ? this.frames.heading(this.scene.vehicle ?? 1) : 0,
        driver: this.driver, body: this.body, stats: this.stats, events: [...this.events], connected: this.connected, refused: this.frames?.refused,
        inputs: this.sent, shownAt: this.shownAt,
      }),
      /// Newest values of some channels, and their time.
      values: (...paths: string[]) => ({ t: this.frames?.t1, values: paths.map((p) => this.frames?.channels[this.paths.indexOf(p)]) }),
      lane: () => this.scene?.lane?.path ?? [],
      drop: () => this.connection.drop(),
    };
  }
}

const howTo = (): string =>
  matchMedia('(pointer: coarse)').matches ? 'bar steers, Go and Brake below.' : 'arrow keys or WASD, space holds, R back to the start, F body.';

export async function mountLive(app: App): Promise<void> {
  const live = new Live(app);
  (window as unknown as { __live: object }).__live = live.hooks();
}
