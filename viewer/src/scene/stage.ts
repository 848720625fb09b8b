// The 3D view: renderer, loop, runs on show, picking. Draws only when something changed.
import * as THREE from 'three';
import type { CameraKind, Container, MotionSource, SceneInfo, Theme } from '../api/types';
import { CameraRig } from './camera_rig';
import { Ground } from './ground';
import { paletteBytes, type PaletteName } from './palette';
import { RunView, type Toggles } from './run_view';
import { wholeReach } from './whole_reach';
import type { Coloring, Shared } from './surface';

THREE.ColorManagement.enabled = false; // colours are sRGB numbers throughout

export interface Stats {
  frames: number;
  frameMs: number; // CPU time of the last frame
  fps: number;
  software: boolean;
  triangles: number;
  calls: number;
}

const attributes = { alpha: false, depth: true, stencil: false, antialias: false, powerPreference: 'high-performance' } as const;

/// Smooth edges cost most where there is no graphics processor: then they are left out. Asking costs a context, so the
/// one without is made first and kept where it is the right one.
function makeContext(): { canvas: HTMLCanvasElement; context: WebGL2RenderingContext; software: boolean } {
  const make = (antialias: boolean) => {
    const canvas = document.createElement('canvas'), context = canvas.getContext('webgl2', { ...attributes, antialias });
    if (!context) throw new Error('This browser offers no WebGL 2, which the 3D view needs.');
    return { canvas, context };
  };
  const plain = make(false), gl = plain.context, info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const software = /swiftshader|llvmpipe|software|softpipe/i.test(name);
  if (software) return { ...plain, software };
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return { ...make(true), software };
}

