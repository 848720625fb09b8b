// The pack of an exported page: base64 of gzip of a container whose arrays are answers of the server (README.md).

/** The answers by their path. */
export type Pack = Map<string, Uint8Array<ArrayBuffer>>;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replace(/\s+/g, ''));
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
  return bytes;
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

interface Entry {
  name: string;
  type: string;
  shape: number[];
  offset: number;
}

export function readPack(buffer: ArrayBuffer): Pack {
  if (buffer.byteLength < 4) throw new Error('the embedded data is cut off');
  const n = new DataView(buffer).getUint32(0, true);
  if (4 + n > buffer.byteLength) throw new Error('the head of the embedded data is cut off');
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, n))) as { export?: number; arrays?: Entry[] };
  if (head.export !== 1) throw new Error(`the embedded data is of form ${String(head.export)}, this page reads form 1`);
  const begin = Math.ceil((4 + n) / 8) * 8;
  const pack: Pack = new Map();
  for (const e of head.arrays ?? []) {
    const size = e.shape[0] ?? 0;
    if (e.type !== 'u8' || e.offset < 0 || begin + e.offset + size > buffer.byteLength) throw new Error(`embedded ${e.name} is damaged`);
    // A copy, so that the numbers inside begin at a multiple of 8 whatever the place in the pack.
    pack.set(e.name, new Uint8Array(buffer.slice(begin + e.offset, begin + e.offset + size)));
  }
  return pack;
}
