// The plane below the model: a disc that fades into the sky, two grids that fade into the disc, and the soft shadow of a
// vehicle. All fading is done by vertex: pixels of the plane are most of the picture, and cost most without a GPU.
import * as THREE from 'three';

export interface FloorColors {
  sky: number;
  ground: number;
  fine: number;
  coarse: number;
}

const vertexGlsl = `
uniform vec3 centre;
uniform vec2 reach;    // of the lines: where they begin to fade, where they are gone
uniform vec2 horizon;  // the same of the ground
uniform vec3 ink;
uniform vec3 ground;
uniform vec3 sky;
varying vec3 tint;
void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  float r = distance(at.xy, centre.xy);
  vec3 base = mix(ground, sky, smoothstep(horizon.x, horizon.y, r));
  tint = mix(mix(ink, base, smoothstep(reach.x, reach.y, r)), sky, smoothstep(horizon.x, horizon.y, r));
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;
const fragmentGlsl = `
varying vec3 tint;
void main() { gl_FragColor = vec4(tint, 1.0); }
`;

const shadowVertexGlsl = `
varying vec2 place;
uniform vec2 half_size;
uniform float soft;
void main() {
  place = position.xy * (half_size + soft);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 0.0, 1.0);
}
`;
// Distance to a rectangle with round corners, faded to both sides of its rim.
const shadowFragmentGlsl = `
varying vec2 place;
uniform vec2 half_size;
uniform float soft;
uniform float strength;
void main() {
  vec2 q = abs(place) - half_size + soft;
  float d = length(max(q, vec2(0.0))) + min(max(q.x, q.y), 0.0) - soft;
  gl_FragColor = vec4(0.0, 0.0, 0.0, strength * (1.0 - smoothstep(-soft, soft, d)));
}
`;

/// Lines a step apart, cut in pieces so that they can fade along themselves.
function gridLines(step: number, half: number, piece: number): THREE.BufferGeometry {
  const points: number[] = [];
  for (let k = -half; k <= half; ++k) {
    const span = Math.floor(Math.sqrt(half * half - k * k)); // a round piece of grid
    for (let a = -span; a < span; a += piece) {
      const b = Math.min(span, a + piece);
      points.push(k * step, a * step, 0, k * step, b * step, 0, a * step, k * step, 0, b * step, k * step, 0);
    }
  }
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return g;
}

/// Rings that grow outwards.
function disc(): THREE.BufferGeometry {
  const radii = [0, 20, 40, 60, 80, 100, 130, 160, 200, 250, 320, 400, 2000], around = 24;
  const points: number[] = [], index: number[] = [];
  for (const r of radii)
    for (let k = 0; k < around; ++k) points.push(r * Math.cos((2 * Math.PI * k) / around), r * Math.sin((2 * Math.PI * k) / around), 0);
  for (let i = 0; i + 1 < radii.length; ++i)
    for (let k = 0; k < around; ++k) {
      const a = i * around + k, b = i * around + ((k + 1) % around);
      index.push(a, a + around, b, b, a + around, b + around);
    }
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  g.setIndex(index);
  return g;
}

export class Floor {
  readonly group = new THREE.Group();
  readonly shadow: THREE.Mesh;
  private readonly plane: THREE.Mesh;
  private readonly grids: THREE.LineSegments[];
  private readonly shared = {
    centre: { value: new THREE.Vector3() }, horizon: { value: new THREE.Vector2() },
    ground: { value: new THREE.Color() }, sky: { value: new THREE.Color() },
  };
  private readonly inks = [new THREE.Color(), new THREE.Color(), new THREE.Color()];
  private readonly reaches = [new THREE.Vector2(), new THREE.Vector2(), new THREE.Vector2()];
  private unit = 1;

  constructor() {
    const material = (k: number, extra: object) => new THREE.ShaderMaterial({
      uniforms: { ...this.shared, ink: { value: this.inks[k] }, reach: { value: this.reaches[k] } },
      vertexShader: vertexGlsl, fragmentShader: fragmentGlsl, ...extra,
    });
    this.plane = new THREE.Mesh(disc(), material(0, { polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 8 }));
    this.grids = [new THREE.LineSegments(gridLines(1, 40, 5), material(1, {})), new THREE.LineSegments(gridLines(10, 24, 2), material(2, {}))];
    this.shadow = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShaderMaterial({
      uniforms: { half_size: { value: new THREE.Vector2(1, 1) }, soft: { value: 0.3 }, strength: { value: 0.3 } },
      vertexShader: shadowVertexGlsl, fragmentShader: shadowFragmentGlsl, transparent: true, depthWrite: false,
      polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2,
    }));
    this.shadow.visible = false;
    this.shadow.renderOrder = 1;
    this.group.add(this.plane, ...this.grids);
    for (const o of [...this.group.children, this.shadow]) o.frustumCulled = false;
  }

  setColors(c: FloorColors, dark: boolean): void {
    this.shared.ground.value.setHex(c.ground);
    this.shared.sky.value.setHex(c.sky);
    [c.ground, c.fine, c.coarse].forEach((hex, k) => this.inks[k].setHex(hex));
    (this.shadow.material as THREE.ShaderMaterial).uniforms.strength.value = dark ? 0.55 : 0.3;
  }

  /// Small models need a finer grid; `solid`: there is a ground, not only a grid in the air.
  fit(extent: number, solid: boolean): void {
    this.unit = Math.pow(10, Math.round(Math.log10(extent / 4)));
    for (const o of this.group.children) o.scale.setScalar(this.unit);
    this.plane.visible = solid;
    this.reaches[1].set(8, 34).multiplyScalar(this.unit);
    this.reaches[2].set(60, 220).multiplyScalar(this.unit);
    this.shared.horizon.value.set(80, 380).multiplyScalar(this.unit);
  }

  /// Centre of what is looked at. The grids move in whole steps, the rest follows.
  follow(x: number, y: number): void {
    this.shared.centre.value.set(x, y, 0);
    const step = 10 * this.unit;
    for (const g of this.grids) g.position.set(Math.round(x / step) * step, Math.round(y / step) * step, 0);
    this.plane.position.set(x, y, 0);
  }

  /// Below a vehicle: its place on the ground, heading, half its length and width.
  castShadow(x: number, y: number, z: number, heading: number, halfLength: number, halfWidth: number): void {
    const u = (this.shadow.material as THREE.ShaderMaterial).uniforms;
    u.half_size.value.set(halfLength, halfWidth);
    u.soft.value = 0.45 * halfWidth;
    this.shadow.visible = true;
    this.shadow.position.set(x, y, z + 0.004 * halfLength);
    this.shadow.rotation.z = heading;
  }
}
