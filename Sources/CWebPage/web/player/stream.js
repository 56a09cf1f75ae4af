/** Engine A: exact ranges, read by a worker, played by a worklet. Needs a secure context. */

/**
 * @typedef {{key: number, id: number, rate: number, gain: number}} Item
 * @typedef {{
 *   moved: (item: number) => void, ended: () => void, waiting: (isWaiting: boolean) => void, failed: (message: string) => void,
 * }} Listener
 */

export const canStream = () => isSecureContext && 'AudioWorkletNode' in globalThis;

export class StreamEngine {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    this.epoch = 0;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioWorkletNode | null} */
    this.node = null;
    /** @type {Item | null} */
    this.item = null;
    /**
     * The last report: a frame, and when it left.
     * @type {{item: number, frame: number, time: number}}
     */
    this.report = { item: -1, frame: 0, time: 0 };
    this.playing = false;
    this.volume = 1;
    /** @type {((captured: any) => void) | null} */
    this.captured = null;
  }

  /**
   * Plays `item` from `frame`, or waits there.
   * @param {Item} item @param {number} frame @param {boolean} playing
   */
  async start(item, frame, playing) {
    this.playing = playing;
    const epoch = (this.epoch += 1);
    this.item = item;
    this.report = { item: item.key, frame, time: Infinity };
    if (this.context?.sampleRate !== item.rate) await this.open(item.rate);
    if (epoch !== this.epoch) return;
    this.worker?.postMessage({ item, frame, epoch });
    this.setPlaying(this.playing);
  }

  /** @param {number} rate in Hz */
  async open(rate) {
    const previous = this.context;
    this.worker?.terminate();
    this.node?.disconnect();
    await previous?.close();
    const context = (this.context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' }));
    await context.audioWorklet.addModule('/player/worklet.js');
    if (context !== this.context) return;
    this.node = new AudioWorkletNode(context, 'deadwax-player', { numberOfInputs: 0, outputChannelCount: [2] });
    this.node.port.onmessage = (event) => this.hear(event.data);
    this.node.connect(context.destination);
    this.worker = new Worker('/player/reader.js', { type: 'module' });
    this.worker.onmessage = (event) => this.listener.failed(event.data.error);
    const { port1, port2 } = new MessageChannel();
    this.node.port.postMessage({ reader: port1, volume: this.volume }, [port1]);
    this.worker.postMessage({ worklet: port2 }, [port2]);
  }

  /** @param {any} message */
  hear(message) {
    if (message.captured) this.captured?.(message);
    if (message.waiting !== undefined) this.listener.waiting(message.waiting);
    if (message.epoch === this.epoch && message.item !== undefined) {
      const isOther = message.item !== this.report.item;
      this.report = message;
      if (isOther) this.listener.moved(message.item);
    }
    if (message.ended === this.epoch) this.listener.ended();
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.playing = playing;
    if (playing && this.context?.state === 'suspended') this.context.resume();
    this.node?.port.postMessage({ playing });
  }

  /**
   * Which track follows without a gap; one of another rate follows with a new context instead.
   * @param {Item | null} next @param {number} after
   */
  setNext(next, after) {
    this.worker?.postMessage({ next: next && next.rate === this.context?.sampleRate ? next : null, after });
  }

  /** @param {{start: number, end: number} | null} loop in frames */
  setLoop(loop) {
    this.worker?.postMessage({ loop });
  }

  /** @param {number} volume a factor */
  setVolume(volume) {
    this.volume = volume;
    this.node?.port.postMessage({ volume });
  }

  /** The frame that is heard now. */
  frame() {
    const { frame, time } = this.report;
    if (!this.context || !this.playing || time === Infinity) return frame;
    const heard = this.context.currentTime - time - (this.context.outputLatency || 0);
    return Math.max(0, Math.round(frame + Math.min(heard, 0.2) * this.context.sampleRate));
  }

  /** Whether the browser waits for a gesture before it lets anything sound. */
  isHeldBack() {
    return this.playing && this.context?.state === 'suspended';
  }

  /**
   * The next `count` frames that leave, with the track and frame of each block; for tests.
   * @param {number} count @returns {Promise<any>}
   */
  capture(count) {
    return new Promise((resolve) => {
      this.captured = resolve;
      this.node?.port.postMessage({ capture: count });
    });
  }
}
