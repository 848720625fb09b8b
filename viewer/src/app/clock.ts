// The page's clock: advances while playing, tells its listeners at most once per animation frame.
import type { TimeBus, TimeListener } from '../api/types';

export class Clock implements TimeBus {
  t0 = 0;
  t1 = 0;
  time = 0;
  playing = false;
  speed = 1;
  loop = false;
  live = false;
  private listeners = new Set<TimeListener>();
  private changed = true;

  setRange(t0: number, t1: number): void {
    this.t0 = t0;
    this.t1 = Math.max(t0, t1);
    this.setTime(this.time);
  }
  setTime(t: number): void {
    if (Number.isNaN(t)) return;
    this.time = Math.min(Math.max(t, this.t0), this.t1);
    this.changed = true;
  }
  setPlaying(on: boolean): void {
    // Playing at the end starts over.
    if (on && !this.live && this.time >= this.t1) this.time = this.t0;
    this.playing = on;
    this.changed = true;
  }
  setSpeed(speed: number): void {
    if (!(speed > 0)) return;
    this.speed = speed;
    this.changed = true;
  }
  setLoop(on: boolean): void {
    this.loop = on;
    this.changed = true;
  }
  setLive(on: boolean): void {
    this.live = on;
    this.changed = true;
  }
  subscribe(listener: TimeListener): () => void {
    this.listeners.add(listener);
    this.changed = true;
    return () => this.listeners.delete(listener);
  }

  /// Once per animation frame with the seconds since the last one; true when anything changed.
  tick(elapsed: number): boolean {
    if (this.playing && !this.live && this.t1 > this.t0) {
      let t = this.time + elapsed * this.speed;
      if (t >= this.t1) {
        if (this.loop) {
          t = this.t0 + ((t - this.t0) % (this.t1 - this.t0));
        } else {
          t = this.t1;
          this.playing = false;
        }
      }
      this.time = t;
      this.changed = true;
    }
    if (!this.changed) return false;
    this.changed = false;
    for (const l of this.listeners) l(this);
    return true;
  }
}
