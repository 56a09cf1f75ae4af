/**
 * The worklet for transitions: a track may begin while the one before it still sounds. Each goes through its own
 * effects, then both fade as `render --transitions` fades them, and a limiter keeps the sum below full scale (true
 * peak). What sounds alone leaves as the player's worklet lets it.
 */

import { instantiate } from './effects-chain.js';
import './effects-worklet.js';
import { Player, Slot } from './player-worklet.js';

/** @typedef {import('./effects-chain.js').Chain} Chain */
/** @typedef {import('./player-worklet.js').Part} Part */
/** @typedef {import('./player-worklet.js').Mark} Mark */
/**
 * How a track begins in the ending of another one.
 * @typedef {{
 *   after: number, item: number, end: number, overlap: number, fadeOut: number, fadeIn: number, start: number,
 * }} Join `end` of the track before, behind its last frame; frames of which both sound, and fade
 */

/** Frames of one step of a sum. */
const step = 128;

/**
 * The power of a track that fades in, √ of which is its factor: only products and sums, so that each bit is that of
 * `FadeCurve` (Sources/MediaModel/Transitions).
 * @param {number} frame of the fade @param {number} count its frames
 */
function power(frame, count) {
  const x = (frame + 0.5) / count;
  return x * x * (3 - 2 * x);
}

/** Frames of a sum that wait until they leave. */
class Line {
  constructor() {
    this.planes = [new Float32Array(8192), new Float32Array(8192)];
    this.count = 0;
  }

  /**
   * @param {Float32Array} samples interleaved @param {number} count frames
   */
  push(samples, count) {
    this.planes.forEach((plane, channel) => {
      for (let i = 0; i < count; i += 1) plane[this.count + i] = samples[2 * i + channel];
    });
    this.count += count;
  }

  /** @param {Float32Array[]} output @param {number} at @param {number} wanted */
  take(output, at, wanted) {
    const count = Math.min(wanted, this.count);
    output.forEach((target, channel) => target.set(this.planes[channel].subarray(0, count), at));
    for (const plane of this.planes) plane.copyWithin(0, count, this.count);
    this.count -= count;
    return count;
  }
}

/** The limiter of overlaps, in a module of its own. */
class Limiter {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.effects = instantiate(module);
  }

  /** @param {number} count the frames of the overlap */
  begin(count) {
    this.samples = this.effects.dw_overlap_begin(sampleRate, 2, count);
  }

  /** Where frames go in and come out. */
  get memory() {
    return new Float32Array(this.effects.memory.buffer, this.samples);
  }

  /** @param {Float32Array} samples interleaved @param {number} count @param {Line} line */
  process(samples, count, line) {
    this.memory.set(samples.subarray(0, 2 * count));
    const ready = this.effects.dw_overlap_process(count);
    line.push(this.memory, ready);
  }

  /** @param {Line} line */
  finish(line) {
    const ready = this.effects.dw_overlap_finish();
    line.push(this.memory, ready);
  }
}

/** Tracks of which the next one may begin while one sounds. */
class Mix {
  /** @param {Mixer} player @param {Chain | null} chain */
  constructor(player, chain) {
    this.player = player;
    /** What sounds: one, or two during an overlap. */
    this.slots = [new Slot(player, chain)];
    /**
     * What begins later.
     * @type {{slot: Slot, join: Join}[]}
     */
    this.waiting = [];
    /** @type {{join: Join, at: number, count: number, fadeIn: number} | null} */
    this.overlap = null;
    this.line = new Line();
    /** Frames that were summed and did not leave yet: in the limiter, or behind it. */
    this.summed = 0;
    this.first = [new Float32Array(step), new Float32Array(step)];
    this.second = [new Float32Array(step), new Float32Array(step)];
    this.sum = new Float32Array(2 * step);
  }

  /** The one that is shown and controlled: the last that began. */
  get current() {
    return this.slots[this.slots.length - 1];
  }

