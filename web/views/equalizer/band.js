/** The numbers of the selected band, to be typed. */

import { attribute, h, setText } from '../../core/dom.js';
import { effect } from '../../core/signals.js';
import { kindOf, qualityOf, types } from '../../data/presets.js';

export class BandFacts {
  /** @param {import('./draft.js').Draft} draft */
  constructor(draft) {
    this.draft = draft;
    this.name = h('span');
    this.place = h('span', { class: 'second' });
    this.body = h('dl', {});
    const step = (/** @type {number} */ by) => {
      const count = draft.preset.peek().bands.length;
      if (count) draft.selected.value = (draft.selected.peek() + by + count) % count;
    };
    this.steps = h('span', { class: 'steps' },
      h('button', { type: 'button', class: 'tool', 'aria-label': 'Previous band', onclick: () => step(-1) }, '\u2039'),
      this.place,
      h('button', { type: 'button', class: 'tool', 'aria-label': 'Next band', onclick: () => step(1) }, '\u203a'));
    const addition = h('button', { type: 'button', class: 'link', onclick: () => draft.add(1000, 0) }, 'Add a band');
    this.removal = h('button', { type: 'button', class: 'link', onclick: () => {
      draft.remove(draft.selected.peek());
      if (this.removal.hidden) addition.focus();
    } }, 'Remove it');
    this.element = h('section', { class: 'group band' }, h('h2', { class: 'label' }, this.name, this.steps), this.body,
      h('p', { class: 'buttons' }, addition, this.removal));
    effect(() => this.fill(draft.preset.value, draft.selected.value));
  }

  /** @param {import('../../data/presets.js').Preset} preset @param {number} index */
  fill(preset, index) {
    const band = preset.bands[index];
    setText(this.name, band ? `Band ${index + 1}` : 'No bands');
    for (const one of [this.steps, this.removal]) attribute(one, 'hidden', !band);
    setText(this.place, band ? ` ${index + 1} of ${preset.bands.length} ` : '');
    const { activeElement } = document;
    const focused = this.body.contains(activeElement) ? activeElement?.getAttribute('aria-label') : null;
    this.body.replaceChildren();
    if (!band) return;
    const { draft } = this;
    const [, , takesGain, takesWidth] = types[kindOf(band.type)];
    const type = h('select', { 'aria-label': 'Type', onchange: () => draft.setType(index, type.value) },
      types.map(([key, name]) => h('option', { value: key, selected: key === band.type }, name)));
    this.row('Type', type);
    this.number('Frequency, Hz', band.frequency_hz, 1, (value) => draft.setFrequency(index, value));
    if (takesGain) this.number('Gain, dB', band.gain_db ?? 0, 0.1, (value) => draft.setGain(index, value));
    if (takesWidth) {
      this.number('Q', Math.round(qualityOf(band) * 100) / 100, 0.01, (value) => draft.setWidth(index, value));
    }
    const on = h('input', {
      type: 'checkbox', checked: !band.bypassed, 'aria-label': 'On',
      onchange: () => draft.setBypassed(index, !on.checked),
    });
    this.row('On', on);
    if (focused) /** @type {HTMLElement | null} */ (this.body.querySelector(`[aria-label="${focused}"]`))?.focus();
  }

  /** @param {string} name @param {Element} value */
  row(name, value) {
    this.body.append(h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  }

  /** @param {string} name @param {number} value @param {number} step @param {(value: number) => void} set */
  number(name, value, step, set) {
    const input = h('input', {
      type: 'number', class: 'number', step, value: String(value), 'aria-label': name,
      onchange: () => Number.isFinite(input.valueAsNumber) && set(input.valueAsNumber),
    });
    this.row(name, input);
  }
}
