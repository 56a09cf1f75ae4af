/** The preset that is being shaped: what is heard, what is stored, and the steps between them. */

import { signal } from '../../core/signals.js';
import {
  bandOfSlider, centres, copy, flat, isNeutral, kindOf, qualityOf, settingsOf, types,
} from '../../data/presets.js';

/** @typedef {import('../../data/presets.js').Preset} Preset */
/** @typedef {import('../../data/presets.js').Band} Band */

const limits = { gain: [-96, 24], frequency: [10, 22_000], q: [0.1, 100], pitch: [-2400, 2400], rate: [0.25, 4] };
/** @param {number} value @param {number[]} range */
const within = (value, [low, high]) => Math.min(high, Math.max(low, value));

export class Draft {
  constructor() {
    /**
     * What is heard.
     * @type {import('../../core/signals.js').Signal<Preset>}
     */
    this.preset = signal(flat('Flat'));
    /**
     * What the library has under that name.
     * @type {Preset}
     */
    this.stored = flat('Flat');
    /**
     * What B holds while A is heard, or the other way round.
     * @type {Preset}
     */
    this.other = flat('Flat');
    this.side = signal(/** @type {'A' | 'B'} */ ('A'));
    this.bypassed = signal(false);
    this.selected = signal(0);
    /** Whether a change of the rate leaves the pitch that is heard as it is. */
    this.keepsPitch = signal(false);
    /** How many steps can be taken back. */
    this.steps = signal(0);
    /** @type {Preset[]} */
    this.past = [];
    this.lastEdit = '';
    /** @type {(settings: import('../../data/presets.js').Settings) => void} */
    this.onChange = () => {};
  }

  /**
   * Begins with a stored preset.
   * @param {Preset} preset
   */
  open(preset) {
    this.stored = copy(preset);
    this.other = copy(preset);
    this.past = [];
    this.steps.value = 0;
    this.side.value = 'A';
    this.lastEdit = '';
    this.keepsPitch.value = preset.rate !== 1 && Math.abs(preset.pitch_cents + centsOf(preset.rate)) < 1;
    this.preset.value = copy(preset);
    this.selected.value = within(this.selected.peek(), [0, Math.max(0, preset.bands.length - 1)]);
    this.emit();
  }

  get isChanged() {
    return JSON.stringify(this.preset.value) !== JSON.stringify(this.stored);
  }

  emit() {
    this.onChange(settingsOf(this.preset.peek(), this.bypassed.peek()));
  }

  /**
   * Changes a copy of the preset. Changes with the same name in a row are one step to take back.
   * @param {string} name @param {(preset: Preset) => void} body
   */
  edit(name, body) {
    const before = this.preset.peek();
    const next = copy(before);
    body(next);
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    if (name !== this.lastEdit) this.past.push(before);
    this.lastEdit = name;
    this.steps.value = this.past.length;
    this.preset.value = next;
    this.emit();
  }

  /** The next change is a step of its own. */
  settle() {
    this.lastEdit = '';
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.lastEdit = '';
    this.steps.value = this.past.length;
    this.preset.value = before;
    this.emit();
  }

  reset() {
    this.edit('reset', (preset) => Object.assign(preset, { ...flat(preset.name) }));
    this.settle();
  }

  /** Hears the other side. */
  swap() {
    [this.preset.value, this.other] = [this.other, this.preset.peek()];
    this.side.value = this.side.peek() === 'A' ? 'B' : 'A';
    this.settle();
    this.emit();
  }

  bypass() {
    this.bypassed.value = !this.bypassed.peek();
    this.emit();
  }

  // Bands.

  /** @param {number} index @param {number} gain in dB */
  setGain(index, gain) {
    this.edit(`gain ${index}`, ({ bands }) => {
      if (hasGain(bands[index])) bands[index].gain_db = round(within(gain, limits.gain), 100);
    });
  }

  /** @param {number} index @param {number} hertz */
  setFrequency(index, hertz) {
    this.edit(`frequency ${index}`,
      ({ bands }) => (bands[index].frequency_hz = round(within(hertz, limits.frequency), hertz < 100 ? 100 : 10)));
  }

  /** @param {number} index @param {number} q */
  setWidth(index, q) {
    this.edit(`width ${index}`, ({ bands }) => {
      if (!hasWidth(bands[index])) return;
      delete bands[index].bandwidth_octaves;
      bands[index].q = round(within(q, limits.q), 1000);
    });
  }

  /** @param {number} index @param {string} type */
  setType(index, type) {
    this.edit(`type ${index}`, ({ bands }) => {
      const { frequency_hz, channels, bypassed, gain_db, q } = bands[index];
      const [, , takesGain, takesWidth] = types[kindOf(type)];
      bands[index] = {
        type, frequency_hz, channels, bypassed,
        ...(takesGain ? { gain_db: gain_db ?? 0 } : {}), ...(takesWidth && q ? { q } : {}),
      };
    });
    this.settle();
  }

