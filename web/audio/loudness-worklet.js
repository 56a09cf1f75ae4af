/** Measures the loudness of what passes, ten times a second; lets nothing out. */

import { Loudness } from './loudness.js';

registerProcessor('deadwax-loudness', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.loudness = new Loudness(sampleRate);
    this.port.onmessage = () => (this.loudness = new Loudness(sampleRate));
  }

  /** @param {Float32Array[][]} inputs */
  process([input]) {
    const { loudness } = this;
    if (input.length && loudness.consume(input[0], input[1] ?? input[0]))
      this.port.postMessage({
        momentary: loudness.momentary, shortTerm: loudness.shortTerm, truePeaks: loudness.truePeaks,
      });
    return true;
  }
});
