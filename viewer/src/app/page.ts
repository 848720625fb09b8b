// Puts the page together: data, 3D view, panels, clock, keys.
import type { App, CameraKind, Container, DataSource, MotionSource, PlotsHandle, RunInfo, SceneInfo } from '../api/types';
import { mountLive } from '../live';
import { plotsPanel } from '../plots';
import { MotionStore } from '../scene/motion_store';
import type { RunView } from '../scene/run_view';
import { Stage } from '../scene/stage';
import { Clock } from './clock';
import { DisplayPanel } from './display_panel';
import { h } from './dom';
import { exposeHooks } from './hooks';
import { Keys, type Shortcut } from './keys';
import { Legend } from './legend';
import { ModesPanel } from './modes_panel';
import { PartsPanel } from './parts_panel';
import { runPanel } from './run_panel';
import { PageSession } from './session';
import { Shell } from './shell';
import { Timeline } from './timeline';

export class Page implements App {
  readonly bus = new Clock();
  readonly shell = new Shell();
  readonly stageView: Stage;
  readonly timeline: Timeline;
  readonly legend = new Legend();
  readonly parts: PartsPanel;
  readonly display: DisplayPanel;
  readonly plots: PlotsHandle;
  readonly keys: Keys;
  modes: ModesPanel | null = null;
  /// ms since the page began to load, when everything was drawn first.
  firstPicture = NaN;
  private stores: MotionStore[] = [];
  private complete = false;
  private last = 0;

  constructor(readonly session: PageSession, container: HTMLElement, private readonly opening: Promise<Opened>[]) {
    const { shell, bus } = this;
    container.replaceChildren(shell.root);
    this.stageView = new Stage(shell.stage);
    this.stageView.setTheme(session.theme);
    this.timeline = new Timeline(bus, (t, d) => this.stores[0]?.neighbour(t, d) ?? t + 0.01 * d);
    shell.setTimeline(this.timeline.element);
    this.parts = new PartsPanel(session, bus);
    this.display = new DisplayPanel(this.stageView, session, this.legend, bus);
    shell.overlay.append(this.parts.chip, this.legend.element);
    shell.addTab({ id: 'parts', label: 'Parts', panel: this.parts.element });
    shell.addTab({ id: 'display', label: 'Display', panel: this.display.element });
    shell.addTab({ id: 'run', label: 'Run', panel: runPanel(session.info.runs) });
    this.title();
    shell.addButton('Theme', 'Light or dark (t)', 'theme', () => this.switchTheme());
    shell.addButton('?', 'Keyboard shortcuts (?)', 'help-button', () => this.keys.help());
    this.keys = new Keys(this.shortcuts(), shell.stage, () => bus.live);
    container.append(this.keys.dialog);
    session.onNote = (text, kind) => shell.note(text, kind);
    session.on('theme', () => this.stageView.setTheme(session.theme));
    session.on('runs', () => {
      this.stageView.shifts = this.stageView.runs.map((_, i) => session.shift(i));
      this.range();
      this.stageView.redraw();
    });
    session.on('select', () => this.stageView.setSelected(this.partIndex(session.selected)));
    this.stageView.onPick = (part) => {
      const name = this.stageView.runs[0]?.scene.parts[part]?.name ?? null;
      session.select(name);
      if (name) shell.showTab('parts');
    };
    this.plots = plotsPanel.mount(shell.plots, session, bus);
    shell.onResize = () => this.plots.resize();
    new ResizeObserver(() => this.plots.resize()).observe(shell.plots);
    bus.subscribe(() => this.stageView.setTime(bus.time));
    requestAnimationFrame((now) => this.frame(now));
    exposeHooks(this);
  }

  // ---- App, for live driving
  get hud(): HTMLElement {
    return this.shell.hud;
  }
  get commands(): HTMLElement {
    return this.shell.commands;
  }
  get stage(): HTMLElement {
    return this.shell.stage;
  }
  redraw(): void {
    this.stageView.redraw();
  }
  deformation(): number {
    return this.stageView.deformation();
  }
  setCamera(kind: CameraKind): void {
    this.display.setCamera(kind);
  }
  showRoad(road: Container): void {
    this.stageView.setRoad(road);
  }
  async showScene(scene: SceneInfo, motion: MotionSource, asset: (k: number) => Promise<Container>): Promise<void> {
    this.complete = false;
    this.stageView.clear();
    const run = this.stageView.addRun(scene, motion);
    await this.loadAssets(run, asset);
    this.runsReady();
  }

