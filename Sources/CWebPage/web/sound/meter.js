/** Listens to what leaves: both channels' latest samples, for spectra and levels. */

import { BandLevels } from './transform.js';

export class Meter {
  /** @param {AudioContext} context @param {AudioNode} node what leaves, in stereo */
  constructor(context, node) {
    this.context = context;
    const length = BandLevels.length(context.sampleRate);
    this.splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 });
    this.taps = [0, 1].map((channel) => {
      const tap = new AnalyserNode(context, { fftSize: length });
      this.splitter.connect(tap, channel);
      return tap;
    });
    this.samples = this.taps.map(() => new Float32Array(length));
    node.connect(this.splitter);
  }

  /** The latest samples of a channel. @param {number} channel */
  latest(channel) {
    this.taps[channel].getFloatTimeDomainData(/** @type {any} */ (this.samples[channel]));
    return this.samples[channel];
  }

  /** The level of the last 100 ms in dBFS. @param {Float32Array} samples */
  static level(samples) {
    const start = samples.length - 4096;
    let sum = 0;
    for (let i = start; i < samples.length; i += 1) sum += samples[i] * samples[i];
    return 10 * Math.log10(Math.max((2 * sum) / 4096, 1e-12));
  }
}
