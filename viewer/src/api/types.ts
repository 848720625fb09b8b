// What the pieces of the viewer tell each other. The server's side of it: container answers, scene JSON.

// ---- data as the server gives it -----------------------------------------------------------------------------------

export interface RunInfo {
  id: number;
  file: string;
  model: string;
  scenario: string;
  solver: string;
  created: string;
  complete: boolean;
  rows: number;
  t0: number;
  t1: number;
  channels: number;
  motion_rows: number;
  summary?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  version?: string;
  git_commit?: string;
}

export type Mode = 'view' | 'live' | 'modes';

export interface SessionInfo {
  mode: Mode;
  runs: RunInfo[];
  readonly: boolean;
}

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w x y z, part to world

export interface SceneRotor {
  name: string;
  position: Vec3;
  axis: Vec3;
  q: number; // index of its angle among the part's nq coordinates
}

export interface ScenePart {
  name: string;
  kind: 'flexible' | 'rigid' | 'particle' | 'ground';
  mass: number;
  x: number; // begin of its coordinates in a motion row; < 0: does not move
  turns: boolean;
  nq: number;
  com?: Vec3;
  origin?: Vec3;
  asset?: number;
  rotors?: SceneRotor[];
}

export interface SceneMarker {
  name: string;
  part: number;
  position: Vec3;
  quaternion: Quat;
  rotor?: number;
  phi?: number[][];
}

export interface SceneJoint {
  name: string;
  type: string;
  markers: number[];
  arrow?: number;
}

export interface SceneForce {
  name: string;
  type: string;
  markers: number[];
  arrow?: number;
  tire?: { radius: number; width: number };
  draw?: 'spring' | 'tire' | 'line' | 'none';
}

export interface SceneLane {
  cones?: [number, number, number, number][]; // x, y, side, radius
  limits?: [number, number][][];
  path?: [number, number][];
  outline?: [number, number, number]; // width, front, rear
}

export interface AssetInfo {
  points: number;
  triangles: number;
  nq: number;
  stress: boolean;
}

export interface SceneInfo {
  version: number;
  model: string;
  gravity: Vec3;
  row: number; // numbers in a motion row
  arrows: number; // numbers in a row of arrows
  vehicle?: number; // index of the part that cameras follow
  parts: ScenePart[];
  markers: SceneMarker[];
  joints: SceneJoint[];
  forces: SceneForce[];
  lane?: SceneLane | null;
  road?: { flat: boolean; description?: string } | null;
  assets?: AssetInfo[];
  modes?: number;
}

export interface ChannelInfo {
  path: string;
  unit: string;
}

export type NumberArray = Float32Array | Float64Array | Uint32Array | Int32Array;

/// One binary answer: arrays by name and the other keys of its JSON head.
export interface Container {
  meta: Record<string, unknown>;
  arrays: Map<string, { data: NumberArray; shape: number[] }>;
}

/// Where everything comes from: fetch() from the server, or data embedded in a one-file export.
/// Channels are named by index, or by 'e:EXPR' for a derived one. Every method rejects with an Error that carries the server's text.
export interface DataSource {
  readonly embedded: boolean;
  session(): Promise<SessionInfo>;
  scene(run: number): Promise<SceneInfo>;
  asset(run: number, asset: number): Promise<Container>;
  motion(run: number, from: number, count: number, stride: number): Promise<Container>;
  road(run: number): Promise<Container | null>;
  channels(run: number): Promise<ChannelInfo[]>;
  data(run: number, channels: (number | string)[], from: number, to: number, points: number): Promise<Container>;
  values(run: number, t: number): Promise<{ t: number; values: number[] }>;
  at(run: number, channels: (number | string)[], t: number): Promise<number[]>;
  xy(run: number, x: number | string, y: number | string, from: number, to: number, points: number): Promise<Container>;
  psd(run: number, channel: number | string, from: number, to: number, window: number, overlap: number): Promise<Container>;
  /// Address for a download link; null when there is no server.
  csvAddress(run: number, channels: (number | string)[], from: number, to: number): string | null;
  modes(run: number): Promise<Container>;
  layout(run: number): Promise<unknown>;
  saveLayout(run: number, layout: unknown): Promise<void>;
}

