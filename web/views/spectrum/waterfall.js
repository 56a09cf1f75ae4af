/** What has been heard, flowing down: a line for every 25 ms, whatever the frame rate is. */

import { h } from '../../core/dom.js';
import { prepare } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';

const secondsPerLine = 0.025;

export class Waterfall {
  /** @param {(hertz: number) => number} placeOf where a frequency is, 0…1 */
  constructor(placeOf) {
    this.placeOf = placeOf;
    this.canvas = h('canvas', { role: 'img', 'aria-label': 'Waterfall of the last seconds' });
    this.element = h('figure', { class: 'plot waterfall' }, h('div', { class: 'frame' }, this.canvas));
    this.owed = 0;
    /** Lines that have been drawn so far. */
    this.lines = 0;
  }

  /**
   * @param {import('../../audio/transform.js').BandLevels} bands @param {Float64Array} levels in dB
   * @param {number} seconds since the last call
   */
  step(bands, levels, seconds) {
    this.owed += seconds / secondsPerLine;
    const count = Math.floor(this.owed + 1e-9);
    this.owed -= count;
    if (!count) return;
    this.lines += count;
    const { context, width, height, ratio } = prepare(this.canvas);
    const thick = Math.max(1, Math.round(ratio));
    context.globalCompositeOperation = 'copy';
    context.drawImage(this.canvas, 0, count * thick);
    context.globalCompositeOperation = 'source-over';
    const colours = palette.peek();
    for (let band = 0; band < levels.length; band += 1) {
      const [left, right] = [bands.edges[band], bands.edges[band + 1]]
        .map((hertz) => Math.round(this.placeOf(hertz) * width));
      const step = Math.max(0, Math.min(255, Math.round((levels[band] + 120) * 2)));
      const packed = colours.levels(bands.centre(band))[step];
      context.fillStyle = `rgb(${packed & 255} ${(packed >> 8) & 255} ${(packed >> 16) & 255})`;
      context.fillRect(left, 0, right - left, Math.min(height, count * thick));
    }
  }
}
