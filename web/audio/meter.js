/**
 * Listens to what leaves, when it is heard: both channels' latest samples, for spectra and levels, and the loudness.
 */

import { BandLevels } from './transform.js';

/** @typedef {{momentary: number | null, shortTerm: number | null, truePeaks: number[]}} Measured in LUFS and dBTP */

export class Meter {
  /**
   * @param {AudioContext} context @param {AudioNode} node what leaves, in stereo
   * @param {() => number} latency by how many seconds it is heard later
   */
  constructor(context, node, latency) {
    this.context = context;
    this.latency = latency;
    const length = BandLevels.window(context.sampleRate);
    // What leaves is heard later, by the latency of the output.
    this.delay = new DelayNode(context, { maxDelayTime: 1 });
    this.splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 });
    this.taps = [0, 1].map((channel) => {
      const tap = new AnalyserNode(context, { fftSize: length });
      this.splitter.connect(tap, channel);
      return tap;
    });
    this.samples = this.taps.map(() => new Float32Array(length));
    /** @type {AudioWorkletNode | null} */
    this.loudness = null;
    /** @type {((measured: Measured) => void) | null} Who hears it. */
    this.hear = null;
    node.connect(this.delay).connect(this.splitter);
  }

  /**
   * The latest samples of a channel.
   * @param {number} channel
   */
  latest(channel) {
    // In whole frames: between them a delay is a low pass.
    const { sampleRate } = this.context;
    const latency = Math.round(Math.min(1, this.latency()) * sampleRate) / sampleRate;
    if (Math.abs(this.delay.delayTime.value - latency) > 0.005) this.delay.delayTime.value = latency;
    this.taps[channel].getFloatTimeDomainData(/** @type {any} */ (this.samples[channel]));
    return this.samples[channel];
  }

  /**
   * Measures the loudness from now on.
   * @param {(measured: Measured) => void} hear
   */
  async measure(hear) {
    this.hear = hear;
    if (!this.loudness) {
      await this.context.audioWorklet.addModule('/audio/loudness-worklet.js');
      // Meanwhile it may have been ended, or somebody else hears it.
      if (this.hear !== hear) return;
      this.loudness ??= new AudioWorkletNode(this.context, 'deadwax-loudness', { numberOfOutputs: 0 });
      this.delay.connect(this.loudness);
    }
    this.loudness.port.onmessage = (event) => hear(event.data);
    this.loudness.port.postMessage('start');
  }

  /** Ends the measuring of loudness, which costs time. */
  rest() {
    this.hear = null;
    this.loudness?.disconnect();
    if (this.loudness) this.delay.disconnect(this.loudness);
    this.loudness = null;
  }

  /**
   * The level of the last 100 ms in dBFS.
   * @param {Float32Array} samples
   */
  static level(samples) {
    const start = samples.length - 4096;
    let sum = 0;
    for (let i = start; i < samples.length; i += 1) sum += samples[i] * samples[i];
    return 10 * Math.log10(Math.max((2 * sum) / 4096, 1e-12));
  }
}
