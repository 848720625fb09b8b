// Colour scales with even steps of lightness, readable with any colour vision; points of the published tables
// (viridis: van der Walt and Smith 2015; cividis: Nunez et al. 2018), linear between them.

export type PaletteName = 'viridis' | 'cividis';

const points: Record<PaletteName, string[]> = {
  viridis: ['440154', '472d7b', '3b528b', '2c728e', '21918c', '28ae80', '5ec962', 'addc30', 'fde725'],
  cividis: ['00224e', '123570', '3b496c', '575d6d', '707173', '8a8678', 'a59c74', 'c3b369', 'e1cc55', 'fee838'],
};

/// 256 x RGBA bytes.
export function paletteBytes(name: PaletteName): Uint8Array<ArrayBuffer> {
  const p = points[name].map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));
  const out = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; ++i) {
    const s = (i / 255) * (p.length - 1), k = Math.min(Math.floor(s), p.length - 2);
    for (let c = 0; c < 3; ++c) out[4 * i + c] = Math.round(p[k][c] + (s - k) * (p[k + 1][c] - p[k][c]));
    out[4 * i + 3] = 255;
  }
  return out;
}

/// Colours of axes and forces x, y, z: from the set of Okabe and Ito, told apart with any colour vision.
export const axisColors = [0xd55e00, 0x009e73, 0x0072b2] as const;
