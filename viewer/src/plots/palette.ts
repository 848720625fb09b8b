// Line colours that people with deuteranopia, protanopia and tritanopia tell apart: the set of Okabe and Ito,
// darkened on light ground and lightened on dark ground until each has a contrast of at least 3:1.
// Beyond the set, dashes distinguish.

const light = ['#0072b2', '#c04f00', '#00795a', '#a3508a', '#8a6d00', '#2a8fc7', '#333333'];
const dark = ['#56b4e9', '#f08a3c', '#2bc397', '#e39ac8', '#e6c229', '#8fb8ff', '#e8e8e8'];

export function lineColor(index: number, onDark: boolean): string {
  const set = onDark ? dark : light;
  return set[index % set.length] as string;
}

/** Dash of a line: of the second run always dashed; past the end of the colours dotted. CSS pixels. */
export function lineDash(index: number, secondRun: boolean): number[] {
  const round = Math.floor(index / light.length);
  if (secondRun) return round === 0 ? [6, 4] : [6, 3, 1, 3];
  return round === 0 ? [] : round === 1 ? [2, 2] : [9, 2];
}

/** Relative luminance of #rrggbb after WCAG 2; contrast is (a + 0.05) / (b + 0.05). */
export function luminance(hex: string): number {
  const part = (at: number): number => {
    const v = parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

export const paletteSize = light.length;
