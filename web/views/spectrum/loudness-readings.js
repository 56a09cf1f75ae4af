/** How loud it is, and was at most since the track began: without the volume of the page. */

import { number, signed } from '../../core/format.js';

export class LoudnessReadings {
  constructor() {
    /** In LUFS; NaN for silence. */
    this.momentary = NaN;
    this.shortTerm = NaN;
    this.most = { momentary: -Infinity, shortTerm: -Infinity };
    /** Of left and right, in dBTP. */
    this.truePeaks = [NaN, NaN];
  }

  /** Another track begins. */
  reset() {
    this.most = { momentary: -Infinity, shortTerm: -Infinity };
  }

  /**
   * @param {import('../../audio/meter.js').Measured} measured of what leaves
   * @param {number} volume the factor by which it was made softer
   */
  take({ momentary, shortTerm, truePeaks }, volume) {
    const decibels = 20 * Math.log10(Math.max(volume, 1e-6));
    const [now, soon] = [momentary, shortTerm]
      .map((value) => (value === null || value < -70 ? NaN : value - decibels));
    if (now > this.most.momentary) this.most.momentary = now;
    if (soon > this.most.shortTerm) this.most.shortTerm = soon;
    [this.momentary, this.shortTerm] = [now, soon];
    this.truePeaks = truePeaks.map((peak) => peak - decibels);
  }

  /** @returns {[string, string][]} */
  words() {
    const loudness = (/** @type {number} */ value) => `${number(value, 1)} LUFS`;
    const peak = (/** @type {number} */ value) => `${signed(value, 1)} dBTP`;
    return [
      ['Momentary, 400 ms', loudness(this.momentary)], ['Momentary max', loudness(this.most.momentary)],
      ['Short-term max', loudness(this.most.shortTerm)],
      ['True peak, left', peak(this.truePeaks[0])], ['True peak, right', peak(this.truePeaks[1])],
    ];
  }
}
