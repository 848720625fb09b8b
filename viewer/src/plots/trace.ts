// One curve over the plotting area, in pixels: the rows it covers in each column, and its way from corner to corner.
// y counts downwards; a bucket of samples is its least and greatest value; what is not finite makes a gap.

const finite = (x: number, a: number, b: number): boolean => x - x === 0 && a - a === 0 && b - b === 0;

/** Least and greatest y in each column of pixels. x must not fall. */
export class Columns {
  private readonly top: Float32Array;
  private readonly bottom: Float32Array;
  private known = false;
  private x = 0;
  private a = 0;
  private b = 0;

  constructor(private readonly width: number) {
    this.top = new Float32Array(width).fill(Infinity);
    this.bottom = new Float32Array(width).fill(-Infinity);
  }

  /** The next bucket from a to b, joined with the last one. */
  add(x: number, a: number, b: number): void {
    if (!finite(x, a, b)) {
      this.known = false;
      return;
    }
    if (!this.known) this.cover(x, a, x, b);
    else {
      this.cover(this.x, this.a, x, a);
      if (b !== a || this.b !== this.a) this.cover(this.x, this.b, x, b);
    }
    this.known = true;
    this.x = x;
    this.a = a;
    this.b = b;
  }

  each(visit: (column: number, top: number, bottom: number) => void): void {
    for (let c = 0; c < this.width; ++c) if (this.top[c] <= this.bottom[c]) visit(c, this.top[c], this.bottom[c]);
  }

  private cover(x0: number, y0: number, x1: number, y1: number): void {
    const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    const last = Math.min(this.width - 1, Math.floor(x1));
    for (let c = Math.max(0, Math.floor(x0)); c <= last; ++c) {
      this.mark(c, c <= x0 ? y0 : y0 + (c - x0) * slope);
      this.mark(c, c + 1 >= x1 ? y1 : y0 + (c + 1 - x0) * slope);
    }
  }

  private mark(c: number, y: number): void {
    if (y < this.top[c]) this.top[c] = y;
    if (y > this.bottom[c]) this.bottom[c] = y;
  }
}

/** Joins buckets by one line: the nearer end first, so that a smooth curve stays a line and noise fills its band. */
export class Way {
  readonly path = new Path2D();
  corners = 0;
  /** Pixels up and down, all in all: many times the width where the curve fills an area. */
  travel = 0;
  private down = false;
  private y = 0;

  add(x: number, a: number, b: number): void {
    if (!finite(x, a, b)) {
      this.lift();
      return;
    }
    const [near, far] = Math.abs(a - this.y) < Math.abs(b - this.y) ? [a, b] : [b, a];
    if (!this.down) this.path.moveTo(x, near);
    else this.travel += Math.abs(near - this.y);
    this.path.lineTo(x, near); // also at the begin: a sample alone is a dot
    if (far !== near) this.path.lineTo(x, far);
    this.travel += Math.abs(far - near);
    this.corners += far === near ? 1 : 2;
    this.y = far;
    this.down = true;
  }

  /** A gap follows. */
  lift(): void {
    this.down = false;
  }
}