  /** @param {number} index @param {boolean} isOff */
  setBypassed(index, isOff) {
    this.edit(`bypass ${index}`, ({ bands }) => (bands[index].bypassed = isOff));
    this.settle();
  }

  /**
   * A new band; it is selected.
   * @param {number} hertz @param {number} gain
   */
  add(hertz, gain) {
    let place = 0;
    this.edit('add', ({ bands }) => {
      place = bands.findIndex((band) => band.frequency_hz > hertz);
      if (place < 0) place = bands.length;
      bands.splice(place, 0, {
        type: 'parametric', frequency_hz: round(within(hertz, limits.frequency), 10),
        gain_db: round(within(gain, limits.gain), 10), q: 1.41, channels: 'all', bypassed: false,
      });
    });
    this.settle();
    this.selected.value = place;
  }

  /** @param {number} index */
  remove(index) {
    this.edit('remove', ({ bands }) => bands.splice(index, 1));
    this.settle();
    this.selected.value = Math.max(0, Math.min(index, this.preset.peek().bands.length - 1));
  }

  // Sliders.

  /** @param {number} slider */
  sliderGain(slider) {
    const { bands } = this.preset.value;
    return bands[bandOfSlider(this.preset.peek(), slider)]?.gain_db ?? 0;
  }

  /**
   * Moves a slider; the band at its centre is made when it first moves.
   * @param {number} slider @param {number} gain in dB
   */
  setSlider(slider, gain) {
    const value = round(within(gain, [-12, 12]), 10);
    this.edit(`slider ${slider}`, (preset) => {
      const found = bandOfSlider(preset, slider);
      if (found >= 0) return (preset.bands[found].gain_db = value);
      const place = preset.bands.findIndex((band) => band.frequency_hz > centres[slider]);
      const band = {
        type: 'parametric', frequency_hz: centres[slider], gain_db: value, q: Math.SQRT2, channels: 'all',
        bypassed: false,
      };
      return preset.bands.splice(place < 0 ? preset.bands.length : place, 0, band);
    });
    this.selected.value = Math.max(0, bandOfSlider(this.preset.peek(), slider));
  }

  // All of it.

  /** @param {number} decibels */
  setTotalGain(decibels) {
    this.edit('total', (preset) => (preset.gain_db = round(within(decibels, limits.gain), 100)));
  }

  /** @param {string | null} room @param {number} mix in percent */
  setReverberation(room, mix) {
    this.edit(`room ${room}`,
      (preset) => (preset.reverb = room ? { room, mix_percent: round(within(mix, [0, 100]), 1) } : null));
  }

  /**
   * The change of pitch as it is shown: without what makes up for the rate.
   * @param {Preset} preset
   */
  shownPitch(preset) {
    return this.keepsPitch.peek() ? preset.pitch_cents + centsOf(preset.rate) : preset.pitch_cents;
  }

  /** @param {number} cents as they are shown */
  setPitch(cents) {
    this.edit('pitch', (preset) =>
      (preset.pitch_cents = pitchOf(cents - (this.keepsPitch.peek() ? centsOf(preset.rate) : 0))));
  }

  /** @param {number} rate 2 plays in half the time, an octave higher unless the pitch is kept */
  setRate(rate) {
    this.edit('rate', (preset) => {
      const shown = this.shownPitch(preset);
      preset.rate = round(within(rate, limits.rate), 1000);
      preset.pitch_cents = pitchOf(shown - (this.keepsPitch.peek() ? centsOf(preset.rate) : 0));
    });
  }

  /** @param {boolean} keeps */
  setKeepsPitch(keeps) {
    if (keeps === this.keepsPitch.peek()) return;
    const shown = this.shownPitch(this.preset.peek());
    this.keepsPitch.value = keeps;
    this.setPitch(shown);
    this.settle();
  }

  get isNeutral() {
    return isNeutral(settingsOf(this.preset.value));
  }
}

/** @param {Band} band */
export const hasGain = (band) => types[kindOf(band.type)][2];
/** @param {Band} band */
export const hasWidth = (band) => types[kindOf(band.type)][3];
export { qualityOf };

/** @param {number} value @param {number} scale */
const round = (value, scale) => Math.round(value * scale) / scale;

/**
 * How much higher a rate sounds.
 * @param {number} rate
 */
export const centsOf = (rate) => 1200 * Math.log2(rate);
/** @param {number} cents as they are stored: to a hundredth */
const pitchOf = (cents) => round(within(cents, limits.pitch), 100);
