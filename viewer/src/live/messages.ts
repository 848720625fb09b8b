// What a live session and the page tell each other (docs/driving.md).
import type { ChannelInfo, SceneInfo } from '../api/types';

export interface Hello {
  type: 'hello';
  scene: SceneInfo;
  channels: ChannelInfo[];
  step_s: number;
  driver: boolean;
  rate_Hz: number;
  body: BodyKind;
  can_switch: boolean;
  paused: boolean;
}
export type BodyKind = 'flexible' | 'rigid';
export interface Stats {
  type: 'stats';
  t: number;
  rt_factor: number;
  median_us: number;
  p99_us: number;
  worst_us: number;
  frame_us: number;
  overruns: number;
  all_overruns: number;
  period_us: number;
  rss_kB: number;
  watchers: number;
}
export type Message =
  | Hello
  | Stats
  | { type: 'driver'; you: boolean; free: boolean }
  | { type: 'event'; text: string; kind?: string; cone?: number; t?: number }
  | { type: 'body'; kind: BodyKind }
  | { type: 'wheel_wanted' }
  | { type: 'error'; text: string };

export const paused = 1, stopped = 2, rigidBody = 4, reverse = 8;

export interface Pedals {
  steer: number; // -1 left to 1 right
  throttle: number;
  brake: number;
  hold: boolean; // a brake that does not become reverse
}
export const noPedals = (): Pedals => ({ steer: 0, throttle: 0, brake: 0, hold: false });
