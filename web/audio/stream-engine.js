/** Engine A: exact ranges, read by a worker, played by a worklet. Needs a secure context. */

import { isNeutral, neutral, paceOf } from '../data/presets.js';
import { loadEffects } from './effects.js';
import { Output } from './output.js';

/**
 * @typedef {{captured: Float32Array[], marks: {at: number, item: number, frame: number}[]}} Captured for tests
 * @typedef {{key: number, id: number, rate: number, gain: number, from: number, until: number, isChained: boolean,
 *   effects: import('../data/presets.js').Settings | null, join?: import('../data/transitions.js').Join | null}} Item
 * @typedef {{
 *   moved: (item: number) => void, ended: () => void, waiting: (isWaiting: boolean) => void,
 *   failed: (message: string) => void, restarted: () => void, approaching: (way: number | null) => void,
 * }} Listener `approaching` tells the part of the way to a distant place that is done, null when there is none left
 */

/**
 * What the reader needs of a track.
 * @param {Item} item
 */
const bare = ({ key, id, rate, gain, from, until, isChained, join }) =>
  ({ key, id, rate, gain, from, until, isChained, join });

export const canStream = () => isSecureContext && 'AudioWorkletNode' in globalThis;

export class StreamEngine {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    this.epoch = 0;
    /** @type {Output | null} */
    this.output = null;
    /**
     * One that is being opened for a track that is about to be played.
     * @type {{rate: number, mixes: boolean, output: Promise<Output>} | null}
     */
    this.opening = null;
    /** @type {Worker | null} */
    this.reading = null;
    /** @type {Item | null} */
    this.item = null;
    /**
     * The last report: a frame, when it left, and how many frames of the track follow in the time of one.
     * @type {{item: number, frame: number, rate: number, time: number}}
     */
    this.report = { item: -1, frame: 0, rate: 1, time: 0 };
    /** How the frames of the track go through the effects. */
    this.pace = paceOf(null);
    this.playing = false;
    this.volume = 1;
    /** Whether one track may begin while another one sounds. */
    this.mixes = false;
    /**
     * The last epoch whose first frames the worklet had while nothing played; for tests (Tests/Page/support.py), which
     * wait for them.
     */
    this.there = 0;
    /** How often the samples came too late in the middle of a track, since the context began. */
    this.underruns = 0;
    /**
     * Settled when the worklet has the effects; null before they are wanted.
     * @type {Promise<void> | null}
     */
    this.module = null;
    /**
     * What each track goes through.
     * @type {Map<number, import('../data/presets.js').Settings>}
     */
    this.effects = new Map();
    /** @type {Item | null} */
    this.next = null;
    /** @type {((captured: Captured) => void) | null} */
    this.captured = null;
  }

  get context() {
    return this.output?.context ?? null;
  }

  get node() {
    return this.output?.node ?? null;
  }

  /** What listens to what leaves. */
  get meter() {
    return this.output?.meter ?? null;
  }

  /** The worker that reads, started when it is first asked for. */
  get worker() {
    if (!this.reading) {
      this.reading = new Worker('/audio/reader.js', { type: 'module' });
      this.reading.onmessage = ({ data }) =>
        (data.way === undefined ? this.listener.failed(data.error) : this.listener.approaching(data.way));
    }
    return this.reading;
  }

  /**
   * Does now what the first track would have to wait for: starts the worker, and opens an output of the rate that most
   * have.
   */
  warm() {
    void this.worker;
    if (!this.output && !this.opening) this.open(44_100).catch(() => {}); // Told when it is to be used.
  }

  /**
   * Begins with what takes time for a track that is about to be played: reads its first part, and opens an output of
   * its rate, while the track before may still sound.
   * @param {number} id @param {number | null} frame null to read nothing yet
   * @param {number} [rate] in Hz, if it is known
   */
  expect(id, frame, rate) {
    if (frame !== null) this.worker.postMessage({ expected: { id, frame } });
    if (rate && !this.fits(rate)) this.open(rate).catch(() => {}); // Told when it is to be used.
  }

  /**
   * Plays `item` from `frame`, or waits there.
   * @param {Item} item @param {number} frame @param {boolean} playing
   */
  async start(item, frame, playing) {
    this.playing = playing;
    const epoch = (this.epoch += 1);
    this.item = item;
    this.report = { item: item.key, frame, rate: 1, time: Infinity };
    this.pace = paceOf(item.effects);
    if (!this.fits(item.rate)) {
      const output = await this.open(item.rate);
      if (epoch !== this.epoch) return;
      this.use(output);
    }
    const shaping = this.shape(item.key, item.effects);
    if (item.effects && !isNeutral(item.effects)) {
      // Its first frame goes through the effects, too.
      await shaping;
      if (epoch !== this.epoch) return;
    }
    this.worker.postMessage({ item: bare(item), frame, epoch });
    this.setPlaying(this.playing);
  }

  /** @param {number} rate in Hz */
  fits(rate) {
    return this.output?.context.sampleRate === rate && this.output.mixes === this.mixes;
  }

  /**
   * An output that is not in use yet.
   * @param {number} rate in Hz
   */
  open(rate) {
    const { mixes } = this;
    if (this.opening?.rate !== rate || this.opening.mixes !== mixes) {
      this.opening?.output.then((unused) => unused.close(), () => {});
      const output = Output.open(rate, mixes);
      this.opening = { rate, mixes, output };
      output.catch(() => (this.opening = null));
    }
    return this.opening.output;
  }

  /** @param {Output} output which takes the place of the one before */
  use(output) {
    this.output?.close();
    [this.output, this.opening] = [output, null];
    this.module = null;
    this.underruns = 0;
    output.node.port.onmessage = (event) => this.hear(event.data);
    const { port1, port2 } = new MessageChannel();
    output.node.port.postMessage({ reader: port1, volume: this.volume }, [port1]);
    this.worker.postMessage({ worklet: port2 }, [port2]);
  }

  /** @param {any} message */
  hear(message) {
    if (message.captured) this.captured?.(message);
    if (message.there) this.there = message.there;
    if (message.waiting !== undefined) this.listener.waiting(message.waiting);
    if (message.underruns > this.underruns) this.underruns = message.underruns;
    if (message.epoch === this.epoch && message.item !== undefined) {
      const isOther = message.item !== this.report.item;
      this.report = message;
      const { next } = this;
      if (isOther && next && next.key === message.item) [this.item, this.pace] = [next, paceOf(next.effects)];
      if (isOther) this.listener.moved(message.item);
    }
    if (message.ended === this.epoch) this.listener.ended();
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.playing = playing;
    if (playing) this.context?.resume();
    this.node?.port.postMessage({ playing });
  }

  /**
   * Which track follows without a gap; one of another rate follows with a new context instead.
   * @param {Item | null} next @param {number} after
   */
  async setNext(next, after) {
    this.next = next;
    if (next) {
      const shaping = this.shape(next.key, next.effects);
      if (next.join?.overlap) {
        // The limiter of both is one of the effects.
        await Promise.all([shaping, this.load().catch(() => (next.join = null))]);
        if (next !== this.next) return;
        if (!this.output?.mixes) next.join = null;
      }
    }
    this.worker.postMessage({ next: next && next.rate === this.context?.sampleRate ? bare(next) : null, after });
  }

  /** @param {{start: number, end: number} | null} loop in frames */
  setLoop(loop) {
    this.worker.postMessage({ loop });
  }

  /** @param {number} volume a factor */
  setVolume(volume) {
    this.volume = volume;
    this.node?.port.postMessage({ volume });
  }

  /**
   * Lets a track sound through effects from now on, without a click.
   * @param {number} key @param {import('../data/presets.js').Settings | null} effects null for none
   */
  async shape(key, effects) {
    const { node } = this;
    if (!node || (!effects && !this.module)) return;
    const settings = effects ?? neutral;
    this.effects.set(key, settings);
    if (!isNeutral(settings)) {
      try {
        await this.load();
      } catch (error) {
        return this.listener.failed(/** @type {Error} */ (error).message);
      }
    }
    // What was chosen while the effects were loaded counts.
    node.port.postMessage({ item: key, effects: this.effects.get(key) });
    const { item } = this;
    if (effects !== this.effects.get(key) && effects !== null) return;
    if (!item || key !== this.report.item || item.key !== key || paceOf(settings) === this.pace) return;
    // Another way through the effects begins at the frame that is heard.
    await this.start({ ...item, effects: settings }, this.frame(), this.playing);
    this.listener.restarted();
  }

  /** Gives the effects to the worklet. */
  load() {
    const { node, context } = this;
    this.module ??= Promise.all([loadEffects(), context?.audioWorklet.addModule('/audio/effects-worklet.js')])
      .then(([module]) => node?.port.postMessage({ module }));
    this.module.catch(() => (this.module = null));
    return this.module;
  }

  /** By how many seconds what is heard is behind what is decoded. */
  delay() {
    return this.output ? this.output.latency() + (this.output.context.baseLatency || 0) : 0;
  }

  /** The frame that is heard now. */
  frame() {
    const { frame, rate, time } = this.report;
    if (!this.output || !this.context || !this.playing || time === Infinity) return frame;
    const heard = this.context.currentTime - time - this.output.latency();
    return Math.max(0, Math.round(frame + Math.min(heard, 0.2) * rate * this.context.sampleRate));
  }

  /** Whether the browser waits for a gesture before it lets anything sound. */
  isHeldBack() {
    return this.playing && this.context?.state === 'suspended';
  }

  /**
   * The next `count` frames that leave, with the track and frame of each block; for tests.
   * @param {number} count @returns {Promise<Captured>}
   */
  capture(count) {
    return new Promise((resolve) => {
      this.captured = resolve;
      this.node?.port.postMessage({ capture: count });
    });
  }
}
