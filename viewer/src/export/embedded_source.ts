// Answers what the server would, from the pack in the page. Data is cut and thinned here.

import { needArray, readContainer } from '../api/container';
import type { ChannelInfo, Container, DataSource, NumberArray, SceneInfo, SessionInfo } from '../api/types';
import { curveOf } from '../plots/store';
import { slice, thin, valueAt, type Curve } from '../plots/thin';
import type { Pack } from './pack';

type Address = number | string;

interface RunData {
  channels: ChannelInfo[];
  curves: Curve[];
}

export class EmbeddedSource implements DataSource {
  readonly embedded = true;
  private readonly runs = new Map<number, RunData>();

  constructor(private readonly pack: Promise<Pack>) {}

  private async bytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const found = (await this.pack).get(name);
    if (!found) throw new Error(`${name}: not part of this exported page`);
    return found;
  }
  private async json<T>(name: string): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.bytes(name))) as T;
  }
  private async container(name: string): Promise<Container> {
    return readContainer((await this.bytes(name)).buffer);
  }

  private async run(run: number): Promise<RunData> {
    const known = this.runs.get(run);
    if (known) return known;
    const { channels } = await this.json<{ channels: ChannelInfo[] }>(`/api/runs/${run}/channels`);
    const answer = await this.container(`/api/runs/${run}/data`);
    const made = { channels, curves: channels.map((_, k) => curveOf(answer, k)) };
    this.runs.set(run, made);
    return made;
  }

  private index(data: RunData, address: Address): number {
    const k = typeof address === 'number' ? address : data.channels.findIndex((c) => c.path === address);
    if (!data.curves[k]) throw new Error(`${String(address)}: this exported page holds only the channels chosen when it was written`);
    return k;
  }

  session(): Promise<SessionInfo> {
    return this.json('/api/session');
  }
  scene(run: number): Promise<SceneInfo> {
    return this.json(`/api/runs/${run}/scene`);
  }
  asset(run: number, asset: number): Promise<Container> {
    return this.container(`/api/runs/${run}/asset/${asset}`);
  }
  async motion(run: number, from: number, count: number, stride: number): Promise<Container> {
    return cutRows(await this.container(`/api/runs/${run}/motion`), from, count, stride);
  }
  async road(run: number): Promise<Container | null> {
    return (await this.pack).has(`/api/runs/${run}/road`) ? this.container(`/api/runs/${run}/road`) : null;
  }
  async channels(run: number): Promise<ChannelInfo[]> {
    return (await this.run(run)).channels;
  }

  async data(run: number, channels: Address[], from: number, to: number, points: number): Promise<Container> {
    const data = await this.run(run);
    const arrays: Container['arrays'] = new Map();
    channels.forEach((c, k) => {
      const curve = thin(slice(data.curves[this.index(data, c)], from, to), points);
      const set = (name: string, values: NumberArray): unknown => arrays.set(`${name}_${k}`, { data: values, shape: [values.length] });
      set('t', curve.x);
      if (curve.lo) set('lo', curve.lo);
      set('hi', curve.hi);
    });
    return { meta: {}, arrays };
  }
  async values(run: number, t: number): Promise<{ t: number; values: number[] }> {
    return { t, values: (await this.run(run)).curves.map((c) => valueAt(c, t)) };
  }
  async at(run: number, channels: Address[], t: number): Promise<number[]> {
    const data = await this.run(run);
    return channels.map((c) => valueAt(data.curves[this.index(data, c)], t));
  }
  /** As written into the page, else from the two channels when they were sampled together. */
  async xy(run: number, x: Address, y: Address): Promise<Container> {
    const data = await this.run(run);
    const [a, b] = [this.index(data, x), this.index(data, y)];
    const name = `/api/runs/${run}/xy?x=${a}&y=${b}`;
    if ((await this.pack).has(name)) return this.container(name);
    const [cx, cy] = [data.curves[a], data.curves[b]];
    const middle = (c: Curve): Float64Array => Float64Array.from(c.hi, (h, k) => (c.lo ? 0.5 * (h + c.lo[k]) : h));
    if (cx.x.length !== cy.x.length) throw new Error('this X-Y curve is not part of this exported page');
    const arrays: Container['arrays'] = new Map();
    arrays.set('x', { data: middle(cx), shape: [cx.x.length] });
    arrays.set('y', { data: middle(cy), shape: [cy.x.length] });
    return { meta: {}, arrays };
  }
  async psd(run: number, channel: Address, _from: number, _to: number, window: number): Promise<Container> {
    const k = this.index(await this.run(run), channel);
    const name = `/api/runs/${run}/psd?c=${k}&window=${window}`;
    if (!(await this.pack).has(name)) throw new Error('this spectrum is not part of this exported page');
    return this.container(name);
  }
  csvAddress(): null {
    return null;
  }
  modes(run: number): Promise<Container> {
    return this.container(`/api/runs/${run}/modes`);
  }
  layout(run: number): Promise<unknown> {
    return this.json(`/api/runs/${run}/layout`);
  }
  saveLayout(): Promise<void> {
    return Promise.resolve();
  }
}

/** Rows from, from + stride, ... (at most count of them) of every array whose first dimension counts rows. */
export function cutRows(all: Container, from: number, count: number, stride: number): Container {
  const rows = needArray(all, 'time').shape[0];
  const step = Math.max(1, Math.floor(stride));
  const first = Math.max(0, Math.floor(from));
  const n = Math.max(0, Math.min(count, Math.ceil((rows - first) / step)));
  const arrays: Container['arrays'] = new Map();
  for (const [name, { data, shape }] of all.arrays) {
    if (shape[0] !== rows) continue;
    const width = shape.slice(1).reduce((a, b) => a * b, 1);
    const cut = step === 1 ? data.subarray(first * width, (first + n) * width) : new (data.constructor as Float64ArrayConstructor)(n * width);
    if (step > 1) for (let k = 0; k < n; ++k) cut.set(data.subarray((first + k * step) * width, (first + k * step + 1) * width), k * width);
    arrays.set(name, { data: cut, shape: [n, ...shape.slice(1)] });
  }
  return { meta: all.meta, arrays };
}
