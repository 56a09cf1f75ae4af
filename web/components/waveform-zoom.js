/** A part of the track, from all of it to single samples, about the pointer by wheel, pinch and keys. */

import { getJSON } from '../core/api.js';
import { attribute, h, perFrame } from '../core/dom.js';
import { duration, frequency, number, time } from '../core/format.js';
import { isStill, settings } from '../core/settings.js';
import { effect, signal } from '../core/signals.js';
import { spectrogramOf } from '../data/spectrogram.js';
import { waveformFor } from '../data/waveform-data.js';
import { palette } from '../drawing/colour.js';
import { drawScale } from '../drawing/scale.js';
import { drawSpectrogram } from '../drawing/spectrogram.js';
import { drawPart } from '../drawing/waveform.js';
import { player } from '../player/player.js';
import { Viewport, nearest } from './viewport.js';
import { Readout } from './waveform-marks.js';

const bandNames = ['lows', 'mids', 'highs'];

export class Zoom {
  constructor() {
    this.viewport = new Viewport();
    /** @type {import('../data/waveform-data.js').WaveformData | undefined} */
    this.waveform = undefined;
    this.drawn = '';
    /**
     * Of the track, in seconds.
     * @type {number[]}
     */
    this.beats = [];
    /** @type {import('../drawing/colour.js').Palette | null} */
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
    this.element = h('div', {
      class: 'zoomed', role: 'slider', tabIndex: 0, 'aria-label': 'Zoom of the waveform', 'aria-valuemin': 0,
      'aria-valuemax': 24, 'aria-valuenow': 0,
    }, this.scale, this.canvas, this.loop, this.head, this.readout.element);
    this.draw = perFrame(() => this.render());
    this.element.addEventListener('wheel', (/** @type {WheelEvent} */ event) => this.wheeled(event),
      { passive: false });
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
    if (track && this.waveform?.id !== track.id) {
      const waveform = await waveformFor(track.id, track.rate, track.frames);
      if (player.track.peek()?.id !== track.id) return;
      this.waveform?.watchers.delete(this.draw);
      this.waveform = waveform;
      waveform.watchers.add(this.draw);
      this.viewport.open(track, player.frame());
      this.askBeats(track.id);
    }
    this.draw();
  }

  /** @param {number} id of the track whose beats are wanted */
  async askBeats(id) {
    this.beats = [];
    const { beats_seconds: beats } = await getJSON(`/tracks/${id}/beats`).catch(() => ({ beats_seconds: [] }));
    if (this.waveform?.id !== id) return;
    this.beats = beats;
    this.drawn = '';
    this.draw();
  }

  resized() {
    this.viewport.resize(this.element.clientWidth);
    this.draw();
  }

  /** @param {number} zoom frames a pixel @param {number} x the pixel whose frame stays where it is */
  zoomTo(zoom, x) {
    if (!this.waveform) return;
    this.viewport.zoomTo(zoom, x);
    if (!this.isFollowing) this.viewport.clamp();
    this.draw();
  }

  /**
   * By keys: about the playhead, in 160 ms.
   * @param {number} factor
   */
  zoomBy(factor) {
    const { viewport } = this;
    const from = viewport.zoom;
    const goal = viewport.within(from * factor);
    const at = viewport.placeOf(player.frame());
    const x = at >= 0 && at <= viewport.width ? at : viewport.width / 2;
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
    this.viewport.pan(pixels);
    this.draw();
  }

