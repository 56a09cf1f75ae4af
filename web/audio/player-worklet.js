/**
 * The last step before the loudspeaker: plays parts of tracks, which the reader sends, without a gap between them.
 *
 * Samples leave as they came, times the gains: with both gains at 1, bit for bit. A seek keeps playing until the new
 * part is there, then fades one block of 128 frames of the old one and begins the new one. Once a track has a preset,
 * samples go through the effects of `render`, compiled to WebAssembly; where there is none, these change no bit,
 * either, but are some milliseconds late.
 */

/** @typedef {import('../data/presets.js').Settings} Settings */
/** @typedef {import('./effects-chain.js').Chain} Chain */
/** @typedef {{at: number, item: number, frame: number}} Mark which frame of which track lies where in a block */
/**
 * What the page says: the reader's port, whether to play, how loud (a factor), the effects, what a track goes through,
 * and how many frames to keep for a test.
 * @typedef {{
 *   reader?: MessagePort, playing?: boolean, volume?: number, module?: WebAssembly.Module, item?: number,
 *   effects?: Settings, capture?: number,
 * }} Order
 */

const neutral = { numbers: new Float64Array(8), room: -1, mix: 0, cents: 0, rate: 1 };
/** How long the sound of a room is heard after the last sample, in seconds. */
const roomTail = 3;

/**
 * @typedef {{epoch: number, item: number, frame: number, gain: number, planes: Float32Array[]}} Part
 */

/** Tracks that follow one another, with the effects that they go through. */
export class Slot {
  /** @param {Player} player @param {Chain | null} [chain] of what was heard before */
  constructor(player, chain = null) {
    this.player = player;
    this.chain = chain;
    /** @type {Part[]} */
    this.parts = [];
    /** Frames of the first part that have been played. */
    this.offset = 0;
    /** The frame behind the last one that was taken. */
    this.frame = 0;
    /** The track whose frames leave; -1 before the first. */
    this.item = -1;
    /** Whether nothing of another track leaves any more. */
    this.isClosed = false;
    /**
     * Frames that still come out at the pace of the track before.
     * @type {number | null}
     */
    this.leftOver = null;
    /** What goes to the effects to be played at another pace. */
    this.given = [new Float32Array(128), new Float32Array(128)];
  }

  /** @param {Part} part */
  push(part) {
    this.parts.push(part);
  }

  /**
   * Forgets all other tracks.
   * @param {number} item
   */
  keep(item) {
    this.parts = this.parts.filter((part) => part.item === item);
  }

  /**
   * Forgets what was sent of a track from a frame on, but for what was played.
   * @param {number} item @param {number} end
   */
  cut(item, end) {
    const [first] = this.parts;
    this.parts = this.parts.flatMap((part) => {
      const least = part === first ? this.offset : 0;
      if (part.item !== item || part.frame + part.planes[0].length <= end) return [part];
      const count = Math.max(least, end - part.frame);
      if (count > 0) return [{ ...part, planes: part.planes.map((plane) => plane.subarray(0, count)) }];
      this.player.reader?.postMessage({ played: part.epoch });
      return [];
    });
  }

  close() {
    this.isClosed = true;
  }

  get hasParts() {
    return this.parts.length > 0;
  }

  /** Frames of silence that still go through the effects after the end. */
  get tail() {
    return this.chain ? this.chain.latency + (this.chain.hasRoom ? roomTail * sampleRate : 0) : 0;
  }

  /** The frame that leaves next, and by how many frames it is late; null if there is none. */
  get place() {
    const [part] = this.parts;
    if (!part) return null;
    const { rate } = this.chain?.pace ?? neutral;
    return { item: part.item, frame: this.heardFrame(part), rate, late: this.chain?.latency ?? 0 };
  }

  reset() {
    this.chain?.reset();
  }

  /**
   * Lets the effects be those of a track, if it is heard.
   * @param {number} item
   */
  update(item) {
    if (item === this.item) this.shape(item);
  }

  /**
   * Lets the effects be those of a track.
   * @param {number} item
   */
  shape(item) {
    const settings = this.player.settingsOf(item);
    const isNeutral = settings.numbers[0] === 0 && settings.numbers[2] === 0 && settings.room < 0
      && settings.cents === 0 && settings.rate === 1;
    if (this.chain) this.chain.update(settings);
    else if (!isNeutral) this.chain = this.player.makeChain(settings);
  }