const stillAfter = 400; // ms
const stillPixels = 6e6;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly rig: CameraRig;
  readonly stats: Stats = { frames: 0, frameMs: 0, fps: 0, software: false, triangles: 0, calls: 0 };
  readonly toggles: Toggles = {
    frames: false, joints: false, centres: false, forces: false, jointForces: false, tireForces: true,
    trajectories: true, ground: true, lane: true, edges: false, springs: true,
  };
  runs: RunView[] = [];
  /// Seconds to add to the clock for each run.
  shifts: number[] = [];
  coloring: Coloring = 'part';
  readonly shared: Shared;
  onPick: (part: number) => void = () => {};
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly ground: Ground;
  private readonly ray = new THREE.Raycaster();
  private dirty = true;
  private still = false; // the picture is the finer one
  private width = 0;
  private height = 0;
  private time = 0;
  private lastTick = 0;
  private override: ((run: RunView) => void) | null = null;
  private palette: PaletteName = 'viridis';

  constructor(private readonly element: HTMLElement) {
    const { canvas, context, software } = makeContext();
    this.canvas = canvas;
    this.stats.software = software;
    this.renderer = new THREE.WebGLRenderer({ canvas, context, ...attributes });
    // Asking whether a shader is good waits for its compiler; tests look at pictures instead.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.setPixelRatio(software ? 1 : Math.min(2, devicePixelRatio));
    element.append(this.canvas);
    const palette = new THREE.DataTexture(paletteBytes(this.palette), 256, 1);
    palette.magFilter = palette.minFilter = THREE.LinearFilter;
    palette.needsUpdate = true;
    this.shared = {
      palette: { value: palette },
      scale: { value: 1 },
      coloring: { value: 0 },
      range: { value: new THREE.Vector2(0, 1000) },
    };
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9a94, 1.9));
    const sun = new THREE.DirectionalLight(0xffffff, 1.5);
    sun.position.set(-0.4, 0.5, 1);
    this.scene.add(sun);
    this.ground = new Ground(this.scene);
    this.rig = new CameraRig(this.canvas);
    this.rig.onChange = () => this.redraw();
    this.listenForPicks();
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  private resize(): void {
    const w = Math.max(1, this.element.clientWidth), h = Math.max(1, this.element.clientHeight);
    if (w === this.width && h === this.height) return;
    this.width = w;
    this.height = h;
    this.renderer.setSize(w, h, false);
    this.rig.resize(w / h);
    // A new size clears the canvas: draw before the browser shows it.
    this.dirty = true;
    this.tick(this.lastTick);
  }

  private listenForPicks(): void {
    let down = { x: 0, y: 0 };
    this.canvas.addEventListener('pointerdown', (e) => (down = { x: e.clientX, y: e.clientY }));
    this.canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - down.x, e.clientY - down.y) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      this.onPick(this.pick((2 * (e.clientX - box.left)) / box.width - 1, 1 - (2 * (e.clientY - box.top)) / box.height));
    });
  }

  /// Part of the first run at a place of the picture (-1..1), or -1.
  pick(x: number, y: number): number {
    if (!this.runs.length) return -1;
    this.ray.setFromCamera(new THREE.Vector2(x, y), this.rig.camera);
    return this.runs[0].pick(this.ray)?.part ?? -1;
  }

  clear(): void {
    for (const r of this.runs) r.dispose();
    this.runs = [];
    this.shifts = [];
    this.ground.clear();
    this.dirty = true;
  }

  /// The first run gives ground, lane and cameras; later ones are ghosts.
  addRun(info: SceneInfo, motion: MotionSource): RunView {
    const first = this.runs.length === 0;
    const run = new RunView(info, motion, this.shared, !first);
    this.runs.push(run);
    this.shifts.push(0);
    this.scene.add(run.group);
    run.apply(this.toggles);
    motion.onData(() => this.redraw());
    if (first) {
      const hasTires = info.forces.some((f) => f.tire);
      let z = 0;
      if (!hasTires && !info.lane) {
        z = Infinity;
        info.markers.forEach((m, i) => {
          if (info.parts[m.part].kind !== 'ground') z = Math.min(z, run.poses.markerPosition[3 * i + 2]);
        });
        z = Number.isFinite(z) ? Math.min(0, z - 0.2 * run.extent) : 0;
      }
      this.ground.fit(run.extent, z, hasTires || !!info.lane);
      this.ground.setLane(info.lane);
      this.rig.kind = hasTires ? 'chase' : 'follow';
      this.rig.fit(run.extent);
      // A mechanism that stays where it is is looked at as a whole; what travels is followed.
      const reach = hasTires ? null : wholeReach(info, motion);
      if (reach && reach.radius < 4 * run.extent) this.rig.stand(reach);
      run.arrows.setScale(this.arrowScale(run));
    } else {
      run.arrows.setScale(this.runs[0].arrows.scale);
    }
    this.dirty = true;
    return run;
  }

  /// The weight of the model on four wheels, each drawn a quarter of its length.
  private arrowScale(run: RunView): number {
    const mass = run.scene.parts.reduce((m, p) => m + (p.kind === 'ground' ? 0 : p.mass), 0);
    const weight = mass * (Math.hypot(...run.scene.gravity) || 9.81);
    return weight > 0 ? run.extent / weight : 1e-4;
  }

  setRoad(road: Container): void {
    this.ground.setRoad(road);
    this.dirty = true;
  }

  setTheme(theme: Theme): void {
    this.ground.setTheme(theme);
    this.dirty = true;
  }

  setToggle(name: keyof Toggles, on: boolean): void {
    this.toggles[name] = on;
    for (const r of this.runs) r.apply(this.toggles);
    this.ground.group.visible = this.toggles.ground;
    this.ground.laneGroup.visible = this.toggles.lane;
    this.dirty = true;
  }

  setColoring(kind: Coloring): void {
    this.coloring = kind;
    this.shared.coloring.value = kind === 'displacement' ? 1 : kind === 'stress' ? 2 : 0;
    this.dirty = true;
  }
  /// In m or Pa.
  setColorRange(low: number, high: number): void {
    this.shared.range.value.set(low, 1 / Math.max(high - low, 1e-12));
    this.dirty = true;
  }
  setPalette(name: PaletteName): void {
    this.palette = name;
    const t = this.shared.palette.value as THREE.DataTexture;
    (t.image.data as Uint8Array).set(paletteBytes(name));
    t.needsUpdate = true;
    this.dirty = true;
  }
  setDeformationScale(scale: number): void {
    this.shared.scale.value = scale;
    this.dirty = true;
  }
  setArrowScale(metresPerNewton: number): void {
    for (const r of this.runs) r.arrows.setScale(metresPerNewton);
    this.dirty = true;
  }
  setSelected(part: number): void {
    this.runs[0]?.setSelected(part);
    this.dirty = true;
  }
  setCamera(kind: CameraKind): void {
    this.rig.setKind(kind);
    this.dirty = true;
  }
  setTime(t: number): void {
    this.time = t;
    this.dirty = true;
  }
  /// Poses come from elsewhere than from the motion (mode shapes).
  setOverride(f: ((run: RunView) => void) | null): void {
    this.override = f;
    this.dirty = true;
  }
  redraw(): void {
    this.dirty = true;
  }

  /// Once per animation frame; true when a picture was drawn.
  tick(now: number): boolean {
    if (!this.dirty || !this.runs.length) {
      if (this.stats.software && !this.still && now - this.lastTick > stillAfter) this.drawStill();
      return false;
    }
    this.dirty = false;
    if (this.still) this.renderer.setPixelRatio(1);
    this.still = false;
    const begin = performance.now(), elapsed = Math.min(0.1, (now - this.lastTick) / 1000);
    this.runs.forEach((r, i) => (this.override ? this.override(r) : r.update(this.time + this.shifts[i])));
    const first = this.runs[0];
    if (!first.valid) return false;
    const vehicle = first.scene.vehicle ?? 0, c = first.centreOf(vehicle);
    this.rig.track(c[0], c[1], c[2], first.poses.partTurn, 4 * vehicle, elapsed);
    this.rig.place();
    this.ground.follow(this.rig.target.x, this.rig.target.y);
    this.castShadow(first);
    first.surfaces[vehicle]?.setSheer(this.rig.kind === 'inside');
    for (const r of this.runs) if (r.group.visible) for (const f of r.surfaces) f?.sum(this.renderer);
    this.renderer.render(this.scene, this.rig.camera);
    const s = this.stats;
    ++s.frames;
    s.frameMs = performance.now() - begin;
    s.triangles = this.renderer.info.render.triangles;
    s.calls = this.renderer.info.render.calls;
    if (elapsed > 0 && elapsed < 0.1) s.fps += 0.1 * (1 / elapsed - s.fps);
    this.lastTick = now;
    return true;
  }

  /// Without a GPU moving pictures have rough edges; one that stays is drawn again, finer.
  private drawStill(): void {
    this.still = true;
    const ratio = Math.min(2, Math.sqrt(stillPixels / (this.width * this.height)));
    if (!this.runs[0]?.valid || ratio < 1.2) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.render(this.scene, this.rig.camera);
  }

  /// A vehicle stands on the ground, and does not float over it.
  private castShadow(run: RunView): void {
    const shape = run.footprint();
    if (shape) this.ground.floor.castShadow(shape.x, shape.y, shape.z, shape.heading, shape.halfLength, shape.halfWidth);
  }

  /// Largest elastic displacement of the followed vehicle, m.
  deformation(): number {
    const run = this.runs[0], s = run?.surfaces[run.scene.vehicle ?? 0];
    return s ? s.largest('displacement', Math.max(1, Math.floor(s.vertexCount / 500))) : 0;
  }

  probe(part: number): Float32Array | null {
    return this.runs[0]?.surfaces[part]?.probe(this.renderer) ?? null;
  }

  /// Objects held on the GPU.
  memory(): { geometries: number; textures: number } {
    return { ...this.renderer.info.memory };
  }

  /// The picture as it is, as PNG address.
  picture(): string {
    this.renderer.render(this.scene, this.rig.camera);
    return this.canvas.toDataURL('image/png');
  }
}
