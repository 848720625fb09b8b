// Unit shapes: rods and arrows along z from 0 to 1, wheels of radius 1 and width 1 about y.
import * as THREE from 'three';
import { axisColors } from './palette';

export function rod(): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export function ball(): THREE.BufferGeometry {
  return new THREE.SphereGeometry(1, 12, 8);
}

export function octahedron(): THREE.BufferGeometry {
  return new THREE.OctahedronGeometry(1, 0);
}

/// Shaft and head; the head takes the last fifth.
export function arrow(): THREE.BufferGeometry {
  const shaft = new THREE.CylinderGeometry(0.4, 0.4, 0.8, 6, 1).rotateX(Math.PI / 2).translate(0, 0, 0.4);
  const head = new THREE.CylinderGeometry(0, 1, 0.2, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.9);
  return merge([shaft, head]);
}

/// A coil of unit radius; ends come back to the axis.
export function spring(): THREE.BufferGeometry {
  const coils = 6;
  class Coil extends THREE.Curve<THREE.Vector3> {
    constructor() {
      super();
    }
    getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
      const r = Math.min(1, 12 * t, 12 * (1 - t)), a = 2 * Math.PI * coils * t;
      return out.set(r * Math.cos(a), r * Math.sin(a), t);
    }
  }
  return new THREE.TubeGeometry(new Coil(), coils * 10, 0.16, 3);
}

/// Rubber ring and a rim with five spokes, so that its turning is seen. Vertex colours.
export function wheel(): THREE.BufferGeometry {
  const profile = [[0.68, -0.42], [0.9, -0.5], [0.985, -0.4], [1, -0.15], [1, 0.15], [0.985, 0.4], [0.9, 0.5], [0.68, 0.42]]
    .map(([r, y]) => new THREE.Vector2(r, y));
  const pieces = [tint(new THREE.LatheGeometry(profile, 24), 0x2a2c30)];
  pieces.push(tint(new THREE.CylinderGeometry(0.68, 0.68, 0.6, 24, 1, true), 0x8b9096));
  for (let k = 0; k < 5; ++k)
    pieces.push(tint(new THREE.BoxGeometry(0.62, 0.2, 0.14).translate(0.36, 0.18, 0).rotateY((k * 2 * Math.PI) / 5), 0xb9bec4));
  pieces.push(tint(new THREE.CylinderGeometry(0.14, 0.14, 0.5, 12), 0x8b9096));
  return merge(pieces);
}

/// Three thin bars of unit length in the colours of the axes.
export function frame(): THREE.BufferGeometry {
  return merge([
    tint(new THREE.BoxGeometry(1, 0.06, 0.06).translate(0.5, 0, 0), axisColors[0]),
    tint(new THREE.BoxGeometry(0.06, 1, 0.06).translate(0, 0.5, 0), axisColors[1]),
    tint(new THREE.BoxGeometry(0.06, 0.06, 1).translate(0, 0, 0.5), axisColors[2]),
  ]);
}

/// The usual sign of a centre of gravity: octants dark and light in turn.
export function gravityCentre(): THREE.BufferGeometry {
  const pieces: THREE.BufferGeometry[] = [];
  for (let v = 0; v < 2; ++v)
    for (let h = 0; h < 4; ++h) {
      const octant = new THREE.SphereGeometry(1, 4, 4, (h * Math.PI) / 2, Math.PI / 2, (v * Math.PI) / 2, Math.PI / 2);
      pieces.push(tint(octant, (v + h) % 2 ? 0xf4f4f0 : 0x17191c));
    }
  return merge(pieces);
}

export function cone(): THREE.BufferGeometry {
  return merge([
    tint(new THREE.CylinderGeometry(0.15, 0.8, 2.6, 10, 1).rotateX(Math.PI / 2).translate(0, 0, 1.4), 0xe07b2a),
    tint(new THREE.BoxGeometry(2, 2, 0.15).translate(0, 0, 0.08), 0x3a3d42),
  ]);
}

function tint(g: THREE.BufferGeometry, hex: number): THREE.BufferGeometry {
  const c = new THREE.Color(hex), n = g.getAttribute('position').count, data = new Float32Array(3 * n);
  for (let i = 0; i < n; ++i) c.toArray(data, 3 * i);
  g.setAttribute('color', new THREE.BufferAttribute(data, 3));
  return g;
}

/// Indexed geometries with the same attributes to one.
function merge(list: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const out = new THREE.BufferGeometry(), index: number[] = [];
  const names = ['position', 'normal', ...(list[0].hasAttribute('color') ? ['color'] : [])];
  const data = new Map<string, number[]>(names.map((n) => [n, []]));
  let base = 0;
  for (const g of list) {
    for (const n of names) {
      const source = g.getAttribute(n).array, to = data.get(n)!;
      for (let i = 0; i < source.length; ++i) to.push(source[i]);
    }
    const from = g.getIndex()!.array;
    for (let i = 0; i < from.length; ++i) index.push(from[i] + base);
    base += g.getAttribute('position').count;
    g.dispose();
  }
  for (const n of names) out.setAttribute(n, new THREE.Float32BufferAttribute(data.get(n)!, 3));
  out.setIndex(index);
  return out;
}
