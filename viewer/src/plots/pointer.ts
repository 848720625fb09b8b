// Mouse, pen, finger and wheel on a plotting area, as actions. Mouse: click sets the time, dragging the cursor line
// scrubs, dragging elsewhere zooms, shift or the middle button pans, wheel zooms, double click resets.
// Finger: tap sets the time, sideways drag scrubs, two fingers zoom and pan; up and down scrolls the page.

export interface PointerActions {
  /** Pixel of the cursor line; NaN: none. */
  cursorPixel(): number;
  /** Whether dragging may also choose heights freely (X-Y) rather than only clearly tall boxes. */
  box: boolean;
  setTime(px: number): void;
  /** Pixel limits; null: not that axis. */
  zoom(x: [number, number] | null, y: [number, number] | null): void;
  /** Scaling about a pixel: factor < 1 shows less. */
  scale(px: number, py: number, factor: number, upright: boolean): void;
  pan(dx: number, dy: number): void;
  reset(): void;
  activate(): void;
}

const grab = 7; // px beside the cursor line
const still = 4; // px that a click may move

type Mode = 'idle' | 'press' | 'select' | 'scrub' | 'pan' | 'pinch';

export function attachPointer(over: HTMLElement, act: PointerActions): void {
  const band = document.createElement('div');
  band.className = 'mp-band';
  band.hidden = true;
  over.append(band);

  let mode: Mode = 'idle';
  let start = { x: 0, y: 0 };
  let last = { x: 0, y: 0 };
  const fingers = new Map<number, { x: number; y: number }>();

  const place = (e: PointerEvent | WheelEvent | MouseEvent): { x: number; y: number } => {
    const r = over.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  };
  const nearCursor = (x: number): boolean => Math.abs(x - act.cursorPixel()) <= grab;

  /** Which axes a dragged box means: flat ones the abscissa, upright ones the ordinate. */
  const chosen = (p: { x: number; y: number }): { x: [number, number] | null; y: [number, number] | null } => {
    const x: [number, number] = [Math.min(start.x, p.x), Math.max(start.x, p.x)];
    const y: [number, number] = [Math.min(start.y, p.y), Math.max(start.y, p.y)];
    const wide = x[1] - x[0];
    const tall = y[1] - y[0];
    if (act.box) return { x: wide > still ? x : null, y: tall > still ? y : null };
    return { x: wide > 12 ? x : null, y: tall > 36 ? y : null };
  };

  const showBand = (p: { x: number; y: number }): void => {
    const c = chosen(p);
    const r = over.getBoundingClientRect();
    const [x0, x1] = c.x ?? [0, r.width];
    const [y0, y1] = c.y ?? [0, r.height];
    band.hidden = !c.x && !c.y;
    band.style.left = `${x0}px`;
    band.style.top = `${y0}px`;
    band.style.width = `${x1 - x0}px`;
    band.style.height = `${y1 - y0}px`;
  };

  const end = (): void => {
    mode = 'idle';
    band.hidden = true;
  };

  over.addEventListener('pointerdown', (e) => {
    if (e.button > 1) return;
    act.activate();
    over.setPointerCapture(e.pointerId);
    const p = place(e);
    fingers.set(e.pointerId, p);
    start = last = p;
    if (fingers.size === 2) mode = 'pinch';
    else if (e.button === 1 || e.shiftKey) mode = 'pan';
    else if (e.pointerType !== 'touch' && nearCursor(p.x)) mode = 'scrub';
    else mode = 'press';
    if (e.pointerType === 'mouse') e.preventDefault();
  });

  over.addEventListener('pointermove', (e) => {
    const p = place(e);
    if (mode === 'idle') {
      over.style.cursor = nearCursor(p.x) ? 'ew-resize' : 'crosshair';
      return;
    }
    if (mode === 'pinch') {
      pinch(e.pointerId, p);
      return;
    }
    if (mode === 'press' && Math.hypot(p.x - start.x, p.y - start.y) > still) {
      mode = e.pointerType !== 'touch' ? 'select' : act.box ? 'pan' : 'scrub';
    }
    if (mode === 'select') showBand(p);
    if (mode === 'scrub') act.setTime(p.x);
    if (mode === 'pan') act.pan(p.x - last.x, p.y - last.y);
    last = p;
    fingers.set(e.pointerId, p);
  });

  const pinch = (id: number, p: { x: number; y: number }): void => {
    const before = [...fingers.values()];
    fingers.set(id, p);
    const after = [...fingers.values()];
    if (before.length < 2 || after.length < 2) return;
    const gap = (f: { x: number }[]): number => Math.max(20, Math.abs(f[0].x - f[1].x));
    const middle = (f: { x: number }[]): number => 0.5 * (f[0].x + f[1].x);
    act.pan(middle(after) - middle(before), 0);
    act.scale(middle(after), p.y, gap(before) / gap(after), false);
  };

  over.addEventListener('pointerup', (e) => {
    const p = place(e);
    fingers.delete(e.pointerId);
    if (mode === 'press') act.setTime(p.x);
    if (mode === 'scrub') act.setTime(p.x);
    if (mode === 'select') {
      const c = chosen(p);
      if (c.x || c.y) act.zoom(c.x, c.y);
    }
    end();
  });
  over.addEventListener('pointercancel', (e) => {
    fingers.delete(e.pointerId);
    end();
  });
  over.addEventListener('dblclick', (e) => {
    e.preventDefault();
    act.reset();
  });
  over.addEventListener(
    'wheel',
    (e) => {
      e.preventDefault();
      act.activate();
      const p = place(e);
      const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 200 : 1;
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        act.pan(-(e.deltaX || e.deltaY) * unit, 0);
        return;
      }
      const factor = Math.exp(Math.max(-1, Math.min(1, (e.deltaY * unit) / 400)));
      act.scale(p.x, p.y, factor, e.altKey);
    },
    { passive: false },
  );
}
