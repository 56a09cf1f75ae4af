/** The effects of a preset beside its bands: gain, reverberation, pitch and rate; which of them are heard at once, and which in `render`. */

import { h } from '../core/dom.js';
import { rooms } from '../sound/preset.js';
import { canStream } from '../player/stream.js';

/** @typedef {import('./draft.js').Draft} Draft */

/**
 * @param {string} name @param {number} value @param {{min: number, max: number, step: number, disabled?: boolean}} range @param {(value: number) => void} set
 */
function number(name, value, range, set) {
  const input = h('input', { type: 'number', class: 'number', ...range, value: String(value), 'aria-label': name, onchange: () => set(Number(input.value)) });
  return input;
}

export class Effects {
  /** @param {Draft} draft @param {() => number} automatic the gain at which nothing exceeds full scale */
  constructor(draft, automatic) {
    this.draft = draft;
    this.automatic = automatic;
    this.rows = h('dl', {});
    this.note = h('p', { class: 'second note' });
    this.element = h('section', { class: 'group effects' }, h('h2', { class: 'label' }, 'Output and effects'), this.rows, this.note);
  }

  /** Shows the preset. */
  show() {
    const { draft } = this;
    const { gain_db: gain, reverb, pitch_cents: pitch, rate } = draft.preset.peek();
    const room = h('select', { 'aria-label': 'Reverberation', onchange: () => draft.setReverberation(room.value || null, reverb?.mix_percent ?? 15) },
      h('option', { value: '', selected: !reverb }, 'None'), rooms.map((name) => h('option', { value: name, selected: reverb?.room === name }, name.replace('-', ' '))));
    const rows = [
      ['Gain, dB', number('Gain in dB', gain, { min: -96, max: 24, step: 0.1 }, (value) => draft.setTotalGain(value))],
      ['', h('button', { type: 'button', class: 'link', onclick: () => draft.setTotalGain(this.automatic()) }, 'automatic')],
      ['Reverberation', room],
      ['Mix, %', number('Mix in percent', reverb?.mix_percent ?? 0, { min: 0, max: 100, step: 1, disabled: !reverb }, (value) => draft.setReverberation(reverb?.room ?? null, value))],
      ['Pitch, cents', number('Pitch in cents', pitch, { min: -2400, max: 2400, step: 10 }, (value) => draft.setPitch(value))],
      ['Rate', number('Rate', rate, { min: 0.25, max: 4, step: 0.01 }, (value) => draft.setRate(value))],
    ];
    const focused = document.activeElement?.getAttribute('aria-label');
    const isHere = this.rows.contains(document.activeElement);
    this.rows.replaceChildren(...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    if (isHere) this.rows.querySelector(`[aria-label="${focused}"]`)?.focus();
    this.note.textContent = !canStream() ? 'Over plain HTTP the browser plays files as they are: open the page by https to hear changes.'
      : pitch || rate !== 1 ? 'Bands, gain and reverberation are heard at once; pitch and rate in what “deadwax render” writes.' : '';
  }
}