  get isFollowing() {
    return settings.follow.peek() && !this.viewport.isWhole;
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    event.preventDefault();
    const { left } = this.element.getBoundingClientRect();
    const unit = event.deltaMode ? 32 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      return this.pan((event.deltaX || event.deltaY) * unit);
    }
    const x = this.isFollowing && player.playing.peek() ? this.viewport.width / 2 : event.clientX - left;
    this.zoomTo(this.viewport.zoom * 2 ** ((event.deltaY * unit) / (event.ctrlKey ? 60 : 240)), x);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zooms = { ArrowUp: 0.5, ArrowDown: 2, PageUp: 0.125, PageDown: 8 };
    const pans = { ArrowLeft: -0.1, ArrowRight: 0.1 };
    if (event.key in zooms) this.zoomBy(zooms[/** @type {keyof zooms} */ (event.key)]);
    else if (event.key in pans) this.pan(pans[/** @type {keyof pans} */ (event.key)] * this.viewport.width);
    else if (event.key === 'Home') this.zoomBy(1e9);
    else if (event.key === 'End') this.zoomBy(1e-9);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} event */
  frameAt(event) {
    return this.viewport.frameAt(event.clientX - this.element.getBoundingClientRect().left);
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (!this.waveform || event.button) return;
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const selects = event.shiftKey || this.selecting.peek();
    this.pressedAt = { x: event.clientX, frame: this.frameAt(event), selects, dragged: false };
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!this.waveform) return;
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
   * @param {number} from where the one that moves was @param {number} to where it is
   * @param {number} other where the other one is
   */
  pinch(from, to, other) {
    const [was, is] = [Math.abs(from - other), Math.abs(to - other)];
    if (was < 8 || is < 8) return;
    settings.follow.value = false;
    const { left } = this.element.getBoundingClientRect();
    this.viewport.start += ((from - to) / 2) * this.viewport.zoom;
    this.zoomTo((this.viewport.zoom * was) / is, (to + other) / 2 - left);
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
    const { waveform } = this;
    if (!waveform) return;
    const { zoom, width } = this.viewport;
    const bounds = this.canvas.getBoundingClientRect();
    const height = (bounds.bottom - event.clientY) / bounds.height;
    const parts = settings.spectrogram.peek()
      ? spectrogramWords(spectrogramOf(waveform), this.frameAt(event), waveform.rate, zoom, height)
      : waveformWords(waveform, this.frameAt(event), zoom);
    const top = bounds.top - this.element.getBoundingClientRect().top + 4;
    this.readout.show(event.clientX - bounds.left, top, width, parts.join('\u2002'));
  }

  /** Follows the playhead, and draws. */
  render() {
    const { waveform, viewport } = this;
    this.element.classList.toggle('empty', !waveform);
    if (!waveform) return;
    const frame = player.frame();
    if (this.isFollowing && !this.pointers.size) {
      const at = viewport.placeOf(frame);
      if (!isStill.peek() && player.playing.peek()) viewport.centre(frame);
      else if (at < 0 || at > viewport.width) viewport.centre(frame);
    } else if (!this.pointers.size && viewport.isWhole) viewport.clamp();
    const { zoom, width } = viewport;
    const start = viewport.drawnStart(devicePixelRatio || 1);
    const colours = palette.peek();
    const state = `${waveform.id} ${start} ${zoom} ${width}`;
    if (settings.spectrogram.peek()) {
      const spectrogram = spectrogramOf(waveform);
      spectrogram.watcher = this.draw;
      drawSpectrogram(this.canvas, spectrogram, colours, { start, zoom });
    } else drawPart(this.canvas, waveform, colours, { start, zoom, clearAt: frame });
    if (state !== this.drawn || this.colours !== colours) this.drawScale(waveform, start);
    this.drawn = state;
    this.colours = colours;
    if (!this.readout.element.hidden && this.told) this.tell(this.told);
    this.head.style.transform = `translateX(${((frame - start) / zoom).toFixed(2)}px)`;
    const loop = this.draft ?? player.loop.peek();
    this.loop.hidden = !loop;
    if (!loop) return;
    this.loop.style.transform = `translateX(${((loop.start - start) / zoom).toFixed(1)}px)`;
    this.loop.style.width = `${Math.max(2, (loop.end - loop.start) / zoom).toFixed(1)}px`;
  }

  /** @param {import('../data/waveform-data.js').WaveformData} waveform @param {number} start */
  drawScale(waveform, start) {
    const { zoom, width } = this.viewport;
    drawScale(this.scale, waveform, palette.peek(), { start, zoom, parts: player.parts, beats: this.beats });
    this.words.value = spanWords(Math.min(waveform.frames, width * zoom) / waveform.rate, zoom);
    attribute(this.element, 'aria-valuenow', Math.round(Math.log2(zoom / nearest)));
    attribute(this.element, 'aria-valuetext', this.words.peek() || '-');
  }
}

/**
 * How much is seen, and how large.
 * @param {number} seconds @param {number} zoom frames a pixel
 */
function spanWords(seconds, zoom) {
  const span = seconds < 1 ? `${number(seconds * 1000, seconds < 0.1 ? 1 : 0)} ms` : duration(seconds);
  return `${span} \u00b7 ${zoom < 1 ? `${number(1 / zoom, 1)} pixels a frame` : `${number(zoom)} frames a pixel`}`;
}

/**
 * A place as precise as the zoom allows.
 * @param {number} seconds @param {number} zoom frames a pixel
 */
const placeWords = (seconds, zoom) => time(seconds, zoom < 1 ? 5 : zoom < 40 ? 4 : zoom < 2000 ? 2 : 1);

/**
 * What a spectrogram has at a frame and a height of 0…1.
 * @param {import('../data/spectrogram.js').Spectrogram} spectrogram
 * @param {number} frame @param {number} rate @param {number} zoom @param {number} height
 */
function spectrogramWords(spectrogram, frame, rate, zoom, height) {
  const hertz = 100 * 180 ** Math.max(0, Math.min(1, height));
  const level = spectrogram.levelAt(frame, hertz);
  return [placeWords(frame / rate, zoom), frequency(hertz), ...(level === null ? [] : [`${number(level)} dB`])];
}

/**
 * How loud the pixel at a frame is, and in which band.
 * @param {import('../data/waveform-data.js').WaveformData} waveform @param {number} frame @param {number} zoom
 */
function waveformWords(waveform, frame, zoom) {
  const words = [placeWords(frame / waveform.rate, zoom)];
  const pair = /** @type {[number, number]} */ ([0, 0]);
  if (waveform.range(frame, frame + zoom, zoom, pair)) {
    const peak = Math.max(-pair[0], pair[1]);
    words.push(peak > 0 ? `${number(20 * Math.log10(peak), 1)} dBFS` : 'silent');
  }
  const levels = new Uint8Array(4);
  if (waveform.levels(frame, frame + zoom, levels) && levels[0] > 80) {
    const weights = [levels[1], levels[2] + 14, levels[3] + 44];
    words.push(bandNames[weights.indexOf(Math.max(...weights))]);
  }
  return words;
}
