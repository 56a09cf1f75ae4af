/**
 * The last step before the loudspeaker: plays parts of tracks, which the reader sends, one after the other without a gap.
 *
 * Samples leave as they came, times the gains: with both gains at 1, bit for bit. A seek keeps playing until the new part is
 * there, then fades one block of 128 frames of the old one and begins the new one.
 */

/**
 * @typedef {{epoch: number, item: number, frame: number, gain: number, planes: Float32Array[]}} Part
 */

const reportEvery = 8;

class Player extends AudioWorkletProcessor {
  constructor() {
    super();
    /** @type {Part[]} */
    this.parts = [];
    /** Frames of the first part that have been played. */
    this.offset = 0;
    this.epoch = 0;
    this.playing = false;
    /** @type {number | null} The epoch that has been sent to its end. */
    this.ended = null;
    /** @type {{part: Part, offset: number} | null} What is faded before a new epoch begins. */
    this.leaving = null;
    this.volume = 1;
    this.wantedVolume = 1;
    this.blocks = 0;
    this.reportedItem = -1;
    this.isWaiting = false;
    /** @type {{planes: Float32Array[], filled: number, marks: {at: number, item: number, frame: number}[]} | null} */
    this.capture = null;
    /** @type {MessagePort | null} */
    this.reader = null;
    this.port.onmessage = (event) => this.obey(event.data);
  }

  /**
   * What the page asks.
   * @param {any} message
   */
  obey(message) {
    if (message.reader) {
      this.reader = message.reader;
      message.reader.onmessage = (/** @type {MessageEvent} */ event) => this.receive(event.data);
    }
    if (message.playing !== undefined) this.playing = message.playing;
    if (message.volume !== undefined) this.wantedVolume = message.volume;
    if (message.capture) {
      const planes = [new Float32Array(message.capture), new Float32Array(message.capture)];
      this.capture = { planes, filled: 0, marks: [] };
    }
  }

  /**
   * What the reader sends.
   * @param {any} message
   */
  receive(message) {
    if (message.keep !== undefined) {
      this.parts = this.parts.filter((part) => part.item === message.keep);
      this.ended = null;
      return;
    }
    if (message.epoch < this.epoch) return;
    if (message.epoch > this.epoch) {
      if (this.parts.length && this.playing) this.leaving = { part: this.parts[0], offset: this.offset };
      this.epoch = message.epoch;
      this.parts = [];
      this.offset = 0;
      this.ended = null;
      this.reportedItem = -1;
    }
    if (message.isEnd) this.ended = message.epoch;
    else {
      this.parts.push(message);
      this.ended = null;
    }
  }

  /** @param {Float32Array[][]} _ @param {Float32Array[][]} outputs */
  process(_, outputs) {
    const output = outputs[0];
    const count = output[0].length;
    if (this.leaving) {
      this.fade(this.leaving.part, this.leaving.offset, output);
      this.leaving = null;
      this.wasPlaying = this.playing;
      return true;
    }
    if (!this.playing) {
      // The frames that are faded here are played again when playing goes on.
      if (this.wasPlaying && this.parts.length) this.fade(this.parts[0], this.offset, output);
      if (this.wasPlaying) this.report();
      this.wasPlaying = false;
      return true;
    }
    this.wasPlaying = true;
    let filled = 0;
    while (filled < count && this.parts.length) {
      const part = this.parts[0];
      if (part.item !== this.reportedItem) this.report(filled);
      const taken = Math.min(count - filled, part.planes[0].length - this.offset);
      this.copy(part, output, filled, taken);
      filled += taken;
      this.offset += taken;
      if (this.offset === part.planes[0].length) {
        this.parts.shift();
        this.offset = 0;
        this.reader?.postMessage({ played: part.epoch });
      }
    }
    const isWaiting = filled < count && this.ended !== this.epoch;
    if (isWaiting !== this.isWaiting) this.port.postMessage({ waiting: (this.isWaiting = isWaiting) });
    if (filled < count && this.ended === this.epoch && this.epoch > 0) {
      this.playing = false;
      this.ended = null;
      this.port.postMessage({ ended: this.epoch });
    } else if (this.blocks++ % reportEvery === 0) this.report(filled);
    return true;
  }

  /** @param {Part} part @param {Float32Array[]} output @param {number} at @param {number} count */
  copy(part, output, at, count) {
    const step = (this.wantedVolume - this.volume) / Math.max(count, 1024);
    const moving = Math.abs(this.wantedVolume - this.volume) > 1e-6;
    if (!moving) this.volume = this.wantedVolume;
    for (let channel = 0; channel < output.length; channel += 1) {
      const source = part.planes[Math.min(channel, part.planes.length - 1)];
      const target = output[channel];
      for (let i = 0; i < count; i += 1)
        target[at + i] = source[this.offset + i] * part.gain * (moving ? this.volume + step * i : this.volume);
    }
    if (moving) this.volume += step * count;
    if (this.capture) this.tap(part, output, at, count);
  }

  /**
   * Keeps what leaves, for tests that compare it.
   * @param {Part} part @param {Float32Array[]} output @param {number} at @param {number} count
   */
  tap(part, output, at, count) {
    const capture = /** @type {NonNullable<typeof this.capture>} */ (this.capture);
    const room = Math.min(count, capture.planes[0].length - capture.filled);
    capture.marks.push({ at: capture.filled, item: part.item, frame: part.frame + this.offset });
    capture.planes.forEach((plane, channel) => plane.set(output[channel].subarray(at, at + room), capture.filled));
    capture.filled += room;
    if (capture.filled < capture.planes[0].length) return;
    this.capture = null;
    this.port.postMessage({ captured: capture.planes, marks: capture.marks });
  }

  /**
   * One block down to silence.
   * @param {Part} part @param {number} offset @param {Float32Array[]} output
   */
  fade(part, offset, output) {
    const count = Math.min(output[0].length, part.planes[0].length - offset);
    output.forEach((target, channel) => {
      const source = part.planes[Math.min(channel, part.planes.length - 1)];
      for (let i = 0; i < count; i += 1) target[i] = source[offset + i] * part.gain * this.volume * (1 - (i + 1) / count);
    });
  }

  /**
   * Says which frame leaves at which time of the context.
   * @param {number} [filled] frames of this block before it
   */
  report(filled = 0) {
    const part = this.parts[0];
    if (!part) return;
    this.reportedItem = part.item;
    this.port.postMessage({ item: part.item, frame: part.frame + this.offset, time: currentTime + filled / sampleRate, epoch: this.epoch });
  }
}

registerProcessor('deadwax-player', Player);
