// Reads the binary container: u32 n, n bytes JSON, zeros to a multiple of 8, arrays at multiples of 8.
import type { Container, NumberArray } from './types';

interface Entry {
  name: string;
  type: 'f32' | 'f64' | 'u32' | 'i32';
  shape: number[];
  offset: number;
}

const makers: Record<Entry['type'], new (b: ArrayBuffer, o: number, n: number) => NumberArray> = {
  f32: Float32Array,
  f64: Float64Array,
  u32: Uint32Array,
  i32: Int32Array,
};

/// Arrays are views of the buffer, nothing is copied.
export function readContainer(buffer: ArrayBuffer): Container {
  if (buffer.byteLength < 4) throw new Error('answer too short for a container');
  const n = new DataView(buffer).getUint32(0, true);
  if (4 + n > buffer.byteLength) throw new Error('container head is cut off');
  const meta = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, n))) as Record<string, unknown>;
  const begin = Math.ceil((4 + n) / 8) * 8;
  const arrays: Container['arrays'] = new Map();
  for (const e of (meta.arrays ?? []) as Entry[]) {
    const maker = makers[e.type];
    if (!maker) throw new Error(`array ${e.name}: unknown type ${e.type}`);
    const count = e.shape.reduce((a, b) => a * b, 1);
    arrays.set(e.name, { data: new maker(buffer, begin + e.offset, count), shape: e.shape });
  }
  return { meta, arrays };
}

/// The array, or a complaint that names it.
export function needArray(c: Container, name: string): { data: NumberArray; shape: number[] } {
  const a = c.arrays.get(name);
  if (!a) throw new Error(`array '${name}' is missing in the answer`);
  return a;
}
