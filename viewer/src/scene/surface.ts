// The surface of a part. Elastic displacement is summed on the GPU: mode shapes lie in a float texture (texel
// vertex * nq + mode), the coordinates of the instant in a small one; a pass sums them into a third with one texel per
// vertex, which the vertex shader reads. Normals come from screen derivatives, so they need no sum of their own.
import * as THREE from 'three';
import { needArray } from '../api/container';
import type { Container } from '../api/types';
import { elasticGlsl, fragmentGlsl, lineFragmentGlsl, sumFragmentGlsl, sumVertexGlsl, vertexGlsl } from './surface_glsl';

const logWidth = 11; // texels in a row of a mode texture: 2048
const logSums = 8;
const mostTextureBytes = 512 << 20;

export type Coloring = 'part' | 'displacement' | 'stress';

/// Uniforms that all surfaces share: one object each, so that a change reaches every material.
export interface Shared {
  palette: { value: THREE.Texture };
  scale: { value: number };
  coloring: { value: number }; // 0 part, 1 displacement, 2 stress
  range: { value: THREE.Vector2 }; // low and 1 / (high - low)
}

function floatTexture(data: Float32Array<ArrayBuffer>, width: number, height: number): THREE.DataTexture {
  const t = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
  t.minFilter = t.magFilter = THREE.NearestFilter;
  t.generateMipmaps = false;
  t.needsUpdate = true;
  return t;
}

/// n x parts x nq numbers to texels of vertex * nq + mode; components begin.. of each row.
function modeTexture(source: Float32Array, n: number, parts: number, nq: number, begin: number, count: number) {
  const width = 1 << logWidth, height = Math.max(1, Math.ceil((n * nq) / width));
  const texels = new Float32Array(width * height * 4);
  for (let v = 0; v < n; ++v)
    for (let c = 0; c < count; ++c) {
      let from = (v * parts + begin + c) * nq, to = 4 * v * nq + c;
      for (let k = 0; k < nq; ++k, ++from, to += 4) texels[to] = source[from];
    }
  return floatTexture(texels, width, height);
}

// A triangle that covers the target.
const screen = new THREE.BufferGeometry();
screen.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
const flat = new THREE.Camera();

export class Surface {
  readonly object = new THREE.Group();
  readonly mesh: THREE.Mesh;
  readonly nq: number;
  readonly points: Float32Array;
  readonly modes: Float32Array | null;
  readonly stress: Float32Array | null;
  private readonly norms: Float64Array; // largest movement of any vertex per unit of a mode
  private readonly active: THREE.DataTexture;
  private readonly activeData: Float32Array<ArrayBuffer>;
  private readonly material: THREE.ShaderMaterial;
  private readonly uniforms: Record<string, THREE.IUniform>;
  private stressReady = false;
  private q = new Float64Array(0);
  private sums: THREE.WebGLRenderTarget | null = null;
  private pass: THREE.Mesh | null = null;
  private stale = true;
  private edges: THREE.LineSegments | null = null;
  private readonly lineMaterial: THREE.ShaderMaterial;
  private readonly edgeMaterial: THREE.ShaderMaterial;