  // ---- start
  async open(): Promise<void> {
    const { info, source } = this.session;
    if (info.mode === 'live') {
      this.shell.root.classList.add('live');
      this.stageView.rig.aside = 0; // a driver looks ahead
      await mountLive(this);
      return;
    }
    const runs = info.runs.slice(0, 2);
    // Channels are for the values panel only: they need not come before the picture.
    source.channels(runs[0].id).then((c) => this.parts.setChannels(c)).catch(() => {});
    // Plots need the time of the run, whether or not there is anything to draw.
    const { t0, t1 } = runs[0];
    if (Number.isFinite(t0) && Number.isFinite(t1)) this.bus.setRange(t0, t1);
    if (runs[0].motion_rows === 0) {
      this.shell.root.classList.add('still');
      this.session.notify('This run holds no motion, so there is nothing to draw but plots.');
      return;
    }
    const opened = await Promise.all(this.opening);
    for (const o of opened) if (o.store.rows) {
      this.stores.push(o.store);
      this.stageView.addRun(o.scene, o.store);
    }
    this.range();
    this.bus.setTime(this.bus.t0);
    await Promise.all(this.stageView.runs.map((run, i) => this.loadAssets(run, (k) => opened[i].assets[k])));
    const road = await opened[0].road.catch(() => null);
    if (road) this.stageView.setRoad(road);
    if (info.mode === 'modes') await this.openModes(runs[0].id);
    this.runsReady();
  }

  private async loadAssets(run: RunView, asset: (k: number) => Promise<Container>): Promise<void> {
    await Promise.all(run.scene.parts.map(async (part, i) => {
      if (part.asset === undefined) return;
      try {
        run.addSurface(i, await asset(part.asset));
      } catch (e) {
        this.session.notify(`Mesh of ${part.name}: ${(e as Error).message}`, 'error');
      }
    }));
    this.stageView.redraw();
  }

  private runsReady(): void {
    this.parts.setRun(this.stageView.runs[0]);
    this.display.runsChanged();
    this.complete = true;
    this.stageView.redraw();
  }

  private async openModes(run: number): Promise<void> {
    this.modes = new ModesPanel(await this.session.source.modes(run), this.stageView.runs[0], this.stageView);
    this.display.toggle('tireForces');
    this.shell.addTab({ id: 'modes', label: 'Modes', panel: this.modes.element });
    this.shell.showTab('modes');
    this.shell.root.classList.add('modes');
  }

  private range(): void {
    const { session } = this;
    let t0 = Infinity, t1 = -Infinity;
    this.stores.forEach((s, i) => {
      t0 = Math.min(t0, s.t0 - session.shift(i));
      t1 = Math.max(t1, s.t1 - session.shift(i));
    });
    if (t1 >= t0) this.bus.setRange(t0, t1);
  }

  private title(): void {
    const [a, b] = this.session.info.runs;
    if (!a) return;
    this.shell.setTitle(h('strong', {}, a.scenario || a.model || a.file), h('span', { class: 'file' }, a.file),
      ...(b ? [h('span', { class: 'ghost' }, b.file)] : []));
    document.title = `${a.file} - Monocoque`;
  }

  private partIndex(name: string | null): number {
    return this.stageView.runs[0]?.scene.parts.findIndex((p) => p.name === name) ?? -1;
  }
  switchTheme(): void {
    this.session.setTheme(this.session.theme === 'dark' ? 'light' : 'dark');
  }

  private frame(now: number): void {
    const elapsed = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    this.bus.tick(elapsed);
    this.modes?.advance(elapsed);
    const drawn = this.stageView.tick(now);
    if (drawn && this.complete && Number.isNaN(this.firstPicture)) {
      this.firstPicture = performance.now();
      this.parts.refresh(true);
    }
    requestAnimationFrame((t) => this.frame(t));
  }