  get newest() {
    return this.waiting.length ? this.waiting[this.waiting.length - 1].slot : this.current;
  }

  get item() {
    return this.current.item;
  }

  get chain() {
    return this.current.chain;
  }

  get tail() {
    return this.current.tail;
  }

  get isMixing() {
    return this.overlap !== null || this.summed > 0;
  }

  get hasParts() {
    return this.isMixing || this.current.hasParts;
  }

  get place() {
    const { place } = this.current;
    return place && { ...place, frame: Math.max(0, place.frame - this.summed) };
  }

  /** @param {Part | {join: Join}} message */
  push(message) {
    if ('join' in message) this.expect(message.join);
    else this.ownerOf(message.item).push(message);
  }

  /** @param {number} item */
  ownerOf(item) {
    const has = (/** @type {Slot} */ slot) =>
      slot.item === item || slot.parts[slot.parts.length - 1]?.item === item;
    const waiting = this.waiting.find(({ slot, join }) => join.item === item || has(slot));
    return waiting?.slot ?? this.slots.find(has) ?? this.newest;
  }

  /** @param {Join} join */
  expect(join) {
    const before = this.newest;
    // Behind the end of a track nothing of it is left to be heard.
    if (before.item === -1 && !before.hasParts) return;
    const slot = new Slot(this.player);
    slot.shape(join.item);
    if (before.chain) slot.chain ??= this.player.makeChain(this.player.settingsOf(join.item));
    this.waiting.push({ slot, join });
    this.player.prepareLimiter();
  }

  /** @param {number} item */
  keep(item) {
    this.waiting = [];
    if (this.overlap?.join.after === item) {
      this.slots.pop();
      this.overlap = null;
    }
    for (const slot of this.slots) slot.keep(item);
  }

  /** @param {number} item @param {number} end */
  cut(item, end) {
    this.ownerOf(item).cut(item, end);
  }

  close() {
    this.waiting = [];
    for (const slot of this.slots) slot.close();
  }

  reset() {
    if (!this.isMixing) this.current.reset();
  }

  /** @param {number} item */
  update(item) {
    for (const slot of this.slots) slot.update(item);
    for (const { slot, join } of this.waiting) if (join.item === item) slot.shape(item);
  }

  /** @param {Float32Array[]} output */
  pause(output) {
    return this.isMixing ? this.play(output, []) : this.current.pause(output);
  }

  /**
   * The next frames, each track through its effects.
   * @param {Float32Array[]} output @param {Mark[]} marks
   * @returns {number} how many there are
   */
  play(output, marks) {
    const count = output[0].length;
    let at = 0;
    while (at < count) {
      if (this.line.count) {
        marks.push({ at, item: this.item, frame: Math.max(0, this.leaving(this.current) - this.summed) });
        const taken = this.line.take(output, at, count - at);
        this.summed -= taken;
        at += taken;
      } else if (this.overlap) {
        if (!this.add()) return at;
      } else {
        const left = this.framesLeft();
        if (left > 0) {
          const wanted = Math.min(count - at, left);
          const filled = this.current.play(output, marks, at, wanted);
          at += filled;
          if (filled < wanted) return at;
        } else if (!this.begin()) return at;
      }
    }
    return at;
  }

  /** Frames of what sounds alone until the next track begins. */
  framesLeft() {
    const [next] = this.waiting;
    const slot = this.current;
    const item = slot.item === -1 ? slot.parts[0]?.item : slot.item;
    return next && next.join.after === item ? next.join.end - next.join.overlap - this.leaving(slot) : Infinity;
  }

  /**
   * The frame that leaves next.
   * @param {Slot} slot
   */
  leaving(slot) {
    const { chain } = slot;
    const frame = slot.item === -1 && slot.hasParts ? slot.parts[0].frame : slot.frame;
    return frame - (chain ? chain.latency + (chain.pace ? Math.round(chain.effects.dw_speed_delay()) : 0) : 0);
  }

