/**
 * The spectrum of what is heard: left up, right down, the other channel behind each, peaks held; what is stored while
 * nothing plays.
 */

import { Meter } from '../audio/meter.js';
import { Ballistics, BandLevels } from '../audio/transform.js';
import { h, perFrame } from '../core/dom.js';
import { isStill } from '../core/settings.js';
import { prepare } from '../drawing/canvas.js';
import { css, palette } from '../drawing/colour.js';

const range = [-84, -12];

/** @typedef {{low?: number, high?: number, weighting?: 'a' | 'c' | 'z'}} Choice */

export class LiveSpectrum {
  /** @param {(hertz: number) => number} placeOf where a frequency is, 0…1 @param {string} caption */
  constructor(placeOf, caption) {
    this.placeOf = placeOf;
    this.canvas = h('canvas', { role: 'img', 'aria-label': 'Live spectrum of what is heard, 80 bands' });
    this.caption = h('figcaption', { class: 'label' }, caption);
    this.element = h('figure', { class: 'plot live' }, this.caption,
      h('div', { class: 'frame' }, this.canvas,
        h('div', { class: 'axis', 'aria-hidden': 'true' }, h('span', {}, 'L'), h('span', {}, 'R'))));
    /** @type {Meter | null} */
    this.meter = null;
    this.last = 0;
    /** @type {Choice} */
    this.choice = {};
    this.holdsPeaks = true;
    /** What is heard now, in dBFS. */
    this.heard = [-120, -120];
    /**
     * What is shown instead, while nothing plays.
     * @type {{tile: import('../data/spectrogram.js').Tile, column: number} | null}
     */
    this.stored = null;
    /** @type {((levels: Float64Array, seconds: number) => void) | null} Hears the louder channel of each band. */
    this.measured = null;
    this.draw = perFrame((time) => this.paint(time));
  }

  /**
   * Listens to another context.
   * @param {Meter | null} meter
   */
  listen(meter) {
    this.meter = meter;
    this.choose(this.choice);
  }

  /**
   * Other bands or another weighting.
   * @param {Choice} choice
   */
  choose(choice) {
    this.choice = choice;
    this.bands = new BandLevels(this.meter?.context.sampleRate ?? 44_100, choice);
    this.moving = [0, 1].map(() => new Ballistics(80, {}));
    this.louder = new Float64Array(80);
  }

  /** @param {number} time in ms */
  paint(time) {
    const { bands, moving } = this;
    const colours = palette.peek();
    const { context, width, height, ratio } = prepare(this.canvas);
    context.clearRect(0, 0, width, height);
    context.fillStyle = css(colours.over(colours.line));
    context.fillRect(0, Math.round(height / 2), width, 1);
    if (!bands || !moving) return;
    if (!isStill.peek() || time - this.last >= 100 || !this.last) {
      this.step(Math.min(0.25, Math.max(0.001, (time - this.last) / 1000)));
      this.last = time;
    }
    this.show(context, width, height, ratio, colours);
  }

  /** @param {number} seconds since the last step */
  step(seconds) {
    const { bands, meter, moving, stored, louder } = this;
    if (!bands || !moving || !louder || (!meter && !stored)) return;
    louder.fill(-120);
    for (const channel of [0, 1]) {
      const samples = stored ? null : /** @type {Meter} */ (meter).latest(channel);
      this.heard[channel] = samples ? Meter.level(samples) : -120;
      const levels = samples ? bands.measure(samples)
        : stored ? bands.stored(stored.tile, stored.column) : bands.levels;
      for (let band = 0; band < 80; band += 1) louder[band] = Math.max(louder[band], levels[band]);
      moving[channel].step(levels, seconds);
    }
    if (!stored) this.measured?.(louder, seconds);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio
   * @param {import('../drawing/colour.js').Palette} colours
   */
  show(context, width, height, ratio, colours) {
    const { bands, moving } = this;
    if (!bands || !moving) return;
    const middle = Math.round(height / 2);
    const [low, high] = range;
    const size = (/** @type {number} */ level) =>
      Math.round((middle - 2) * Math.min(1, Math.max(0, (level - low) / (high - low))));
    const thin = Math.max(1, Math.round(ratio));
    for (let band = 0; band < bands.levels.length; band += 1) {
      const left = Math.round(this.placeOf(bands.edges[band]) * width);
      const right = Math.round(this.placeOf(bands.edges[band + 1]) * width);
      const table = colours.levels(bands.centre(band));
      const [l, r] = moving.map((one) => size(one.shown[band]));
      const stroke = Math.max(2, Math.round((right - left) / 4));
      context.globalAlpha = 0.2;
      context.fillStyle = css(table[180]);
      context.fillRect(left, middle - r, right - left - thin, r);
      context.fillRect(left, middle + 1, right - left - thin, l);
      for (const [channel, length] of [l, r].entries()) {
        context.globalAlpha = channel ? 0.7 : 1;
        for (let x = left; x + thin < right; x += stroke) {
          context.fillRect(x, channel ? middle + 1 : middle - length, Math.max(1, stroke - thin), length);
        }
      }
      context.globalAlpha = 1;
      if (!this.holdsPeaks) continue;
      context.fillStyle = css(colours.over(colours.ink));
      // A peak that has fallen to the floor is none.
      const [above, below] = moving.map((one) => size(one.peaks[band]));
      if (above) context.fillRect(left, middle - above - thin, right - left - thin, thin);
      if (below) context.fillRect(left, middle + below + 1, right - left - thin, thin);
    }
  }
}
