// Place holder until the plots land.
import type { PlotsPanel } from '../api/types';

export const plotsPanel: PlotsPanel = {
  mount(element) {
    element.textContent = '';
    return { resize() {}, layout: () => ({}), destroy() {} };
  },
};
