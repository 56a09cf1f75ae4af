/**
 * Several recordings at one place in time, of which one is heard: for comparing copies by ear. All are decoded and run
 * in step, so changing from one to another is a fade of ten milliseconds. What is heard is the file itself, without
 * presets.
 */

import { settings } from '../core/settings.js';
import { signal } from '../core/signals.js';
import { getPCM } from '../data/pcm.js';
import { volumeFactor } from './gain.js';

/** Seconds that are decoded at once, and how far ahead. */
const pieceSeconds = 2;
const aheadSeconds = 5;
const fadeSeconds = 0.01;

/**
 * @typedef {{id: number, rate: number, seconds: number, start: number, loudness: number | null}} Voice
 *   `start`: where in the first one it begins, in seconds; `loudness` in LUFS
 */

export class SyncedPlayback {
  /** @param {Voice[]} voices */
  constructor(voices) {
    this.voices = voices;
    this.heard = signal(0);
    this.playing = signal(false);
    /** What keeps it from playing, for people. */
    this.trouble = signal('');
    /** Whether louder ones are turned down to the quietest. */
    this.isLevelled = signal(true);
    this.seconds = Math.max(...voices.map((voice) => voice.start + voice.seconds));
    this.context = new AudioContext({ sampleRate: voices[0].rate });
    this.gains = voices.map((_, i) => {
      const gain = this.context.createGain();
      gain.gain.value = i === 0 ? this.level(i) : 0;
      gain.connect(this.context.destination);
      return gain;
    });
    /** The place in the first one at `anchor.time` of the context, in seconds. */
    this.anchor = { place: 0, time: 0 };
    this.epoch = 0;
    /** @type {Set<AudioBufferSourceNode>} */
    this.sources = new Set();
    this.abort = new AbortController();
  }

  /**
   * The factor of a voice while it is heard.
   * @param {number} index
   */
  level(index) {
    const known = this.voices.map(({ loudness }) => loudness).filter((value) => value !== null);
    const own = this.voices[index].loudness;
    const decibels = this.isLevelled.peek() && own !== null ? Math.min(.../** @type {number[]} */ (known)) - own : 0;
    return volumeFactor(settings.volume.peek()) * 10 ** (decibels / 20);
  }

  /** Where it is, in seconds of the first one. */
  place() {
    if (!this.playing.peek()) return this.anchor.place;
    return Math.min(this.seconds, this.anchor.place + Math.max(0, this.context.currentTime - this.anchor.time));
  }

  /** @param {number} index */
  hear(index) {
    this.heard.value = (index + this.voices.length) % this.voices.length;
    this.shade();
  }

  /** @param {boolean} levelled */
  setLevelled(levelled) {
    this.isLevelled.value = levelled;
    this.shade();
  }

  shade() {
    const now = this.context.currentTime;
    this.gains.forEach(({ gain }, i) =>
      gain.setTargetAtTime(i === this.heard.peek() ? this.level(i) : 0, now, fadeSeconds / 3));
  }

  toggle() {
    if (this.playing.peek()) this.pause();
    else this.play(this.place() >= this.seconds - 0.05 ? 0 : this.place());
  }

  pause() {
    this.anchor.place = this.place();
    this.playing.value = false;
    this.silence();
  }

  silence() {
    this.epoch += 1;
    this.abort.abort();
    for (const source of this.sources) source.stop();
    this.sources.clear();
  }

  /** @param {number} place in seconds of the first one */
  seek(place) {
    const target = Math.max(0, Math.min(place, this.seconds));
    if (this.playing.peek()) this.play(target);
    else this.anchor.place = target;
  }

  /** @param {number} place */
  async play(place) {
    this.silence();
    const epoch = this.epoch;
    this.abort = new AbortController();
    this.trouble.value = '';
    this.playing.value = true;
    this.anchor = { place, time: Infinity };
    try {
      await this.context.resume();
      for (let next = place; next < this.seconds && epoch === this.epoch; next += pieceSeconds) {
        const pieces = await Promise.all(this.voices.map((voice) => this.piece(voice, next)));
        if (epoch !== this.epoch) return;
        // The clock starts with the first piece, and waits if one comes late.
        const due = this.anchor.time + next - this.anchor.place;
        if (!Number.isFinite(due) || due <= this.context.currentTime) {
          this.anchor = { place: next, time: this.context.currentTime + 0.05 };
        }
        pieces.forEach((piece, i) => piece && this.schedule(piece, i, this.anchor.time + next - this.anchor.place));
        const wait = next + pieceSeconds - aheadSeconds - this.place();
        if (wait > 0) await new Promise((done) => setTimeout(done, 1000 * wait));
      }
      while (epoch === this.epoch && this.place() < this.seconds) await new Promise((done) => setTimeout(done, 50));
      if (epoch === this.epoch) this.pause();
    } catch (error) {
      if (epoch !== this.epoch) return;
      this.pause();
      this.trouble.value = /** @type {Error} */ (error).message;
    }
  }

  /**
   * Two seconds of a voice; null where it has no sound.
   * @param {Voice} voice @param {number} place
   */
  async piece(voice, place) {
    const first = Math.round((place - voice.start) * voice.rate);
    const count = Math.round((place + pieceSeconds - voice.start) * voice.rate) - first;
    const start = Math.max(0, first);
    if (first + count <= 0 || start >= voice.seconds * voice.rate) return null;
    const { planes } = await getPCM(voice.id, start, first + count - start, this.abort.signal);
    if (!planes[0].length) return null;
    const buffer = this.context.createBuffer(planes.length, count, voice.rate);
    planes.forEach((plane, channel) => buffer.copyToChannel(/** @type {any} */ (plane), channel, start - first));
    return buffer;
  }

  /** @param {AudioBuffer} buffer @param {number} index @param {number} time of the context */
  schedule(buffer, index, time) {
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.gains[index]);
    source.start(time);
    this.sources.add(source);
    source.addEventListener('ended', () => this.sources.delete(source));
  }

  close() {
    this.pause();
    this.context.close();
  }
}