  /**
   * The next frames, through the effects.
   * @param {Float32Array[]} output @param {Mark[]} marks @param {number} [at] @param {number} [count]
   * @returns {number} how many there are; the effects fill the rest
   */
  play(output, marks, at = 0, count = output[0].length) {
    const filled = this.fill(output, at, count, marks);
    this.chain?.run(output, at, count);
    return filled;
  }

  /**
   * The last block before a pause. Frames that are played as they are will be played again when playing goes on.
   * @param {Float32Array[]} output
   * @returns {number} how many frames there are
   */
  pause(output) {
    if (this.chain?.pace) return this.play(output, []);
    const [part] = this.parts;
    const count = Math.min(output[0].length, part.planes[0].length - this.offset);
    this.copy(part, output, 0, count);
    this.chain?.run(output);
    return count;
  }

  /**
   * The next frames, at the pace of their track.
   * @param {Float32Array[]} output @param {number} at @param {number} count @param {Mark[]} marks
   * @returns {number} how many there are
   */
  fill(output, at, count, marks) {
    let filled = 0;
    while (filled < count) {
      const first = this.parts[0];
      const isOther = first !== undefined && first.item !== this.item;
      const part = isOther && this.isClosed && this.item !== -1 ? undefined : first;
      const isLast = part ? isOther && !this.continues(part.item) : this.isClosed || this.player.isEnd;
      if (this.chain?.pace && isLast) {
        // What was given comes out first.
        this.leftOver ??= this.chain.waiting;
        filled += this.takeLeftOver(output, at + filled, count - filled);
        if (this.leftOver > 0) continue;
        this.chain.begin(neutral);
        this.leftOver = null;
        continue;
      }
      this.leftOver = null;
      if (!part) return filled + this.takeReady(output, at + filled, count - filled);
      if (isOther) this.enter(part, at + filled);
      if (!this.chain?.pace) filled += this.gather(output, at + filled, count - filled, marks);
      else {
        if (!marks.length) marks.push({ at: at + filled, item: part.item, frame: this.heardFrame(part) });
        while (this.chain.ready < count - filled) {
          const given = this.gather(this.given, 0, this.given[0].length);
          if (!given) break;
          this.chain.feed(this.given, given);
        }
        filled += this.takeReady(output, at + filled, count - filled);
      }
    }
    return filled;
  }

  /**
   * Whether the next track goes on at the pace of this one.
   * @param {number} item
   */
  continues(item) {
    const { cents, rate } = this.player.settingsOf(item);
    return cents === this.chain?.pace?.cents && rate === this.chain.pace.rate;
  }

  /**
   * Begins with a part of another track, or of another place.
   * @param {Part} part @param {number} filled frames of this block before it
   */
  enter(part, filled) {
    const isJump = this.item === -1;
    this.item = part.item;
    this.shape(part.item);
    if (this.chain && (isJump || !this.chain.pace)) this.chain.begin(this.player.settingsOf(part.item));
    this.player.report(filled);
  }

  /**
   * Frames of the track that plays, as they are.
   * @param {Float32Array[]} output @param {number} at @param {number} count
   * @param {Mark[]} [marks]
   */
  gather(output, at, count, marks) {
    let filled = 0;
    while (filled < count && this.parts[0]?.item === this.item) {
      const part = this.parts[0];
      const taken = Math.min(count - filled, part.planes[0].length - this.offset);
      marks?.push({ at: at + filled, item: part.item, frame: part.frame + this.offset });
      this.copy(part, output, at + filled, taken);
      filled += taken;
      this.offset += taken;
      this.frame = part.frame + this.offset;
      if (this.offset === part.planes[0].length) {
        this.parts.shift();
        this.offset = 0;
        this.player.reader?.postMessage({ played: part.epoch });
      }
    }
    return filled;
  }

  /** @param {Float32Array[]} output @param {number} at @param {number} count */
  takeReady(output, at, count) {
    const { chain } = this;
    const taken = chain?.pace ? Math.min(count, chain.ready) : 0;
    if (taken) chain?.take(output, at, taken);
    return taken;
  }

