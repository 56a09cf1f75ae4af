/** Engine B: an `<audio>` element on the file, for pages that come without a secure context. */

import { address } from '../core/api.js';
import { neutral } from '../data/presets.js';

/** @typedef {import('./stream-engine.js').Item} Item */

const unplayable = 'This browser cannot play the format of this file over plain HTTP.'
  + ' Open the page over https or on the server itself.';

export class ElementEngine {
  /** @param {import('./stream-engine.js').Listener} listener */
  constructor(listener) {
    /** @type {import('./meter.js').Meter | null} Nothing listens here. */
    this.meter = null;
    this.listener = listener;
    this.element = new Audio();
    this.playing = false;
    this.volume = 1;
    /** @type {Item | null} */
    this.item = null;
    /** @type {{start: number, end: number} | null} */
    this.loop = null;
    this.element.addEventListener('ended', () => listener.ended());
    this.element.addEventListener('waiting', () => listener.waiting(true));
    this.element.addEventListener('playing', () => listener.waiting(false));
    this.element.addEventListener('timeupdate', () => this.wrap());
    this.element.addEventListener('error', () => {
      if (this.item) listener.failed(unplayable);
    });
  }

  /** There is nothing that could be done before: the element reads by itself. */
  warm() {}

  expect() {}

  /** @param {Item} item @param {number} frame @param {boolean} playing */
  async start(item, frame, playing) {
    if (this.item?.id !== item.id) this.element.src = address(`/tracks/${item.id}/file`);
    this.item = item;
    this.shape(item.key, item.effects);
    this.element.currentTime = frame / item.rate;
    this.setVolume(this.volume);
    this.setPlaying(playing);
  }

  /** @param {boolean} playing */
  setPlaying(playing) {
    this.playing = playing;
    if (playing) this.element.play().catch(() => {});
    else this.element.pause();
  }

  /** The element cannot prepare a track: the next one starts when this one has ended. */
  setNext() {}

  /** @param {{start: number, end: number} | null} loop in frames */
  setLoop(loop) {
    this.loop = loop;
  }

  wrap() {
    const { loop, item } = this;
    if (!loop && item && this.frame() >= item.until && !this.element.paused) {
      this.element.pause();
      return this.listener.ended();
    }
    if (loop && item && this.frame() >= loop.end) this.element.currentTime = loop.start / item.rate;
  }

  /**
   * The browser's own player has no effects but the rate, with or without the pitch.
   * @param {number} _ @param {import('../data/presets.js').Settings | null} effects
   */
  shape(_, effects) {
    const { rate, cents } = effects ?? neutral;
    this.element.playbackRate = this.element.defaultPlaybackRate = rate;
    this.element.preservesPitch = Math.abs(cents + 1200 * Math.log2(rate)) < 50;
  }

  delay() {
    return 0;
  }

  /** @param {number} volume a factor; an element cannot amplify */
  setVolume(volume) {
    this.volume = volume;
    this.element.volume = Math.min(1, volume * (this.item?.gain ?? 1));
  }

  frame() {
    return Math.round(this.element.currentTime * (this.item?.rate ?? 0));
  }

  isHeldBack() {
    return this.playing && this.element.paused && !this.element.ended;
  }
}
