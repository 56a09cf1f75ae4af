/** The spectrum of what is heard: left up, right down, the other channel behind each, peaks held. */

import { css, palette } from '../core/colour.js';
import { h, perFrame } from '../core/dom.js';
import { isStill } from '../core/settings.js';
import { Meter } from '../sound/meter.js';
import { Ballistics, BandLevels } from '../sound/transform.js';
import { prepare } from '../wave/draw.js';
import { placeOf } from './axis.js';

const range = [-84, -12];

export class LiveSpectrum {
  constructor() {
    this.canvas = h('canvas', { role: 'img', 'aria-label': 'Live spectrum of what is heard, 80 bands' });
    this.element = h('figure', { class: 'plot live' },
      h('figcaption', { class: 'label' }, 'Live spectrum, 80 bands, A-weighted \u00b7 the other channel behind each'),
      h('div', { class: 'frame' }, this.canvas, h('div', { class: 'axis', 'aria-hidden': 'true' }, h('span', {}, 'L'), h('span', {}, 'R'))));
    /** @type {Meter | null} */
    this.meter = null;
    this.last = 0;
    /** What is heard now, in dBFS. */
    this.heard = [-120, -120];
    this.draw = perFrame((time) => this.paint(time));
  }

  /** Listens to another context. @param {Meter | null} meter */
  listen(meter) {
    this.meter = meter;
    if (!meter) return;
    this.bands = new BandLevels(meter.context.sampleRate);
    this.moving = [0, 1].map(() => new Ballistics(80));
  }

  /** @param {number} time in ms */
  paint(time) {
    const { bands, meter, moving } = this;
    const colours = palette.peek();
    const { context, width, height, ratio } = prepare(this.canvas);
    context.clearRect(0, 0, width, height);
    const middle = Math.round(height / 2);
    context.fillStyle = css(colours.over(colours.line));
    context.fillRect(0, middle, width, 1);
    if (!meter || !bands || !moving) return;
    const seconds = Math.min(0.25, Math.max(0.001, (time - this.last) / 1000));
    if (isStill.peek() && time - this.last < 100 && this.last) return this.show(context, width, height, ratio, colours);
    this.last = time;
    for (const channel of [0, 1]) {
      const samples = meter.latest(channel);
      this.heard[channel] = Meter.level(samples);
      moving[channel].step(bands.measure(samples), seconds);
    }
    return this.show(context, width, height, ratio, colours);
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio
   * @param {import('../core/colour.js').Palette} colours
   */
  show(context, width, height, ratio, colours) {
    const { bands, moving } = this;
    if (!bands || !moving) return;
    const middle = Math.round(height / 2);
    const [low, high] = range;
    const size = (/** @type {number} */ level) => Math.round((middle - 2) * Math.min(1, Math.max(0, (level - low) / (high - low))));
    const thin = Math.max(1, Math.round(ratio));
    for (let band = 0; band < bands.levels.length; band += 1) {
      const left = Math.round(placeOf(bands.edges[band]) * width);
      const right = Math.round(placeOf(bands.edges[band + 1]) * width);
      const table = colours.levels(bands.centre(band));
      const [l, r] = moving.map((one) => size(one.shown[band]));
      const stroke = Math.max(2, Math.round((right - left) / 4));
      context.globalAlpha = 0.2;
      context.fillStyle = css(table[180]);
      context.fillRect(left, middle - r, right - left - thin, r);
      context.fillRect(left, middle + 1, right - left - thin, l);
      for (const [channel, length] of [l, r].entries()) {
        context.globalAlpha = channel ? 0.7 : 1;
        for (let x = left; x + thin < right; x += stroke) context.fillRect(x, channel ? middle + 1 : middle - length, Math.max(1, stroke - thin), length);
      }
      context.globalAlpha = 1;
      context.fillStyle = css(colours.over(colours.ink));
      context.fillRect(left, middle - size(moving[0].peaks[band]) - thin, right - left - thin, thin);
      context.fillRect(left, middle + size(moving[1].peaks[band]) + 1, right - left - thin, thin);
    }
  }
}