// ---- time ----------------------------------------------------------------------------------------------------------

export type TimeListener = (bus: TimeBus) => void;

/// The one clock of the page; the 3D view, the plots' cursor and the time line follow it. Implementation: app/clock.ts.
export interface TimeBus {
  readonly t0: number;
  readonly t1: number;
  readonly time: number;
  readonly playing: boolean;
  readonly speed: number; // simulated s per s
  readonly loop: boolean;
  /// True while the server, not the page, advances the time.
  readonly live: boolean;
  setRange(t0: number, t1: number): void;
  setTime(t: number): void; // bounded to the range
  setPlaying(on: boolean): void;
  setSpeed(speed: number): void;
  setLoop(on: boolean): void;
  setLive(on: boolean): void;
  /// Called at most once per animation frame after any change; returns the function that ends it.
  subscribe(listener: TimeListener): () => void;
}

// ---- the session on the page ---------------------------------------------------------------------------------------

export type Theme = 'light' | 'dark';

/// What a panel may use: where data comes from, the runs on show, the theme.
export interface Session {
  readonly source: DataSource;
  readonly info: SessionInfo;
  /// Time added to the clock to get the time in a run (two runs side by side): t_run = bus.time + shift(run).
  shift(run: number): number;
  readonly theme: Theme;
  /// 'theme': colours changed; 'runs': shift changed; 'select': another part was selected.
  on(event: 'theme' | 'runs' | 'select', listener: () => void): () => void;
  /// Name of the selected part, or null.
  readonly selected: string | null;
  select(part: string | null): void;
  /// A line of text for the user (also read by screen readers); kind 'error' stays until dismissed.
  notify(text: string, kind?: 'info' | 'error'): void;
}

// ---- plots (helper B: src/plots/index.ts exports `plotsPanel: PlotsPanel`) ---------------------------------------------

export interface PlotsPanel {
  mount(element: HTMLElement, session: Session, bus: TimeBus): PlotsHandle;
}

export interface PlotsHandle {
  /// The element's size changed, or it became visible.
  resize(): void;
  /// The layout as JSON, for saving and for the export.
  layout(): unknown;
  destroy(): void;
  /// Live runs: one row of all channel values at time t (values is reused by the caller).
  push?(t: number, values: ArrayLike<number>): void;
  /// Live runs: the channels of those rows.
  setChannels?(channels: ChannelInfo[]): void;
}

// ---- motion and live (helper D: src/live/index.ts exports `mountLive(app)`) ------------------------------------------------

/// Gives the state of a run at any time; the 3D view asks once per frame.
export interface MotionSource {
  readonly t0: number;
  readonly t1: number;
  /// Fills x (scene.row) and arrows (scene.arrows) for time t; false when nothing is known yet (then they are untouched).
  at(t: number, x: Float64Array, arrows: Float64Array): boolean;
  /// Rows of the whole way, thinned, for trajectories; null: draw none (live sources may grow a trail of their own).
  overview(): { time: Float64Array; x: Float32Array; rows: number } | null;
  /// Called by the 3D view with the function to call when new data arrived for what was asked last.
  onData(listener: () => void): void;
}

/// What live driving may do with the page.
export interface App {
  readonly session: Session;
  readonly bus: TimeBus;
  /// Replaces the runs in the 3D view by one fed by `motion`; `asset(k)` gives meshes. Resolves when drawn.
  showScene(scene: SceneInfo, motion: MotionSource, asset: (k: number) => Promise<Container>): Promise<void>;
  /// Draws the next frame even while paused.
  redraw(): void;
  /// Overlay above the 3D view (top right, over the canvas), for speed, pedals, statistics. Empty at first.
  readonly hud: HTMLElement;
  /// Line of buttons beside the title, for commands such as "take the wheel". Empty at first.
  readonly commands: HTMLElement;
  readonly plots: PlotsHandle;
  /// Element that takes key presses when the 3D view is focused.
  readonly stage: HTMLElement;
  /// Largest elastic displacement now drawn on the vehicle, in m (0 when rigid).
  deformation(): number;
  setCamera(kind: CameraKind): void;
  /// Replaces the strip of road that is drawn.
  showRoad(road: Container): void;
}

export type CameraKind = 'chase' | 'follow' | 'free' | 'inside';
