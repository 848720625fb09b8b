// The plots of a run that nobody has arranged yet: what one wants to see first of a vehicle, found by the names of
// channels; of any other model the first groups of channels with one unit.

import type { ChannelInfo } from '../api/types';
import { heights, type PlotSpec } from './layout';

const wheels = ['FL', 'FR', 'RL', 'RR'];

/** Begin of the names of the vehicle's own channels, 'car/' as a rule: of the part that has most to do with wheels. */
function vehiclePart(paths: readonly string[]): string | null {
  const moving = paths.filter((p) => p.endsWith('/velocity/x')).map((p) => p.slice(0, -'/velocity/x'.length));
  for (const name of ['car', 'vehicle', 'chassis', 'body']) if (moving.includes(name)) return name;
  return moving.find((m) => !m.includes('/')) ?? moving[0] ?? null;
}

export function defaultPlots(channels: readonly ChannelInfo[]): PlotSpec[] {
  const paths = channels.map((c) => c.path);
  const has = new Set(paths);
  const plots: PlotSpec[] = [];
  const add = (series: string[]): void => {
    const found = series.filter((s) => has.has(s));
    if (found.length > 0) plots.push({ kind: 'time', height: heights.usual, series: found });
  };
  const first = (pattern: RegExp): string[] => paths.filter((p) => pattern.test(p)).slice(0, 1);

  if (paths.some((p) => p.startsWith('live/'))) {
    addLive(add, paths);
    return plots.map((p) => ({ ...p, height: heights.least }));
  }
  const part = vehiclePart(paths);
  if (part !== null && wheels.some((w) => paths.some((p) => p.startsWith(`${w}/`)))) {
    add(has.has('speed/x') ? ['speed/x'] : [`${part}/velocity/x`]);
    const attitude = paths.filter((p) => /(^|\/)(roll|pitch|side_?slip)(_angle)?$/.test(p) && !wheels.some((w) => p.startsWith(`${w}/`)));
    add(attitude.length > 0 ? attitude.slice(0, 4) : ['x', 'y', 'z'].map((a) => `${part}/angular_velocity/${a}`));
    add(['x', 'y'].map((a) => `${part}/acceleration/${a}`));
    const load = (w: string): string[] => {
      const best = first(new RegExp(`^${w}/(tire|tyre|wheel)/load$`));
      return best.length > 0 ? best : first(new RegExp(`^${w}/(tire|tyre|wheel)\\b.*(force/z|normal_force)$`));
    };
    add(wheels.flatMap(load));
    if (plots.length > 0) return plots;
  }
  return firstGroups(channels);
}

/** A car driven live: how it moves, what its wheels carry, how the body bends, how the computer keeps up. */
function addLive(add: (series: string[]) => void, paths: readonly string[]): void {
  add(['speed/x', 'turning/z']);
  add(paths.filter((p) => /^[FR][LR]\/(tire|tyre|wheel)\/load$/.test(p)));
  add(['live/deformation']);
  add(['live/worst_step', 'live/real_time_factor']);
}

/** At most four plots with at most four channels each: neighbours in one group and of one unit. */
function firstGroups(channels: readonly ChannelInfo[]): PlotSpec[] {
  const plots: PlotSpec[] = [];
  let group = '';
  for (const c of channels) {
    const at = `${c.path.slice(0, Math.max(0, c.path.lastIndexOf('/')))} ${c.unit}`;
    const last = plots[plots.length - 1];
    if (last && at === group) {
      if (last.series.length < 4) last.series.push(c.path);
      continue;
    }
    if (plots.length === 4) break;
    group = at;
    plots.push({ kind: 'time', height: heights.usual, series: [c.path] });
  }
  return plots;
}
