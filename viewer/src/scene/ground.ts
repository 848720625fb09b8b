// What the vehicle stands on: a grid that follows it, a strip of measured road, cones, lanes and the path.
import * as THREE from 'three';
import type { Container, SceneLane, Theme } from '../api/types';
import { Batch, batchMaterial } from './batch';
import { Floor } from './floor';
import { RoadStrip } from './road_strip';
import * as shapes from './shapes';

const themes = {
  light: { sky: 0xeef1f4, ground: 0xdfe3e8, fine: 0xcfd5dc, coarse: 0xb3bcc6, road: 0xb9bfc7, lane: 0x5c6670, path: 0x0072b2 },
  dark: { sky: 0x15181c, ground: 0x1c2025, fine: 0x272c33, coarse: 0x3a424c, road: 0x3a4048, lane: 0x9aa5b1, path: 0x56b4e9 },
};

export class Ground {
  readonly group = new THREE.Group();
  readonly laneGroup = new THREE.Group();
  readonly floor = new Floor();
  private road: RoadStrip | null = null;
  private readonly roadMaterial = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 });
  private readonly roadLines = new THREE.LineBasicMaterial();
  private readonly laneMaterial = new THREE.LineBasicMaterial();
  private readonly pathMaterial = new THREE.LineDashedMaterial({ dashSize: 1, gapSize: 0.6 });

  constructor(private readonly scene: THREE.Scene) {
    this.group.add(this.floor.group, this.floor.shadow);
    scene.add(this.group, this.laneGroup);
    scene.fog = new THREE.Fog(0, 60, 420);
  }

  setTheme(theme: Theme): void {
    const c = themes[theme];
    this.scene.background = new THREE.Color(c.sky);
    (this.scene.fog as THREE.Fog).color.setHex(c.sky);
    this.floor.setColors(c, theme === 'dark');
    this.roadMaterial.color.setHex(c.road);
    this.roadLines.color.setHex(c.coarse);
    this.laneMaterial.color.setHex(c.lane);
    this.pathMaterial.color.setHex(c.path);
  }

  /// Small models need a finer grid and a nearer fog; `z` is the height of the plane.
  fit(extent: number, z: number, solid: boolean): void {
    this.floor.fit(extent, solid);
    this.floor.group.position.z = z;
    const fog = this.scene.fog as THREE.Fog;
    fog.near = 6 * extent;
    fog.far = 40 * extent;
  }

  /// Centre of what is looked at.
  follow(x: number, y: number): void {
    this.floor.follow(x, y);
  }

  setRoad(road: Container): void {
    if (!this.road?.fits(road)) {
      this.clearRoad();
      const [stations, across] = RoadStrip.size(road);
      if (stations < 2 || across < 2) return;
      this.road = new RoadStrip(stations, across, this.roadMaterial, this.roadLines);
      this.group.add(this.road.group);
    }
    const lowest = this.road.set(road);
    // The plane lies below the strip.
    const floor = this.floor.group.position;
    if (Number.isFinite(lowest)) floor.z = Math.min(floor.z, lowest - 0.02);
  }

  private clearRoad(): void {
    this.road?.dispose();
    this.road = null;
  }

  setLane(lane: SceneLane | null | undefined): void {
    for (const o of [...this.laneGroup.children]) {
      (o as THREE.Mesh).geometry.dispose();
      o.removeFromParent();
    }
    if (!lane) return;
    const polyline = (list: [number, number][], m: THREE.LineBasicMaterial) => {
      const g = new THREE.BufferGeometry().setFromPoints(list.map(([x, y]) => new THREE.Vector3(x, y, 0.02)));
      const line = new THREE.Line(g, m);
      line.computeLineDistances();
      this.laneGroup.add(line);
    };
    for (const limit of lane.limits ?? []) polyline(limit, this.laneMaterial);
    if (lane.path?.length) polyline(lane.path, this.pathMaterial);
    const cones = lane.cones ?? [];
    if (cones.length) {
      const batch = new Batch(shapes.cone(), batchMaterial(1), cones.length);
      cones.forEach(([x, y, , radius], k) => batch.at(k, x, y, 0, Math.max(radius, 0.12)));
      batch.commit();
      this.laneGroup.add(batch.mesh);
    }
  }

  clear(): void {
    this.floor.shadow.visible = false;
    this.clearRoad();
    this.setLane(null);
  }
}
