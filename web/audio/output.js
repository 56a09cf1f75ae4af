/** Where samples leave: a context of the rate of the tracks, with the worklet in it and what listens to it. */

import { Meter } from './meter.js';

/**
 * Whether asking a context for its latency may hang for good: Firefox asks the process that has the device, and holds
 * meanwhile a lock that the sound needs, too. With PulseAudio, beside other work, a page that asked in each frame hung
 * in four of ten trials.
 */
const mayHang = navigator.userAgent.includes('Firefox/');
/** What is assumed then, in seconds: about what Firefox wants from PulseAudio. */
const usualLatency = 0.04;

export class Output {
  /** @param {AudioContext} context @param {AudioWorkletNode} node @param {boolean} mixes */
  constructor(context, node, mixes) {
    this.context = context;
    this.node = node;
    this.mixes = mixes;
    this.meter = new Meter(context, node, () => this.latency());
  }

  /** By how many seconds what is heard is behind the clock of the context. */
  latency() {
    return mayHang ? usualLatency : this.context.outputLatency || 0;
  }

  /**
   * Opens one that rests until something plays.
   * @param {number} rate in Hz @param {boolean} mixes whether two tracks may sound at once
   */
  static async open(rate, mixes) {
    const context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' });
    context.suspend().catch(() => {}); // Rejected if it is closed meanwhile.
    await context.audioWorklet.addModule('/audio/player-worklet.js');
    // Loaded only by who wants transitions: most of the page's first load is taken.
    if (mixes) await context.audioWorklet.addModule('/audio/mixing-worklet.js');
    const name = mixes ? 'deadwax-mixer' : 'deadwax-player';
    const node = new AudioWorkletNode(context, name, { numberOfInputs: 0, outputChannelCount: [2] });
    node.connect(context.destination);
    return new Output(context, node, mixes);
  }

  close() {
    this.node.port.onmessage = null;
    this.node.disconnect();
    this.context.close();
  }
}
