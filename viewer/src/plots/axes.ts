// Which unit goes to which side: the first unit left, the second right, no third.

import type { Side } from './chart';

export function sides(units: readonly string[]): { side: Side[]; left: string; right: string | null } {
  const distinct: string[] = [];
  for (const u of units) if (!distinct.includes(u)) distinct.push(u);
  return {
    side: units.map((u) => (distinct.indexOf(u) > 0 ? 'y2' : 'y')),
    left: distinct[0] ?? '',
    right: distinct.length > 1 ? distinct[1] : null,
  };
}

/** Whether a further unit finds an axis. */
export function unitFits(units: readonly string[], unit: string): boolean {
  const distinct = new Set(units);
  return distinct.has(unit) || distinct.size < 2;
}

export const axisLabel = (unit: string): string => (unit === '' || unit === '1' ? '' : `[${unit}]`);
