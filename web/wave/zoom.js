/** A part of the track, from all of it to single samples, about the pointer by wheel, pinch and keys. */

import { palette } from '../core/colour.js';
import { attribute, effect, h, perFrame, signal } from '../core/dom.js';
import { duration, frequency, number, time } from '../core/format.js';
import { isStill, settings } from '../core/settings.js';
import { player } from '../player/player.js';
import { drawPart } from './draw.js';
import { Readout } from './readout.js';
import { drawScale } from './scale.js';
import { soundOf } from './sound.js';
import { spectrogramOf } from './spectrogram.js';

/** The nearest zoom: one frame is 16 pixels. */
const nearest = 1 / 16;
/** Seconds a pixel at first: a screen shows some fifteen seconds. */
const firstZoom = 0.0097;
const bandNames = ['lows', 'mids', 'highs'];

export class Zoom {
  constructor() {
    this.start = 0;
    this.zoom = 430;
    this.width = 1;
    /** @type {import('./sound.js').Sound | undefined} */
    this.sound = undefined;
    this.drawn = '';
    /** @type {import('../core/colour.js').Palette | null} */
    this.colours = null;
    /** @type {import('../player/player.js').Range | null} */
    this.draft = null;
    /** @type {{x: number, frame: number, selects: boolean, dragged: boolean} | undefined} */
    this.pressedAt = undefined;
    /** What is seen, in words. */
    this.words = signal('');
    /** Whether dragging selects a loop. */
    this.selecting = signal(false);
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.scale = h('canvas', { 'aria-hidden': 'true', class: 'scale' });
    this.head = h('div', { class: 'playhead pointed' });
    this.loop = h('div', { class: 'loop', hidden: true });
    this.readout = new Readout();
    this.element = h('div', { class: 'zoomed', role: 'slider', tabIndex: 0, 'aria-label': 'Zoom of the waveform', 'aria-valuemin': 0, 'aria-valuemax': 24, 'aria-valuenow': 0 },
      this.scale, this.canvas, this.loop, this.head, this.readout.element);
    this.draw = perFrame(() => this.render());
    this.element.addEventListener('wheel', (/** @type {WheelEvent} */ event) => this.wheeled(event), { passive: false });
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    this.element.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => this.pressed(event));
    this.element.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.moved(event));
    this.element.addEventListener('pointerup', (/** @type {PointerEvent} */ event) => this.released(event));
    this.element.addEventListener('pointercancel', (/** @type {PointerEvent} */ event) => this.cancelled(event));
    this.element.addEventListener('pointerleave', () => this.readout.hide());
    new ResizeObserver(() => this.resized()).observe(this.element);
    effect(() => {
      palette.value;
      settings.spectrogram.value;
      player.loop.value;
      this.open(player.track.value);
    });
    effect(() => {
      if (settings.follow.value) this.draw();
    });
  }

  /** @param {import('../player/player.js').Loaded | null} track */
  async open(track) {
    if (track && this.sound?.id !== track.id) {
      const sound = await soundOf(track.id, track.rate, track.frames);
      if (player.track.peek()?.id !== track.id) return;
      this.sound?.watchers.delete(this.draw);
      this.sound = sound;
      sound.watchers.add(this.draw);
      this.zoom = Math.min(track.rate * firstZoom, this.farthest);
      this.centre(player.frame());
    }
    this.draw();
  }

  resized() {
    const middle = this.start + (this.zoom * this.width) / 2;
    this.width = Math.max(1, this.element.clientWidth);
    if (this.sound) this.zoom = Math.min(this.zoom, this.farthest);
    this.start = middle - (this.zoom * this.width) / 2;
    this.draw();
  }

  get farthest() {
    return (this.sound?.frames ?? 1) / this.width;
  }

  /** @param {number} frame */
  centre(frame) {
    this.start = frame - (this.zoom * this.width) / 2;
  }

  /** @param {number} zoom frames a pixel @param {number} x the pixel whose frame stays where it is */
  zoomTo(zoom, x) {
    if (!this.sound) return;
    const frame = this.start + x * this.zoom;
    this.zoom = Math.max(nearest, Math.min(zoom, this.farthest));
    this.start = frame - x * this.zoom;
    if (!this.isFollowing) this.clamp();
    this.draw();
  }

  /**
   * By keys: about the playhead, in 160 ms.
   * @param {number} factor
   */
  zoomBy(factor) {
    const from = this.zoom;
    const goal = Math.max(nearest, Math.min(from * factor, this.farthest));
    const at = (player.frame() - this.start) / this.zoom;
    const x = at >= 0 && at <= this.width ? at : this.width / 2;
    const began = performance.now();
    const step = () => {
      const t = isStill.peek() ? 1 : Math.min(1, (performance.now() - began) / 160);
      this.zoomTo(from * (goal / from) ** (1 - (1 - t) ** 3), x);
      if (t < 1) requestAnimationFrame(step);
    };
    step();
  }

  /** @param {number} pixels */
  pan(pixels) {
    settings.follow.value = false;
    this.start += pixels * this.zoom;
    this.clamp();
    this.draw();
  }

  clamp() {
    const frames = this.sound?.frames ?? 0;
    const shown = this.zoom * this.width;
    this.start = shown >= frames ? (frames - shown) / 2 : Math.max(0, Math.min(this.start, frames - shown));
  }

  get isFollowing() {
    return settings.follow.peek() && this.zoom < this.farthest * 0.98;
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    event.preventDefault();
    const { left } = this.element.getBoundingClientRect();
    const unit = event.deltaMode ? 32 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this.pan((event.deltaX || event.deltaY) * unit);
    const x = this.isFollowing && player.playing.peek() ? this.width / 2 : event.clientX - left;
    this.zoomTo(this.zoom * 2 ** ((event.deltaY * unit) / (event.ctrlKey ? 60 : 240)), x);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zooms = { ArrowUp: 0.5, ArrowDown: 2, PageUp: 0.125, PageDown: 8 };
    const pans = { ArrowLeft: -0.1, ArrowRight: 0.1 };
    if (event.key in zooms) this.zoomBy(zooms[/** @type {keyof zooms} */ (event.key)]);
    else if (event.key in pans) this.pan(pans[/** @type {keyof pans} */ (event.key)] * this.width);
    else if (event.key === 'Home') this.zoomBy(1e9);
    else if (event.key === 'End') this.zoomBy(1e-9);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} event */
  frameAt(event) {
    return Math.max(0, Math.min(this.start + (event.clientX - this.element.getBoundingClientRect().left) * this.zoom, (this.sound?.frames ?? 1) - 1));
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (!this.sound || event.button) return;
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.pressedAt = { x: event.clientX, frame: this.frameAt(event), selects: event.shiftKey || this.selecting.peek(), dragged: false };
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!this.sound) return;
    const before = this.pointers.get(event.pointerId);
    this.tell(event);
    if (!before || !this.pressedAt) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (Math.abs(event.clientX - this.pressedAt.x) > 4) this.pressedAt.dragged = true;
    if (others.length) {
      this.pressedAt.dragged = true;
      this.pinch(before.x, event.clientX, others[0].x);
    } else if (this.pressedAt.selects) {
      const [start, end] = [this.pressedAt.frame, this.frameAt(event)].sort((a, b) => a - b).map(Math.round);
      this.draft = end - start > 1 ? { start, end } : null;
      this.draw();
    } else if (this.pressedAt.dragged) this.pan(before.x - event.clientX);
  }

  /**
   * Two fingers: what lies between them stays between them.
   * @param {number} from where the one that moves was @param {number} to where it is @param {number} other where the other one is
   */
  pinch(from, to, other) {
    const [was, is] = [Math.abs(from - other), Math.abs(to - other)];
    if (was < 8 || is < 8) return;
    settings.follow.value = false;
    const { left } = this.element.getBoundingClientRect();
    this.start += ((from - to) / 2) * this.zoom;
    this.zoomTo((this.zoom * was) / is, (to + other) / 2 - left);
  }

  /** @param {PointerEvent} event */
  released(event) {
    const press = this.pressedAt;
    this.pointers.delete(event.pointerId);
    if (!press || this.pointers.size) return;
    this.pressedAt = undefined;
    if (press.selects && this.draft) player.setLoop(this.draft);
    else if (!press.dragged) player.seek(press.frame);
    this.draft = null;
    this.selecting.value = false;
    this.draw();
  }

  /** @param {PointerEvent} event */
  cancelled(event) {
    this.pointers.delete(event.pointerId);
    this.pressedAt = undefined;
    this.draft = null;
    this.draw();
  }

  /**
   * What is under the pointer, in words.
   * @param {PointerEvent} event
   */
  tell(event) {
    this.told = event;
    const { sound } = this;
    const bounds = this.canvas.getBoundingClientRect();
    if (!sound) return;
    const frame = this.frameAt(event);
    const digits = this.zoom < 1 ? 5 : this.zoom < 40 ? 4 : this.zoom < 2000 ? 2 : 1;
    const parts = [time(frame / sound.rate, digits)];
    if (settings.spectrogram.peek()) {
      const hertz = 100 * 180 ** Math.max(0, Math.min(1, (bounds.bottom - event.clientY) / bounds.height));
      const level = spectrogramOf(sound).levelAt(frame, hertz);
      parts.push(frequency(hertz), ...(level === null ? [] : [`${number(level)} dB`]));
    } else {
      const pair = /** @type {[number, number]} */ ([0, 0]);
      if (sound.range(frame, frame + this.zoom, this.zoom, pair)) {
        const peak = Math.max(-pair[0], pair[1]);
        parts.push(peak > 0 ? `${number(20 * Math.log10(peak), 1)} dBFS` : 'silent');
      }
      const levels = new Uint8Array(4);
      if (sound.levels(frame, frame + this.zoom, levels) && levels[0] > 80) {
        const weights = [levels[1], levels[2] + 14, levels[3] + 44];
        parts.push(bandNames[weights.indexOf(Math.max(...weights))]);
      }
    }
    this.readout.show(event.clientX - bounds.left, bounds.top - this.element.getBoundingClientRect().top + 4, this.width, parts.join('\u2002'));
  }

  /** Follows the playhead, and draws. */
  render() {
    const { sound, width } = this;
    this.element.classList.toggle('empty', !sound);
    if (!sound) return;
    const frame = player.frame();
    if (this.isFollowing && !this.pointers.size) {
      const at = (frame - this.start) / this.zoom;
      if (!isStill.peek() && player.playing.peek()) this.centre(frame);
      else if (at < 0 || at > width) this.centre(frame);
    } else if (!this.pointers.size && this.zoom >= this.farthest * 0.98) this.clamp();
    // Where the waveform stands still on device pixels it does not shimmer while it moves.
    const size = this.zoom / (devicePixelRatio || 1);
    const start = size >= 1 ? Math.round(this.start / size) * size : this.start;
    const colours = palette.peek();
    const state = `${sound.id} ${start} ${this.zoom} ${width}`;
    if (settings.spectrogram.peek()) {
      const spectrogram = spectrogramOf(sound);
      spectrogram.watcher = this.draw;
      spectrogram.draw(this.canvas, colours, { start, zoom: this.zoom });
    } else drawPart(this.canvas, sound, colours, { start, zoom: this.zoom, clearAt: frame });
    if (state !== this.drawn || this.colours !== colours) this.drawScale(start);
    this.drawn = state;
    this.colours = colours;
    if (!this.readout.element.hidden && this.told) this.tell(this.told);
    this.head.style.transform = `translateX(${((frame - start) / this.zoom).toFixed(2)}px)`;
    const loop = this.draft ?? player.loop.peek();
    this.loop.hidden = !loop;
    if (!loop) return;
    this.loop.style.transform = `translateX(${((loop.start - start) / this.zoom).toFixed(1)}px)`;
    this.loop.style.width = `${Math.max(2, (loop.end - loop.start) / this.zoom).toFixed(1)}px`;
  }

  /** @param {number} start */
  drawScale(start) {
    const sound = /** @type {NonNullable<typeof this.sound>} */ (this.sound);
    drawScale(this.scale, sound, palette.peek(), { start, zoom: this.zoom, parts: player.parts });
    const shown = Math.min(sound.frames, this.width * this.zoom) / sound.rate;
    const span = shown < 1 ? `${number(shown * 1000, shown < 0.1 ? 1 : 0)} ms` : duration(shown);
    this.words.value = `${span} \u00b7 ${this.zoom < 1 ? `${number(1 / this.zoom, 1)} pixels a frame` : `${number(this.zoom)} frames a pixel`}`;
    attribute(this.element, 'aria-valuenow', Math.round(Math.log2(this.zoom / nearest)));
    attribute(this.element, 'aria-valuetext', this.words.peek() || '-');
  }
}
