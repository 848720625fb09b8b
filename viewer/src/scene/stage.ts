// The 3D view: renderer, loop, runs on show, picking. Draws only when something changed.
import * as THREE from 'three';
import type { CameraKind, Container, MotionSource, SceneInfo, Theme } from '../api/types';
import { CameraRig } from './camera_rig';
import { Ground } from './ground';
import { paletteBytes, type PaletteName } from './palette';
import { RunView, type Toggles } from './run_view';
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

function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new Error('This browser offers no WebGL 2, which the 3D view needs.');
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|softpipe/i.test(name);
}

export class Stage {
  readonly canvas = document.createElement('canvas');
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
  private time = 0;
  private lastTick = 0;
  private override: ((run: RunView) => void) | null = null;
  private palette: PaletteName = 'viridis';

  constructor(private readonly element: HTMLElement) {
    this.stats.software = isSoftware();
    const { software } = this.stats;
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !software, powerPreference: 'high-performance' });
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
    this.renderer.setSize(w, h, false);
    this.rig.camera.aspect = w / h;
    this.rig.camera.updateProjectionMatrix();
    this.dirty = true;
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
    if (!this.dirty || !this.runs.length) return false;
    this.dirty = false;
    const begin = performance.now(), elapsed = Math.min(0.1, (now - this.lastTick) / 1000);
    this.runs.forEach((r, i) => (this.override ? this.override(r) : r.update(this.time + this.shifts[i])));
    const first = this.runs[0];
    if (!first.valid) return false;
    const vehicle = first.scene.vehicle ?? 0, c = first.centreOf(vehicle);
    this.rig.track(c[0], c[1], c[2], first.poses.partTurn, 4 * vehicle, elapsed);
    this.ground.follow(c[0], c[1]);
    this.rig.place();
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

  /// Largest elastic displacement of the followed vehicle, m.
  deformation(): number {
    const run = this.runs[0], s = run?.surfaces[run.scene.vehicle ?? 0];
    return s ? s.largest('displacement', Math.max(1, Math.floor(s.vertexCount / 500))) : 0;
  }

  probe(part: number): Float32Array | null {
    return this.runs[0]?.surfaces[part]?.probe(this.renderer) ?? null;
  }

  /// The picture as it is, as PNG address.
  picture(): string {
    this.renderer.render(this.scene, this.rig.camera);
    return this.canvas.toDataURL('image/png');
  }
}
