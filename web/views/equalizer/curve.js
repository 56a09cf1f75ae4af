/** The curve of a preset over the spectrum of the track, with a point for each band that can be moved. */

import { h, keyed, perFrame, setText } from '../../core/dom.js';
import { frequency, number, signed } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { kindOf, types } from '../../data/presets.js';
import { hertzAt, hertzMark, highest, lowest, marks, placeOf } from '../../drawing/axis.js';
import { prepare } from '../../drawing/canvas.js';
import { css, palette } from '../../drawing/colour.js';
import { hasGain, hasWidth, qualityOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('../../data/presets.js').Preset} Preset */

const range = 13.5;
const lines = [12, 6, 0, -6, -12];
const pointCount = 512;
const grid = Float64Array.from({ length: pointCount }, (_, i) => hertzAt(i / (pointCount - 1)));
/** How the levels of the spectrum are laid under the curve, in dB. */
const spectrumRange = [-96, -16];

/** @param {number} gain 0…1 from the top */
const heightOf = (gain) => 0.5 - gain / (2 * range);

export class Curve {
  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    /** @type {import('../../audio/effects.js').Curves | null} */
    this.curves = null;
    this.rate = 44_100;
    /**
     * The mean spectrum of the track.
     * @type {import('../../data/documents.js').SpectrumBand[]}
     */
    this.bands = [];
    this.canvas = h('canvas', { role: 'img' });
    this.points = h('div', { class: 'points' });
    this.chip = h('div', { class: 'chip', hidden: true });
    this.frame = h('div', { class: 'frame' }, this.canvas, this.points, this.chip,
      h('div', { class: 'axis', 'aria-hidden': 'true' }, lines.map((gain) => {
        const label = h('span', {}, gain ? signed(gain, 0) : '0 dB');
        label.style.top = `${heightOf(gain) * 100}%`;
        return label;
      })));
    this.hertz = h('div', { class: 'hertz', 'aria-hidden': 'true' }, [lowest, ...marks, highest].map((hertz) => {
      const label = h('span', {}, hertzMark(hertz));
      label.style.left = `${placeOf(hertz) * 100}%`;
      return label;
    }));
    this.element = h('figure', { class: 'plot curve' }, this.frame, this.hertz);
    this.frame.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => {
      if (/** @type {Element} */ (event.target).closest('.point')) return;
      const { hertz, gain } = this.at(event);
      draft.add(hertz, gain);
    });
    this.draw = perFrame(() => this.paint());
    effect(() => {
      palette.value;
      draft.bypassed.value;
      draft.selected.value;
      this.place(draft.preset.value);
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /**
   * What the pointer is at.
   * @param {MouseEvent} event
   */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const place = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return { hertz: hertzAt(place), gain: range * (1 - (2 * (event.clientY - box.top)) / box.height) };
  }

  /** @param {Preset} preset */
  place(preset) {
    const items = preset.bands.map((band, index) => ({ band, index }));
    keyed(this.points, items, ({ index }) => index, ({ index }) => this.point(index));
    items.forEach(({ band, index }) => {
      const point = /** @type {HTMLElement} */ (this.points.children[index]);
      const gain = hasGain(band) ? (band.gain_db ?? 0) : 0;
      point.style.left = `${placeOf(band.frequency_hz) * 100}%`;
      point.style.top = `${Math.min(1, Math.max(0, heightOf(gain))) * 100}%`;
      point.style.setProperty('--hue', css(palette.peek().levels(band.frequency_hz)[180]));
      point.classList.toggle('off', band.bypassed ?? false);
      point.classList.toggle('chosen', index === this.draft.selected.peek());
      point.setAttribute('aria-label', `Band ${index + 1}, ${types[kindOf(band.type)][1]}`);
      point.setAttribute('aria-valuenow', String(gain));
      point.setAttribute('aria-valuetext', wordsOf(band));
    });
  }

  /** @param {number} index */
  point(index) {
    const { draft } = this;
    const point = h('div', {
      class: 'point', role: 'slider', tabIndex: 0, 'aria-orientation': 'vertical', 'aria-valuemin': -96,
      'aria-valuemax': 24,
      onfocus: () => (draft.selected.value = index),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event, index),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.grab(event, index, point),
      onpointerenter: () => this.tell(index),
      onpointerleave: () => (this.chip.hidden = true),
      onblur: () => (this.chip.hidden = true),
    });
    point.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      draft.setWidth(index, qualityOf(draft.preset.peek().bands[index]) * 2 ** (-event.deltaY / 600));
      this.tell(index);
    }, { passive: false });
    return point;
  }

  /**
   * Says what a band is, beside its point.
   * @param {number} index
   */
  tell(index) {
    const band = this.draft.preset.peek().bands[index];
    if (!band) return;
    const x = placeOf(band.frequency_hz);
    this.chip.hidden = false;
    setText(this.chip, wordsOf(band));
    this.chip.style.left = `${x * 100}%`;
    this.chip.style.top = `${heightOf(band.gain_db ?? 0) * 100}%`;
    this.chip.classList.toggle('left', x > 0.75);
  }

  /** @param {KeyboardEvent} event @param {number} index */
  press(event, index) {
    const { draft } = this;
    const band = draft.preset.peek().bands[index];
    if (!band || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 0.1 : 0.5;
    const ratio = 2 ** ((event.shiftKey ? 1 : 5) / 60);
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowUp: () => draft.setGain(index, (band.gain_db ?? 0) + step),
      ArrowDown: () => draft.setGain(index, (band.gain_db ?? 0) - step),
      ArrowRight: () => draft.setFrequency(index, band.frequency_hz * ratio),
      ArrowLeft: () => draft.setFrequency(index, band.frequency_hz / ratio),
      PageUp: () => draft.setWidth(index, qualityOf(band) * 1.1),
      PageDown: () => draft.setWidth(index, qualityOf(band) / 1.1),
      Delete: () => draft.remove(index), Backspace: () => draft.remove(index),
      b: () => draft.setBypassed(index, !band.bypassed),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
    this.tell(index);
  }

  /** @param {PointerEvent} event @param {number} index @param {HTMLElement} point */
  grab(event, index, point) {
    if (event.button) return;
    const { draft } = this;
    point.setPointerCapture(event.pointerId);
    point.focus({ preventScroll: true });
    const start = this.at(event);
    const band = draft.preset.peek().bands[index];
    const [hertz, gain] = [band.frequency_hz, band.gain_db ?? 0];
    const follow = (/** @type {PointerEvent} */ to) => {
      const now = this.at(to);
      if (!to.shiftKey) draft.setFrequency(index, hertz * (now.hertz / start.hertz));
      draft.setGain(index, Math.round((gain + now.gain - start.gain) * 10) / 10);
      this.tell(index);
    };
    point.classList.add('moving');
    point.addEventListener('pointermove', follow);
    point.addEventListener('lostpointercapture', () => {
      point.removeEventListener('pointermove', follow);
      point.classList.remove('moving');
      draft.settle();
    }, { once: true });
  }

  paint() {
    const { context, width, height, ratio } = prepare(this.canvas);
    const colours = palette.peek();
    const preset = this.draft.preset.peek();
    const isOff = this.draft.bypassed.peek();
    context.clearRect(0, 0, width, height);
    context.fillStyle = css(colours.over(colours.line));
    for (const gain of lines) context.fillRect(0, Math.round(heightOf(gain) * height), width, 1);
    for (const hertz of marks) context.fillRect(Math.round(placeOf(hertz) * width), 0, 1, height);
    const { curves } = this;
    if (!curves) return;
    const total = curves.response(preset, grid, this.rate);
    this.paintSpectrum(context, width, height, ratio, colours, isOff ? null : total);
    context.lineJoin = 'round';
    const path = (/** @type {Float64Array} */ values) => {
      context.beginPath();
      for (let i = 0; i < pointCount; i += 1) {
        context.lineTo((i / (pointCount - 1)) * width, heightOf(values[i]) * height);
      }
    };
    preset.bands.forEach((band, index) => {
      if (band.bypassed || (hasGain(band) && !band.gain_db)) return;
      path(curves.response(preset, grid, this.rate, index, band.channels === 'right' ? 1 : 0));
      context.strokeStyle = css(colours.levels(band.frequency_hz)[150]);
      context.lineWidth = ratio;
      context.stroke();
    });
    path(total);
    context.strokeStyle = css(colours.over(colours.ground));
    context.lineWidth = 6 * ratio;
    context.stroke();
    context.strokeStyle = css(colours.over(colours.ink, isOff ? 0.4 : 1));
    context.lineWidth = 2 * ratio;
    if (isOff) context.setLineDash([4 * ratio, 4 * ratio]);
    context.stroke();
    context.setLineDash([]);
    this.canvas.setAttribute('aria-label',
      `Curve of ${preset.bands.length} bands, ${number(Math.min(...total), 1)} to ${signed(Math.max(...total))} dB`);
  }

  /**
   * The spectrum of the track as it is stored, hatched, and as it becomes, a line.
   * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio
   * @param {import('../../drawing/colour.js').Palette} colours @param {Float64Array | null} total
   */
  paintSpectrum(context, width, height, ratio, colours, total) {
    const [low, high] = spectrumRange;
    const y = (/** @type {number} */ level) => height * (1 - Math.min(1, Math.max(0, (level - low) / (high - low))));
    const step = Math.max(3, Math.round(3 * ratio));
    /** @type {[number, number, string][]} */
    const after = [];
    for (const band of this.bands) {
      if (band.mean_db === null) continue;
      const [left, right] = [placeOf(band.low_hz) * width, placeOf(band.high_hz) * width];
      const hertz = Math.sqrt(band.low_hz * band.high_hz);
      context.fillStyle = css(colours.over(unpack(colours.levels(hertz)[180]), 0.38));
      const top = Math.round(y(band.mean_db));
      for (let x = Math.ceil(left / step) * step; x < right; x += step) {
        context.fillRect(x, top, Math.max(1, Math.round(ratio)), height - top);
      }
      if (total) {
        const gain = total[Math.round(placeOf(hertz) * (pointCount - 1))];
        after.push([(left + right) / 2, y(band.mean_db + gain), css(colours.levels(hertz)[180])]);
      }
    }
    context.lineWidth = 1.25 * ratio;
    for (let i = 1; i < after.length; i += 1) {
      context.strokeStyle = after[i][2];
      context.beginPath();
      context.moveTo(after[i - 1][0], after[i - 1][1]);
      context.lineTo(after[i][0], after[i][1]);
      context.stroke();
    }
  }
}

/** @param {number} value packed @returns {[number, number, number]} */
const unpack = (value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

/** @param {import('../../data/presets.js').Band} band */
function wordsOf(band) {
  const parts = [frequency(band.frequency_hz)];
  if (hasGain(band)) parts.push(`${signed(band.gain_db ?? 0)} dB`);
  if (hasWidth(band)) parts.push(`Q ${number(qualityOf(band), 2)}`);
  return parts.join('  ') + (band.bypassed ? '  off' : '');
}