  /**
   * Whether so many frames of a slot are here, or all that it will have.
   * @param {Slot} slot @param {number} count @param {number} [end] of what is heard of its track
   */
  has(slot, count, end) {
    const last = slot.parts[slot.parts.length - 1];
    if (end !== undefined && (last ? last.frame + last.planes[0].length : slot.frame) >= end) return true;
    if (end === undefined && this.player.isEnd) return true;
    return slot.parts.reduce((sum, part) => sum + part.planes[0].length, -slot.offset) >= count;
  }

  /**
   * Lets the next track begin.
   * @returns {boolean} whether its first frames are here
   */
  begin() {
    const [{ slot, join }] = this.waiting;
    const [before] = this.slots;
    const late = slot.chain?.latency ?? 0;
    if (!this.has(slot, late + step)) return false;
    this.waiting.shift();
    before.close();
    this.slots.push(slot);
    // What comes out of its effects first is silence.
    for (let left = late; left > 0; left -= step) slot.play(this.second, [], 0, Math.min(step, left));
    // Who comes to the ending late hears less of it.
    const count = Math.max(0, Math.min(join.overlap, join.end - this.leaving(before)));
    this.overlap = { join, at: 0, count, fadeIn: Math.min(join.fadeIn, count) };
    if (count) this.player.limiter?.begin(count);
    else this.end();
    return true;
  }

  /**
   * Adds up the next frames of both tracks.
   * @returns {boolean} whether they are here
   */
  add() {
    const { first, second, sum } = this;
    const overlap = /** @type {NonNullable<typeof this.overlap>} */ (this.overlap);
    const [before, after] = this.slots;
    const { join, count, fadeIn } = overlap;
    const taken = Math.min(step, count - overlap.at);
    if (!this.has(before, taken, join.end) || !this.has(after, taken)) return false;
    for (const plane of [...first, ...second]) plane.fill(0);
    before.play(first, [], 0, taken);
    after.play(second, [], 0, taken);
    for (let i = 0; i < taken; i += 1) {
      const frame = overlap.at + i;
      const out = join.fadeOut ? Math.sqrt(1 - power(frame, count)) : 1;
      const into = frame < fadeIn ? Math.sqrt(power(frame, fadeIn)) : 1;
      for (let channel = 0; channel < 2; channel += 1) {
        sum[2 * i + channel] = Math.fround(first[channel][i] * out) + Math.fround(second[channel][i] * into);
      }
    }
    overlap.at += taken;
    this.summed += taken;
    const { limiter } = this.player;
    if (limiter) limiter.process(sum, taken, this.line);
    else this.line.push(sum, taken);
    if (overlap.at === count) {
      limiter?.finish(this.line);
      this.end();
    }
    return true;
  }

  /** The track before is over: what is left of it is not heard. */
  end() {
    const [before] = this.slots.splice(0, 1);
    this.overlap = null;
    for (const { epoch } of before.parts) this.player.reader?.postMessage({ played: epoch });
    if (before.chain) this.player.spare.push(before.chain);
  }
}

class Mixer extends Player {
  /** @type {Limiter | null} */
  limiter = null;
  /**
   * Effects of tracks that are over, for others.
   * @type {Chain[]}
   */
  spare = [];

  /** @param {Chain | null} chain @returns {any} a stream as the player has it */
  makeStream(chain) {
    return new Mix(this, chain);
  }

  /** @param {import('./player-worklet.js').Settings} settings */
  makeChain(settings) {
    const chain = this.spare.pop();
    if (!chain) return super.makeChain(settings);
    chain.update(settings);
    // At once, instead of fading to it.
    chain.reset();
    return chain;
  }

  prepareLimiter() {
    if (this.module) this.limiter ??= new Limiter(this.module);
  }
}

registerProcessor('deadwax-mixer', Mixer);