  /// `plain`: keeps the part's colour whatever others are coloured by (ghosts).
  constructor(asset: Container, private readonly shared: Shared, color: number, private readonly opacity: number, plain = false) {
    const points = needArray(asset, 'points');
    this.points = points.data as Float32Array;
    const n = points.shape[0];
    const modes = asset.arrays.get('modes');
    const nq = modes ? modes.shape[2] : 0;
    const fits = nq * n * 16 <= mostTextureBytes && nq > 0;
    this.nq = fits ? nq : 0;
    this.modes = fits ? (modes!.data as Float32Array) : null;
    const stress = asset.arrays.get('stress');
    this.stress = fits && stress && stress.shape[2] === nq ? (stress.data as Float32Array) : null;
    this.norms = new Float64Array(this.nq);
    if (this.modes)
      for (let v = 0; v < n; ++v)
        for (let k = 0; k < nq; ++k) {
          const at = 3 * v * nq + k, m = this.modes;
          const size = Math.hypot(m[at], m[at + nq], m[at + 2 * nq]);
          if (size > this.norms[k]) this.norms[k] = size;
        }
    this.activeData = new Float32Array(4 * Math.max(1, this.nq));
    this.active = floatTexture(this.activeData, Math.max(1, this.nq), 1);
    this.uniforms = {
      palette: shared.palette,
      scale: shared.scale,
      coloring: plain ? { value: 0 } : shared.coloring,
      range: shared.range,
      modes: { value: this.modes ? modeTexture(this.modes, n, 3, nq, 0, 3) : this.active },
      stressA: { value: this.active },
      stressB: { value: this.active },
      weights: { value: this.active },
      sums: { value: this.active },
      activeCount: { value: 0 },
      hasStress: { value: false },
      color: { value: new THREE.Color(color) },
      glow: { value: 0 },
      opacity: { value: opacity },
    };
    const head = `#define NQ ${this.nq}\n#define LOG_WIDTH ${logWidth}\n#define LOG_SUMS ${logSums}\n#define BENDS ${this.nq > 0}\n`;
    if (this.nq) {
      this.sums = new THREE.WebGLRenderTarget(1 << logSums, Math.ceil(n / (1 << logSums)), {
        type: THREE.FloatType, depthBuffer: false, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter,
      });
      this.uniforms.sums.value = this.sums.texture;
      const material = new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: sumVertexGlsl,
        fragmentShader: head + elasticGlsl + sumFragmentGlsl, depthTest: false, depthWrite: false,
      });
      this.pass = new THREE.Mesh(screen, material);
      this.pass.frustumCulled = false;
    }
    const common = {
      glslVersion: THREE.GLSL3,
      uniforms: this.uniforms,
      vertexShader: head + vertexGlsl,
      transparent: opacity < 1,
      depthWrite: opacity >= 1,
    };
    this.material = new THREE.ShaderMaterial({
      ...common,
      fragmentShader: fragmentGlsl,
      side: THREE.DoubleSide,
      polygonOffset: true,
      // A ghost gives way where both lie in one place.
      polygonOffsetFactor: plain ? 3 : 1,
      polygonOffsetUnits: plain ? 8 : 1,
    });
    const line = (strength: number) => new THREE.ShaderMaterial({
      ...common, uniforms: { ...this.uniforms, strength: { value: strength } }, fragmentShader: lineFragmentGlsl, transparent: true,
    });
    this.lineMaterial = line(0.9);
    this.edgeMaterial = line(0.28);

    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.points, 3));
    const triangles = asset.arrays.get('triangles');
    const index = triangles ? new Uint32Array(triangles.data) : new Uint32Array(0);
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    geometry.computeBoundingSphere();
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = this.nq === 0;
    this.object.add(this.mesh);
    const lines = asset.arrays.get('lines');
    if (lines && lines.data.length) this.object.add(this.lines(new Uint32Array(lines.data), this.lineMaterial));
  }

  private lines(index: Uint32Array, material: THREE.Material): THREE.LineSegments {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.mesh.geometry.getAttribute('position'));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const object = new THREE.LineSegments(geometry, material);
    object.frustumCulled = false;
    return object;
  }

  get vertexCount(): number {
    return this.points.length / 3;
  }
  get triangleCount(): number {
    return this.mesh.geometry.index!.count / 3;
  }

  showEdges(on: boolean): void {
    if (on && !this.edges) {
      const index = this.mesh.geometry.index!.array, n = this.vertexCount;
      const seen = new Set<number>(), out: number[] = [];
      for (let t = 0; t < index.length; t += 3)
        for (let e = 0; e < 3; ++e) {
          const a = index[t + e], b = index[t + ((e + 1) % 3)];
          const key = Math.min(a, b) * n + Math.max(a, b);
          if (seen.has(key)) continue;
          seen.add(key);
          out.push(a, b);
        }
      this.edges = this.lines(new Uint32Array(out), this.edgeMaterial);
      this.object.add(this.edges);
    }
    if (this.edges) this.edges.visible = on;
  }

  /// From within, the body must not hide what is outside.
  setSheer(on: boolean): void {
    const m = this.material;
    if (m.transparent === (on || this.opacity < 1)) return;
    this.uniforms.opacity.value = on ? 0.22 : this.opacity;
    m.transparent = on || this.opacity < 1;
    m.depthWrite = !m.transparent;
  }

  setGlow(on: boolean): void {
    this.uniforms.glow.value = on ? 1 : 0;
  }

  /// Elastic coordinates of the instant, from row[begin]. Modes that move nothing visible are left out of the sum.
  setCoordinates(row: ArrayLike<number>, begin: number): void {
    if (!this.nq) return;
    if (this.q.length !== this.nq) this.q = new Float64Array(this.nq);
    const coloring = this.uniforms.coloring.value as number, stress = coloring === 2;
    if (stress) this.readyStress();
    // A two-thousandth of the colour range, and a tenth of a millimetre as drawn.
    const visible = Math.min(5e-4 / Math.max(this.shared.range.value.y, 1e-12), 1e-4 / Math.max(1, this.shared.scale.value));
    const least = coloring === 1 ? visible : 1e-4 / Math.max(1, this.shared.scale.value);
    let count = 0;
    for (let k = 0; k < this.nq; ++k) {
      const q = row[begin + k];
      this.q[k] = q;
      if (!stress && Math.abs(q) * this.norms[k] * this.nq < least) continue;
      this.activeData[4 * count] = k;
      this.activeData[4 * count + 1] = q;
      ++count;
    }
    this.uniforms.activeCount.value = count;
    this.active.needsUpdate = true;
    this.stale = true;
  }

  /// Before the picture is drawn.
  sum(renderer: THREE.WebGLRenderer): void {
    if (!this.pass || !this.stale) return;
    this.stale = false;
    renderer.setRenderTarget(this.sums);
    renderer.render(this.pass, flat);
    renderer.setRenderTarget(null);
  }

  private readyStress(): void {
    if (this.stressReady || !this.stress) return;
    this.stressReady = true;
    const n = this.vertexCount;
    this.uniforms.stressA.value = modeTexture(this.stress, n, 6, this.nq, 0, 3);
    this.uniforms.stressB.value = modeTexture(this.stress, n, 6, this.nq, 3, 3);
    this.uniforms.hasStress.value = true;
  }

  /// Elastic displacement of vertex v at the coordinates set last, in m; on the CPU.
  displacement(v: number, out: Float64Array): void {
    out[0] = out[1] = out[2] = 0;
    if (!this.modes || this.q.length === 0) return;
    const nq = this.nq, m = this.modes;
    for (let c = 0; c < 3; ++c) {
      const at = (3 * v + c) * nq;
      let sum = 0;
      for (let k = 0; k < nq; ++k) sum += m[at + k] * this.q[k];
      out[c] = sum;
    }
  }

  /// von Mises stress of vertex v in Pa; on the CPU.
  vonMises(v: number): number {
    if (!this.stress) return 0;
    const s = [0, 0, 0, 0, 0, 0];
    for (let c = 0; c < 6; ++c) {
      const at = (6 * v + c) * this.nq;
      for (let k = 0; k < this.nq; ++k) s[c] += this.stress[at + k] * this.q[k];
    }
    const d = (s[0] - s[1]) ** 2 + (s[1] - s[2]) ** 2 + (s[2] - s[0]) ** 2;
    return Math.sqrt(0.5 * d + 3 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2));
  }

  /// Largest displacement (m) or stress (Pa) of any vertex; every `step`-th is looked at.
  largest(kind: Coloring, step = 1): number {
    let most = 0;
    const u = new Float64Array(3);
    for (let v = 0; v < this.vertexCount; v += step) {
      if (kind === 'stress') {
        most = Math.max(most, this.vonMises(v));
      } else {
        this.displacement(v, u);
        most = Math.max(most, Math.hypot(u[0], u[1], u[2]));
      }
    }
    return most;
  }

  /// The same at other coordinates, from row[begin].
  largestAt(kind: Coloring, row: ArrayLike<number>, begin: number, step = 1): number {
    const now = this.q;
    this.q = Float64Array.from({ length: this.nq }, (_, k) => row[begin + k]);
    const most = this.largest(kind, step);
    this.q = now;
    return most;
  }

  /// Rays are tested against the surface as it is drawn.
  pick(ray: THREE.Raycaster): THREE.Intersection | null {
    if (!this.nq) return ray.intersectObject(this.mesh, false)[0] ?? null;
    const moved = new Float32Array(this.points), u = new Float64Array(3), s = this.shared.scale.value;
    for (let v = 0; v < this.vertexCount; ++v) {
      this.displacement(v, u);
      for (let c = 0; c < 3; ++c) moved[3 * v + c] += s * u[c];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(moved, 3));
    geometry.setIndex(this.mesh.geometry.index);
    const stand = new THREE.Mesh(geometry, this.material);
    stand.matrixWorld.copy(this.mesh.matrixWorld);
    return ray.intersectObject(stand, false)[0] ?? null;
  }

  /// What the GPU summed for every vertex: displacement and the coloured quantity; for tests.
  probe(renderer: THREE.WebGLRenderer): Float32Array {
    if (!this.sums) return new Float32Array(0);
    const { width, height } = this.sums, out = new Float32Array(4 * width * height);
    renderer.readRenderTargetPixels(this.sums, 0, 0, width, height, out);
    return out.subarray(0, 4 * this.vertexCount);
  }

  dispose(): void {
    for (const o of this.object.children) (o as THREE.Mesh).geometry.dispose();
    for (const name of ['modes', 'stressA', 'stressB', 'weights']) (this.uniforms[name].value as THREE.Texture).dispose();
    this.sums?.dispose();
    (this.pass?.material as THREE.Material | undefined)?.dispose();
    this.material.dispose();
    this.lineMaterial.dispose();
    this.edgeMaterial.dispose();
  }
}
