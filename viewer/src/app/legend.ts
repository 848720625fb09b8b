// Colour scale with ticks, over the picture.
import { paletteBytes, type PaletteName } from '../scene/palette';
import { digits, h } from './dom';

export class Legend {
  readonly element: HTMLElement;
  private readonly title = h('div', { class: 'legend-title' });
  private readonly bar = h('canvas', { width: 256, height: 1, 'aria-hidden': 'true' });
  private readonly ticks = h('div', { class: 'legend-ticks' });

  constructor() {
    this.element = h('div', { class: 'legend', id: 'legend', role: 'img', hidden: true }, this.title, this.bar, this.ticks);
  }

  show(title: string, unit: string, low: number, high: number, palette: PaletteName): void {
    this.element.hidden = false;
    this.title.textContent = `${title}, ${unit}`;
    const image = new ImageData(new Uint8ClampedArray(paletteBytes(palette)), 256, 1);
    this.bar.getContext('2d')!.putImageData(image, 0, 0);
    this.ticks.replaceChildren();
    for (let k = 0; k <= 4; ++k) this.ticks.append(h('span', {}, digits(low + (k / 4) * (high - low), 3)));
    this.element.setAttribute('aria-label', `Colour scale: ${title} from ${digits(low)} to ${digits(high)} ${unit}`);
  }
  hide(): void {
    this.element.hidden = true;
  }
}
