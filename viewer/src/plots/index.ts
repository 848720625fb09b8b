// The plots beside the 3D view. Everything else in this folder is reached through here.

import type { PlotsPanel } from '../api/types';
import { Panel } from './panel';
import 'uplot/dist/uPlot.min.css';
import './plots.css';

export const plotsPanel: PlotsPanel = {
  mount: (element, session, bus) => new Panel(element, session, bus),
};