  private shortcuts(): Shortcut[] {
    const { bus, timeline, display, stageView } = this, rig = stageView.rig;
    const camera = (key: string, kind: CameraKind): Shortcut =>
      ({ keys: [key], shown: key, text: `Camera: ${kind}`, live: true, run: () => display.setCamera(kind) });
    const turnBy = (key: string, x: number, y: number, shown = ''): Shortcut =>
      ({ keys: [key], shown, text: 'Turn the view', stage: true, run: () => rig.rotate(x, y) });
    const toggle = (key: string, name: Parameters<DisplayPanel['toggle']>[0], text: string): Shortcut =>
      ({ keys: [key], shown: key, text: `Show ${text}`, run: () => display.toggle(name) });
    return [
      { keys: [' '], shown: 'space', text: 'Play or pause', run: () => this.playPause() },
      { keys: [','], shown: ',', text: 'One row back', run: () => timeline.step(-1) },
      { keys: ['.'], shown: '.', text: 'One row forward', run: () => timeline.step(1) },
      { keys: ['<', ';'], shown: '<', text: 'A hundredth back', run: () => timeline.jump(-1) },
      { keys: ['>', ':'], shown: '>', text: 'A hundredth forward', run: () => timeline.jump(1) },
      { keys: ['Home'], shown: 'Home', text: 'To the begin', run: () => bus.setTime(bus.t0) },
      { keys: ['End'], shown: 'End', text: 'To the end', run: () => bus.setTime(bus.t1) },
      { keys: ['['], shown: '[', text: 'Slower', run: () => timeline.faster(-1) },
      { keys: [']'], shown: ']', text: 'Faster', run: () => timeline.faster(1) },
      { keys: ['l'], shown: 'l', text: 'Loop', run: () => bus.setLoop(!bus.loop) },
      camera('1', 'chase'), camera('2', 'follow'), camera('3', 'free'), camera('4', 'inside'),
      { keys: ['0'], shown: '0', text: 'Camera to its first place', live: true, run: () => rig.home() },
      turnBy('ArrowLeft', -0.06, 0, 'arrows'), turnBy('ArrowRight', 0.06, 0), turnBy('ArrowUp', 0, 0.05), turnBy('ArrowDown', 0, -0.05),
      { keys: ['+', '='], shown: '+', text: 'Zoom in', live: true, run: () => rig.zoom(0.9) },
      { keys: ['-'], shown: '-', text: 'Zoom out', live: true, run: () => rig.zoom(1 / 0.9) },
      { keys: ['c'], shown: 'c', text: 'Next colouring', run: () => display.nextColoring() },
      toggle('f', 'tireForces', 'tire forces'), toggle('e', 'forces', 'forces of elements'), toggle('j', 'joints', 'joints'),
      toggle('g', 'centres', 'centres of gravity'), toggle('x', 'frames', 'frames'), toggle('r', 'trajectories', 'trajectories'),
      { keys: ['p'], shown: 'p', text: 'To the tree of parts', run: () => this.toParts() },
      { keys: ['Escape'], shown: 'Esc', text: 'Select nothing', run: () => this.session.select(null) },
      { keys: ['t'], shown: 't', text: 'Light or dark', live: true, run: () => this.switchTheme() },
      { keys: ['?'], shown: '?', text: 'This page', live: true, run: () => this.keys.help() },
    ];
  }

  private playPause(): void {
    if (this.modes) this.modes.playing = !this.modes.playing;
    else this.bus.setPlaying(!this.bus.playing);
  }
  private toParts(): void {
    this.shell.showTab('parts');
    this.shell.root.querySelector<HTMLElement>('#parts [tabindex="0"]')?.focus();
  }
}

interface Opened {
  scene: SceneInfo;
  store: MotionStore;
  assets: Promise<Container>[];
  road: Promise<Container | null>;
}

/// Asks for all that a run's picture needs.
async function openRun(source: DataSource, run: RunInfo): Promise<Opened> {
  const scene = await source.scene(run.id);
  const store = new MotionStore(source, run.id, scene, run.motion_rows);
  const assets = (scene.assets ?? []).map((_, k) => source.asset(run.id, k));
  const road = scene.road && !scene.road.flat ? source.road(run.id) : Promise.resolve(null);
  for (const a of [...assets, road]) a.catch(() => {}); // told where they are awaited
  await store.open();
  return { scene, store, assets, road };
}

export async function openPage(source: DataSource, container: HTMLElement): Promise<void> {
  const info = await source.session();
  // Data is on its way while the page is being made.
  const opening = info.mode === 'live' ? [] : info.runs.slice(0, 2).map((r) => openRun(source, r));
  for (const o of opening) o.catch(() => {});
  const page = new Page(new PageSession(source, info), container, opening);
  try {
    await page.open();
  } catch (e) {
    page.session.notify((e as Error).message, 'error');
  }
}
