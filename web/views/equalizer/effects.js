/** The effects of a preset beside its bands: gain, reverberation, pitch and rate, what they cost, and what they do. */

import { measureCost } from '../../audio/effects.js';
import { canStream } from '../../audio/stream-engine.js';
import { h, setText } from '../../core/dom.js';
import { signed } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { isNeutral, rooms, settingsOf } from '../../data/presets.js';
import { centsOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */

const asTheyAre =
  'Over plain HTTP the browser only changes the speed: open the page over https to hear all changes.';

/** A slider and the number beside it. */
class Amount {
  /**
   * @param {string} name @param {{min: number, max: number, step: number}} range
   * @param {(value: number) => void} set @param {() => void} settle
   * @param {{toPlace: (value: number) => number, toValue: (place: number) => number}} [scale] of the slider, where it
   *   is not even
   */
  constructor(name, range, set, settle, scale) {
    const { step } = range;
    const { toPlace, toValue } = scale ?? { toPlace: (value) => value, toValue: (place) => place };
    const [min, max] = [toPlace(range.min), toPlace(range.max)];
    this.toPlace = toPlace;
    const take = (/** @type {number} */ value) => Number.isFinite(value) && set(Math.round(value / step) * step);
    this.slider = h('input', {
      type: 'range', class: 'slide', min, max, step: 'any', 'aria-label': `${name}, slider`,
      oninput: () => take(toValue(Number(this.slider.value))), onchange: settle,
    });
    this.number = h('input', { type: 'number', class: 'number', ...range, 'aria-label': name, onchange: () => {
      take(this.number.valueAsNumber);
      settle();
      this.show(this.value);
    } });
    this.value = 0;
    /** Rounds what is shown: more than a step, for pitches that make up for a rate. */
    this.scale = Math.min(1000, 10 / step);
    this.span = [min, max];
  }

  /** @param {number} value @param {boolean} [isDisabled] */
  show(value, isDisabled = false) {
    this.value = value;
    const [min, max] = this.span;
    const shown = String(Math.round(value * this.scale) / this.scale);
    if (this.number.value !== shown) this.number.value = shown;
    const place = this.toPlace(value);
    if (Number(this.slider.value) !== place) this.slider.value = String(place);
    this.slider.style.setProperty('--part', `${(100 * (place - min)) / (max - min)}%`);
    this.slider.setAttribute('aria-valuetext', shown);
    this.slider.disabled = this.number.disabled = isDisabled;
  }
}

/** @param {string | (string | Element)[]} name @param {Amount} amount */
const row = (name, { slider, number }) =>
  h('div', { class: 'amount' }, h('dt', {}, name), h('dd', {}, slider, number));

/**
 * What pitch and rate do, in words; nothing if they do nothing.
 * @param {import('../../data/presets.js').Preset} preset
 */
function paceWords({ pitch_cents: pitch, rate }) {
  const cents = pitch + centsOf(rate);
  const parts = [
    Math.abs(cents) >= 1 ? `${signed(cents / 100, 2)} semitones` : '',
    rate !== 1 ? `${Math.round(100 / rate)} % of the time` : '',
  ].filter(Boolean);
  return parts.length ? `Heard: ${parts.join(', in ')}.` : '';
}

export class Effects {
  /**
   * @param {Draft} draft @param {() => number} automatic the gain at which nothing exceeds full scale
   * @param {() => number} rateOf the track, in Hz
   */
  constructor(draft, automatic, rateOf) {
    this.draft = draft;
    this.rateOf = rateOf;
    const settle = () => draft.settle();
    const reverb = () => draft.preset.peek().reverb;
    this.gain = new Amount('Gain in dB', { min: -24, max: 24, step: 0.1 },
      (value) => draft.setTotalGain(value), settle);
    this.gain.number.min = '-96';
    this.mix = new Amount('Mix in percent', { min: 0, max: 100, step: 1 },
      (value) => draft.setReverberation(reverb()?.room ?? null, value), settle);
    this.pitch = new Amount('Pitch in cents', { min: -2400, max: 2400, step: 1 },
      (value) => draft.setPitch(value), settle);
    this.rate = new Amount('Rate', { min: 0.25, max: 4, step: 0.001 }, (value) => draft.setRate(value), settle,
      { toPlace: Math.log2, toValue: (place) => Math.round(100 * 2 ** place) / 100 });
    this.room = h('select', {
      'aria-label': 'Reverberation',
      onchange: () => draft.setReverberation(this.room.value || null, reverb()?.mix_percent ?? 15),
    }, h('option', { value: '' }, 'None'),
    rooms.map((name) => h('option', { value: name }, name.replace('-', ' '))));
    this.keeps = h('input', {
      type: 'checkbox', id: 'keeps-pitch', onchange: () => draft.setKeepsPitch(this.keeps.checked),
    });
    this.heard = h('p', { class: 'second note' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.cost = h('p', { class: 'second note cost', role: 'status' });
    const auto = h('button', {
      type: 'button', class: 'link', 'aria-label': 'Automatic gain', onclick: () => draft.setTotalGain(automatic()),
    }, 'auto');
    const label = h('label', { htmlFor: 'keeps-pitch' }, 'Keep the pitch');
    this.element = h('section', { class: 'group effects' }, h('h2', { class: 'label' }, 'Output and effects'),
      h('dl', {},
        row(['Gain, dB', auto], this.gain), row('Pitch, cents', this.pitch), row('Rate', this.rate),
        h('div', {}, h('dt', {}, label), h('dd', {}, this.keeps)),
        h('div', {}, h('dt', {}, 'Reverberation'), h('dd', {}, this.room)), row('Mix, %', this.mix)),
      this.heard, this.cost);
    effect(() => {
      draft.keepsPitch.value;
      this.show();
    });
  }

  /** Shows the preset. */
  show() {
    const { draft } = this;
    const preset = draft.preset.peek();
    const { gain_db: gain, reverb, rate } = preset;
    this.gain.show(gain);
    this.mix.show(reverb?.mix_percent ?? 0, !reverb);
    this.pitch.show(draft.shownPitch(preset));
    this.rate.show(rate);
    this.room.value = reverb?.room ?? '';
    this.keeps.checked = draft.keepsPitch.peek();
    setText(this.heard, canStream() ? paceWords(preset) : asTheyAre);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tellCost(), 400);
  }

  /** Says what the effects take, as soon as nothing has moved for a while. */
  async tellCost() {
    const { preset, bypassed } = this.draft;
    const settings = settingsOf(preset.peek(), bypassed.peek());
    if (!this.element.isConnected || !canStream() || isNeutral(settings)) return setText(this.cost, '');
    const share = await measureCost(settings, this.rateOf()).catch(() => null);
    if (share === null) return;
    const percent = share < 0.01 ? 'less than 1' : `about ${Math.round(100 * share)}`;
    setText(this.cost, `Costs ${percent} % of a processor core.`);
  }
}