  /** @param {Float32Array[]} output @param {number} at @param {number} count */
  takeLeftOver(output, at, count) {
    const { chain } = this;
    const wanted = Math.min(count, this.leftOver ?? 0);
    if (!chain || !wanted) return 0;
    for (const plane of this.given) plane.fill(0);
    while (chain.ready < wanted) chain.feed(this.given, this.given[0].length);
    chain.take(output, at, wanted);
    this.leftOver = (this.leftOver ?? 0) - wanted;
    return wanted;
  }

  /**
   * The frame that leaves next.
   * @param {Part} part
   */
  heardFrame(part) {
    const late = this.chain?.pace ? this.chain.effects.dw_speed_delay() : 0;
    return Math.max(0, part.frame + this.offset - Math.round(late));
  }

  /** @param {Part} part @param {Float32Array[]} output @param {number} at @param {number} count */
  copy(part, output, at, count) {
    for (let channel = 0; channel < output.length; channel += 1) {
      const source = part.planes[Math.min(channel, part.planes.length - 1)];
      const target = output[channel];
      for (let i = 0; i < count; i += 1) target[at + i] = source[this.offset + i] * part.gain;
    }
  }
}

const reportEvery = 8;
/** In how many frames the volume moves to another one. */
const volumeFrames = 1024;

export class Player extends AudioWorkletProcessor {
  /**
   * What makes effects, when they are loaded.
   * @type {typeof import('./effects-chain.js').Chain | null}
   */
  static Chain = null;

  constructor() {
    super();
    this.stream = this.makeStream(null);
    this.epoch = 0;
    this.playing = false;
    /** @type {number | null} The epoch that has been sent to its end. */
    this.ended = null;
    /** @type {ReturnType<typeof this.makeStream> | null} What is faded before a new epoch begins. */
    this.leaving = null;
    this.volume = 1;
    this.wantedVolume = 1;
    /** By how much the volume changes with each frame. */
    this.volumeStep = 0;
    this.blocks = 0;
    this.isWaiting = false;
    /** How often the reader was too late in the middle of a track. */
    this.underruns = 0;
    /** @type {{planes: Float32Array[], filled: number, marks: Mark[]} | null} */
    this.capture = null;
    /** @type {MessagePort | null} */
    this.reader = null;
    /** @type {WebAssembly.Module | null} The effects, compiled by the page, because that takes longer than a block. */
    this.module = null;
    /** @type {Map<number, Settings>} What each track goes through. */
    this.effects = new Map();
    /** Frames of silence that still go through the effects after the end. */
    this.tail = 0;
    this.port.onmessage = (event) => this.obey(event.data);
  }

