// The last two seconds of frames, in memory that never grows, and the time to draw: about two frames behind the newest,
// so that there is nearly always one on either side.
import type { MotionSource, SceneInfo } from '../api/types';
import { interpolateRow } from '../scene/kinematics';
import { paused, stopped } from './messages';

const kept = 128;
const behindFrames = 2;

export class Frames implements MotionSource {
  count = 0; // so many have come
  sequence = 0;
  speed = 0;
  flags = 0;
  refused = 0; // of a wrong length
  readonly channels: Float32Array; // newest values
  private readonly time = new Float64Array(kept);
  private readonly x: Float32Array;
  private readonly arrows: Float32Array;
  private offset = NaN; // simulated time minus the page's clock, s
  private tell: () => void = () => {};

  constructor(private readonly scene: SceneInfo, channels: number, private readonly period: number) {
    this.x = new Float32Array(kept * scene.row);
    this.arrows = new Float32Array(kept * scene.arrows);
    this.channels = new Float32Array(channels);
  }

  get t0(): number {
    return this.count ? this.time[(this.count - Math.min(this.count, kept)) % kept] : 0;
  }
  get t1(): number {
    return this.count ? this.time[(this.count - 1) % kept] : 0;
  }
  onData(listener: () => void): void {
    this.tell = listener;
  }
  overview(): null {
    return null;
  }

  /// now: seconds of the page's clock. False when the bytes are no frame of this scene.
  add(bytes: ArrayBuffer, now: number): boolean {
    const { row, arrows } = this.scene, n = this.channels.length;
    if (bytes.byteLength !== 32 + 4 * (row + arrows + n)) {
      ++this.refused;
      return false;
    }
    const head = new Float64Array(bytes, 0, 4), values = new Float32Array(bytes, 32);
    const [t, sequence, speed, flags] = head;
    // Time that goes back is another session: begin anew.
    if (t < this.t1) this.count = 0;
    this.sequence = sequence;
    this.speed = speed;
    this.flags = flags;
    this.channels.set(values.subarray(row + arrows));
    const stands = this.count > 0 && t === this.t1;
    const k = (stands ? this.count - 1 : this.count++) % kept;
    this.time[k] = t;
    this.x.set(values.subarray(0, row), k * row);
    this.arrows.set(values.subarray(row, row + arrows), k * arrows);
    const offset = t - now;
    this.offset = !(Math.abs(offset - this.offset) < 0.25) ? offset : this.offset + 0.08 * (offset - this.offset);
    this.tell();
    return true;
  }

  /// Time to draw at.
  shown(now: number): number {
    if (this.count === 0) return 0;
    if (this.flags & (paused | stopped)) return this.t1;
    return Math.min(this.t1, Math.max(this.t0, now + this.offset - behindFrames * this.period));
  }

  at(t: number, x: Float64Array, arrows: Float64Array): boolean {
    if (this.count === 0) return false;
    let newer = this.count - 1;
    const oldest = Math.max(0, this.count - kept);
    while (newer > oldest + 1 && this.time[(newer - 1) % kept] >= t) --newer;
    const older = Math.max(oldest, newer - 1), a = older % kept, b = newer % kept;
    const span = this.time[b] - this.time[a];
    const f = span > 0 ? Math.min(1, Math.max(0, (t - this.time[a]) / span)) : 1;
    interpolateRow(this.scene, this.x, a * this.scene.row, this.x, b * this.scene.row, f, x);
    const n = this.scene.arrows;
    for (let k = 0; k < n; ++k) arrows[k] = this.arrows[a * n + k] + f * (this.arrows[b * n + k] - this.arrows[a * n + k]);
    return true;
  }

  /// Newest yaw of a part that turns, rad.
  heading(part: number): number {
    const at = ((this.count - 1) % kept) * this.scene.row + this.scene.parts[part].x + 3;
    const [w, x, y, z] = this.x.subarray(at, at + 4);
    return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  }

  /// Newest position of a part, as it came.
  place(part: number): [number, number, number] {
    const at = ((this.count - 1) % kept) * this.scene.row + this.scene.parts[part].x;
    return [this.x[at], this.x[at + 1], this.x[at + 2]];
  }
}
