// A strip of measured road. While driving a new one comes every second: its buffers are made once for a size and
// written again, so that neither memory nor the collector of garbage has to do with it.
import * as THREE from 'three';
import { needArray } from '../api/container';
import type { Container } from '../api/types';

export class RoadStrip {
  readonly group = new THREE.Group();
  private readonly surface = new THREE.BufferGeometry();
  private readonly lines = new THREE.BufferGeometry();

  constructor(private readonly stations: number, private readonly across: number, surface: THREE.Material, lines: THREE.Material) {
    const position = new THREE.BufferAttribute(new Float32Array(3 * stations * across), 3);
    this.surface.setAttribute('position', position);
    this.surface.setIndex(new THREE.BufferAttribute(triangles(stations, across), 1));
    this.lines.setAttribute('position', position);
    // Both rims, and at most a line across at each station.
    this.lines.setIndex(new THREE.BufferAttribute(new Uint32Array(4 * stations + 2 * stations * across), 1));
    this.group.add(new THREE.Mesh(this.surface, surface), new THREE.LineSegments(this.lines, lines));
  }

  /// Stations and points across of an answer.
  static size(road: Container): [number, number] {
    return [needArray(road, 'line').shape[0], needArray(road, 'offsets').data.length];
  }
  fits(road: Container): boolean {
    const [stations, across] = RoadStrip.size(road);
    return stations === this.stations && across === this.across;
  }

  /// Lays it; gives its lowest height.
  set(road: Container): number {
    const line = needArray(road, 'line').data, offsets = needArray(road, 'offsets').data, z = needArray(road, 'z').data;
    const position = this.surface.getAttribute('position') as THREE.BufferAttribute, points = position.array;
    let lowest = Infinity;
    for (let i = 0; i < this.stations; ++i) {
      const x = line[4 * i], y = line[4 * i + 1], sine = Math.sin(line[4 * i + 2]), cosine = Math.cos(line[4 * i + 2]);
      for (let j = 0; j < this.across; ++j) {
        const at = i * this.across + j;
        points[3 * at] = x - offsets[j] * sine;
        points[3 * at + 1] = y + offsets[j] * cosine;
        points[3 * at + 2] = z[at];
        lowest = Math.min(lowest, z[at]);
      }
    }
    position.needsUpdate = true;
    this.surface.computeVertexNormals();
    this.surface.computeBoundingSphere();
    this.lines.boundingSphere = this.surface.boundingSphere;
    this.drawLines(line);
    return lowest;
  }

  dispose(): void {
    this.surface.dispose();
    this.lines.dispose();
    this.group.removeFromParent();
  }

  /// Both rims, and a line across about every metre.
  private drawLines(line: ArrayLike<number>): void {
    const index = this.lines.getIndex()!, rungs = index.array, w = this.across;
    let n = 0;
    for (let i = 0; i < this.stations; ++i) {
      const at = i * w;
      if (i + 1 < this.stations) for (const rim of [at, at + w - 1]) {
        rungs[n++] = rim;
        rungs[n++] = rim + w;
      }
      if (i === 0 || Math.floor(line[4 * i + 3]) === Math.floor(line[4 * i - 1])) continue;
      for (let j = 0; j + 1 < w; ++j) {
        rungs[n++] = at + j;
        rungs[n++] = at + j + 1;
      }
    }
    index.needsUpdate = true;
    this.lines.setDrawRange(0, n);
  }
}

function triangles(stations: number, across: number): Uint32Array {
  const index = new Uint32Array(6 * (stations - 1) * (across - 1));
  let n = 0;
  for (let i = 0; i + 1 < stations; ++i)
    for (let j = 0; j + 1 < across; ++j) {
      const at = i * across + j;
      index.set([at, at + across, at + 1, at + 1, at + across, at + across + 1], n);
      n += 6;
    }
  return index;
}