  /**
   * What the page asks.
   * @param {Order} message
   */
  obey(message) {
    if (message.reader) {
      this.reader = message.reader;
      message.reader.onmessage = (/** @type {MessageEvent} */ event) => this.receive(event.data);
    }
    if (message.playing !== undefined) this.playing = message.playing;
    if (message.volume !== undefined) {
      this.wantedVolume = message.volume;
      this.volumeStep = (message.volume - this.volume) / volumeFrames;
    }
    if (message.module) this.module = message.module;
    if (message.effects && message.item !== undefined) {
      this.effects.set(message.item, message.effects);
      if (this.effects.size > 8) this.effects.delete(/** @type {number} */ (this.effects.keys().next().value));
      this.stream.update(message.item);
    }
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
      this.stream.keep(message.keep);
      this.ended = null;
      return;
    }
    if (message.epoch < this.epoch) return;
    if (message.epoch > this.epoch) {
      // Of a place of which nothing has been heard nothing is left.
      if (this.stream.hasParts && this.playing && this.stream.item !== -1) this.leaving = this.stream;
      this.epoch = message.epoch;
      this.stream = this.makeStream(this.stream.chain);
      this.ended = null;
      // For tests, which let it play only then (begin_capture in Tests/Page/support.py). While it plays, the report of
      // the first frame says it.
      if (!this.playing) this.port.postMessage({ there: this.epoch });
    }
    if (message.isEnd) this.ended = message.epoch;
    else if (message.end !== undefined) this.stream.cut(message.item, message.end);
    else {
      this.stream.push(message);
      this.ended = null;
    }
  }

  /**
   * What sounds, from one place on.
   * @param {Chain | null} chain of what was heard before
   */
  makeStream(chain) {
    return new Slot(this, chain);
  }

  /** @param {Settings} settings */
  makeChain(settings) {
    return this.module && Player.Chain && new Player.Chain(this.module, settings);
  }

  /** Whether nothing follows what has come. */
  get isEnd() {
    return this.ended === this.epoch;
  }

  /** @param {number} item */
  settingsOf(item) {
    return this.effects.get(item) ?? neutral;
  }

  /** @param {Float32Array[][]} _ @param {Float32Array[][]} outputs */
  process(_, outputs) {
    const output = outputs[0];
    const count = output[0].length;
    const { stream, leaving } = this;
    if (leaving) {
      leaving.close();
      this.rampDown(output, leaving.play(output, []));
      this.leaving = null;
      stream.reset();
      this.wasPlaying = this.playing;
      return true;
    }
    if (!this.playing) {
      if (this.wasPlaying) {
        if (stream.hasParts) this.rampDown(output, stream.pause(output));
        stream.reset();
        this.report();
      }
      this.wasPlaying = false;
      return true;
    }
    if (!this.wasPlaying) this.volume = this.wantedVolume;
    this.wasPlaying = true;
    /** @type {Mark[]} Which frames of which track lie where in this block. */
    const marks = [];
    const filled = stream.play(output, marks);
    this.tail = filled ? stream.tail : this.tail - count;
    this.amplify(output, stream.chain ? count : filled);
    if (this.capture && filled) this.tap(output, filled, marks);
    const isWaiting = filled < count && !this.isEnd;
    if (isWaiting !== this.isWaiting) {
      if (isWaiting && stream.item !== -1) this.underruns += 1;
      this.port.postMessage({ waiting: (this.isWaiting = isWaiting), underruns: this.underruns });
    }
    if (filled < count && this.tail <= 0 && this.isEnd && this.epoch > 0) {
      this.playing = false;
      this.ended = null;
      this.port.postMessage({ ended: this.epoch });
    } else if (this.blocks++ % reportEvery === 0) this.report(filled);
    return true;
  }

  /**
   * The volume, which moves in 1,024 frames, or at once while nothing sounds.
   * @param {Float32Array[]} output @param {number} count
   */
  amplify(output, count) {
    if (!count) this.volume = this.wantedVolume;
    const { volume, wantedVolume, volumeStep } = this;
    if (!count || (volume === 1 && wantedVolume === 1)) return;
    const left = volume === wantedVolume ? 0 : Math.ceil((wantedVolume - volume) / volumeStep);
    for (const target of output) {
      for (let i = 0; i < count; i += 1) target[i] *= i < left ? volume + volumeStep * i : wantedVolume;
    }
    this.volume = count < left ? volume + volumeStep * count : wantedVolume;
  }

  /**
   * Keeps what leaves, for tests that compare it.
   * @param {Float32Array[]} output @param {number} count @param {Mark[]} marks
   */
  tap(output, count, marks) {
    const capture = /** @type {NonNullable<typeof this.capture>} */ (this.capture);
    const room = Math.min(count, capture.planes[0].length - capture.filled);
    for (const { at, item, frame } of marks) capture.marks.push({ at: capture.filled + at, item, frame });
    capture.planes.forEach((plane, channel) => plane.set(output[channel].subarray(0, room), capture.filled));
    capture.filled += room;
    if (capture.filled < capture.planes[0].length) return;
    this.capture = null;
    this.port.postMessage({ captured: capture.planes, marks: capture.marks });
  }

  /** @param {Float32Array[]} output @param {number} count */
  rampDown(output, count) {
    for (const target of output) {
      for (let i = 0; i < target.length; i += 1) target[i] *= this.volume * Math.max(0, 1 - (i + 1) / count);
    }
  }

  /**
   * Says which frame leaves at which time of the context.
   * @param {number} [filled] frames of this block before it
   */
  report(filled = 0) {
    const { place } = this.stream;
    if (!place) return;
    const { item, frame, rate, late } = place;
    this.port.postMessage({ item, frame, rate, time: currentTime + (filled + late) / sampleRate, epoch: this.epoch });
  }
}

registerProcessor('deadwax-player', Player);
