// The data source of the served page: fetch from the server that gave the page.
import { readContainer } from './container';
import type { ChannelInfo, Container, DataSource, SceneInfo, SessionInfo } from './types';

async function get(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (answer.ok) return answer;
  let text = `${answer.status} ${answer.statusText}`;
  try {
    text = ((await answer.json()) as { error?: string }).error ?? text;
  } catch {
    // not JSON: the status line must do
  }
  throw new Error(`${path}: ${text}`);
}

const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;
const binary = async (path: string): Promise<Container> => readContainer(await (await get(path)).arrayBuffer());
const list = (channels: (number | string)[]): string =>
  channels.map((c) => (typeof c === 'number' ? String(c) : encodeURIComponent(c))).join(',');
const span = (from: number, to: number): string => `from=${from}&to=${to}`;

export class HttpSource implements DataSource {
  readonly embedded = false;

  session(): Promise<SessionInfo> {
    return json('/api/session');
  }
  scene(run: number): Promise<SceneInfo> {
    return json(`/api/runs/${run}/scene`);
  }
  asset(run: number, asset: number): Promise<Container> {
    return binary(`/api/runs/${run}/asset/${asset}`);
  }
  motion(run: number, from: number, count: number, stride: number): Promise<Container> {
    return binary(`/api/runs/${run}/motion?from=${from}&count=${count}&stride=${stride}`);
  }
  async road(run: number): Promise<Container | null> {
    const answer = await fetch(`/api/runs/${run}/road`);
    return answer.ok ? readContainer(await answer.arrayBuffer()) : null;
  }
  async channels(run: number): Promise<ChannelInfo[]> {
    return (await json<{ channels: ChannelInfo[] }>(`/api/runs/${run}/channels`)).channels;
  }
  data(run: number, channels: (number | string)[], from: number, to: number, points: number): Promise<Container> {
    return binary(`/api/runs/${run}/data?c=${list(channels)}&${span(from, to)}&points=${points}`);
  }
  values(run: number, t: number): Promise<{ t: number; values: number[] }> {
    return json(`/api/runs/${run}/values?t=${t}`);
  }
  async at(run: number, channels: (number | string)[], t: number): Promise<number[]> {
    return (await json<{ values: number[] }>(`/api/runs/${run}/at?c=${list(channels)}&t=${t}`)).values;
  }
  xy(run: number, x: number | string, y: number | string, from: number, to: number, points: number): Promise<Container> {
    return binary(`/api/runs/${run}/xy?x=${list([x])}&y=${list([y])}&${span(from, to)}&points=${points}`);
  }
  psd(run: number, channel: number | string, from: number, to: number, window: number, overlap: number): Promise<Container> {
    return binary(`/api/runs/${run}/psd?c=${list([channel])}&${span(from, to)}&window=${window}&overlap=${overlap}`);
  }
  csvAddress(run: number, channels: (number | string)[], from: number, to: number): string {
    return `/api/runs/${run}/csv?c=${list(channels)}&${span(from, to)}`;
  }
  modes(run: number): Promise<Container> {
    return binary(`/api/runs/${run}/modes`);
  }
  layout(run: number): Promise<unknown> {
    return json(`/api/runs/${run}/layout`);
  }
  async saveLayout(run: number, layout: unknown): Promise<void> {
    const path = `/api/runs/${run}/layout`;
    const body = JSON.stringify(layout);
    const answer = await fetch(path, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  }
}
