// What is drawn and how: colours, deformation, toggles, arrows, the second run.
import type { CameraKind, TimeBus } from '../api/types';
import type { Toggles } from '../scene/run_view';
import type { Stage } from '../scene/stage';
import type { Coloring } from '../scene/surface';
import type { PaletteName } from '../scene/palette';
import { checkbox, digits, h, numberField, select } from './dom';
import type { Legend } from './legend';
import type { PageSession } from './session';
import { roundUp, worstInstant } from './worst';

const toggles: readonly (readonly [keyof Toggles, string])[] = [
  ['tireForces', 'Tire forces (tripods)'], ['forces', 'Forces of elements'], ['jointForces', 'Forces of joints'],
  ['trajectories', 'Trajectories'], ['springs', 'Springs and rods'], ['joints', 'Joints'], ['centres', 'Centres of gravity'],
  ['frames', 'Frames'], ['edges', 'Mesh edges'], ['ground', 'Ground and road'], ['lane', 'Cones and lane'],
];

export class DisplayPanel {
  readonly element = h('div', { class: 'display-panel' });
  private readonly ranges: Record<'displacement' | 'stress', number> = { displacement: 1e-3, stress: 50e6 };
  private palette: PaletteName = 'viridis';
  private readonly rangeSlot = h('div', {});
  private readonly arrowSlot = h('div', {});
  private readonly ghostSlot = h('div', {});
  private readonly colorSlot = h('div', {});
  private readonly cameraSlot = h('div', {});
  private readonly boxes = new Map<keyof Toggles, HTMLInputElement>();
  private hasStress = false;
  private bends = false;

  constructor(private readonly stage: Stage, private readonly session: PageSession, private readonly legend: Legend, private readonly bus: TimeBus) {
    const boxes = h('fieldset', {}, h('legend', {}, 'Show'));
    for (const [name, text] of toggles) {
      const box = checkbox(text, stage.toggles[name], (on) => stage.setToggle(name, on), `show-${name}`);
      this.boxes.set(name, box.querySelector('input')!);
      boxes.append(box);
    }
    this.element.append(
      h('fieldset', {}, h('legend', {}, 'Camera'), this.cameraSlot),
      h('fieldset', {}, h('legend', {}, 'Bodies'), this.colorSlot, this.rangeSlot,
        select('Scale', [['viridis', 'viridis'], ['cividis', 'cividis']] as const, this.palette, (p) => this.setPalette(p), 'palette'),
        numberField('Deformation', 'times', 1, 0, 'any', (v) => stage.setDeformationScale(v), 'deformation')),
      boxes, h('fieldset', {}, h('legend', {}, 'Arrows'), this.arrowSlot), this.ghostSlot);
    this.runsChanged();
  }

  runsChanged(): void {
    const { stage } = this, run = stage.runs[0];
    this.bends = !!run && run.surfaces.some((s) => s && s.nq > 0);
    this.hasStress = !!run && run.surfaces.some((s) => s?.stress);
    const cameras = [['chase', 'Chase'], ['follow', 'Follow'], ['free', 'Free'], ['inside', 'Inside']] as const;
    this.cameraSlot.replaceChildren(select('View', cameras, stage.rig.kind, (k) => this.setCamera(k), 'camera'));
    const kinds: [Coloring, string][] = [['part', 'by part']];
    if (this.bends) kinds.push(['displacement', 'by displacement']);
    if (this.hasStress) kinds.push(['stress', 'by stress (von Mises)']);
    this.colorSlot.replaceChildren(select('Colour', kinds, stage.coloring, (k) => this.setColoring(k), 'coloring'));
    if (run) {
      const scale = 1 / run.arrows.scale / 1000;
      this.arrowSlot.replaceChildren(numberField('1 m is', 'kN', Number(digits(scale, 3)), 1e-9, 'any',
        (v) => stage.setArrowScale(1 / (1000 * v)), 'arrow-scale'));
    }
    this.ghostSlot.replaceChildren();
    if (this.session.info.runs.length > 1)
      this.ghostSlot.append(h('fieldset', {}, h('legend', {}, 'Second run (orange)'),
        checkbox('Show', true, (on) => this.showGhost(on), 'ghost-show'),
        numberField('Shift in time', 's', 0, -1e9, 'any', (v) => this.session.setShift(1, v), 'ghost-shift')));
    this.setRange();
  }

  private showGhost(on: boolean): void {
    if (this.stage.runs[1]) this.stage.runs[1].group.visible = on;
    this.stage.redraw();
  }
  setCamera(kind: CameraKind): void {
    this.stage.setCamera(kind);
    const list = this.cameraSlot.querySelector('select');
    if (list) list.value = kind;
  }
  toggle(name: keyof Toggles): void {
    const box = this.boxes.get(name)!;
    box.checked = !box.checked;
    this.stage.setToggle(name, box.checked);
  }
  /// The next of the ways of colouring that this run has.
  nextColoring(): void {
    const list = this.colorSlot.querySelector('select')!;
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.setColoring(list.value as Coloring);
  }
  setColoring(kind: Coloring): void {
    this.stage.setColoring(kind);
    const list = this.colorSlot.querySelector('select')!;
    list.value = kind;
    this.setRange();
  }
  private setPalette(p: PaletteName): void {
    this.palette = p;
    this.stage.setPalette(p);
    this.setRange();
  }

  private setRange(): void {
    const kind = this.stage.coloring;
    this.rangeSlot.replaceChildren();
    if (kind === 'part') {
      this.legend.hide();
      return;
    }
    const factor = kind === 'displacement' ? 1e3 : 1e-6, unit = kind === 'displacement' ? 'mm' : 'MPa';
    const name = kind === 'displacement' ? 'Displacement' : 'von Mises stress';
    const apply = () => {
      this.stage.setColorRange(0, this.ranges[kind]);
      this.legend.show(name, unit, 0, factor * this.ranges[kind], this.palette);
    };
    // Quarters of the scale are round numbers.
    const setTo = (most: number) => {
      if (!(most > 0)) return;
      this.ranges[kind] = roundUp(factor * most) / factor;
      field.querySelector('input')!.value = digits(factor * this.ranges[kind], 3);
      apply();
    };
    const field = numberField('Full scale', unit, factor * this.ranges[kind], 1e-9, 'any', (v) => {
      this.ranges[kind] = v / factor;
      apply();
    }, 'color-range');
    const fit = h('button', { class: 'text', id: 'color-fit', onclick: () => {
      setTo(Math.max(...this.stage.runs[0].surfaces.map((s) => s?.largest(kind) ?? 0)));
    } }, 'Fit now');
    const worst = h('button', { class: 'text', id: 'color-worst', title: 'To the instant with the largest value of the run', onclick: () => {
      const found = worstInstant(this.stage.runs[0], kind);
      if (!found) return;
      this.bus.setPlaying(false);
      this.bus.setTime(found.time);
      setTo(found.value);
      this.session.notify(`${found.part}: ${digits(factor * found.value, 4)} ${unit} at ${digits(found.time, 5)} s, the largest of the run`);
    } }, 'Go to worst');
    this.rangeSlot.append(field, h('div', { class: 'buttons' }, fit, worst));
    apply();
  }
}
