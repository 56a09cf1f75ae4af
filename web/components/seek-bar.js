/** The whole track as seek bar: a slider, hatched ahead, closed up behind. */

import { attribute, h, perFrame } from '../core/dom.js';
import { time } from '../core/format.js';
import { effect } from '../core/signals.js';
import { partAt, partsOf } from '../data/tracks.js';
import { waveformFor } from '../data/waveform-data.js';
import { sizeOf } from '../drawing/canvas.js';
import { palette } from '../drawing/colour.js';
import { drawWhole } from '../drawing/waveform.js';
import { player } from '../player/player.js';
import { Readout, partTicks } from './waveform-marks.js';

/**
 * Where the first of a track's files that says so is damaged, in seconds; null if none does.
 * @param {import('../data/documents.js').TrackDetail} detail @returns {number | null}
 */
function damageOf({ files }) {
  for (const { problem } of files ?? []) {
    if (typeof problem === 'object' && typeof problem?.position_seconds === 'number') return problem.position_seconds;
  }
  return null;
}

export class SeekBar {
  /** @param {import('./viewport.js').Viewport} viewport whose part is shown in brackets */
  constructor(viewport) {
    this.viewport = viewport;
    /** @type {import('../data/waveform-data.js').WaveformData | undefined} */
    this.waveform = undefined;
    this.state = '';
    /** @type {import('../drawing/colour.js').Palette | null} */
    this.colours = null;
    this.pitch = innerWidth < 800 ? 2 : 3;
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.head = h('div', { class: 'playhead' });
    this.brackets = h('div', { class: 'brackets' });
    this.loop = h('div', { class: 'loop', hidden: true });
    this.marks = h('div', { class: 'marks' });
    this.readout = new Readout();
    this.element = h('div', {
      class: 'seekbar', role: 'slider', tabIndex: 0, 'aria-label': 'Position', 'aria-valuemin': 0, 'aria-valuemax': 0,
      'aria-valuenow': 0,
    }, this.canvas, this.loop, this.marks, this.brackets, this.head, this.readout.element);
    this.draw = perFrame(() => this.render());
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    this.element.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => this.pressed(event));
    this.element.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.moved(event));
    this.element.addEventListener('pointerleave', () => this.readout.hide());
    new ResizeObserver(() => this.draw()).observe(this.element);
    effect(() => {
      palette.value;
      player.loop.value;
      this.open(player.track.value);
    });
  }

  /** @param {import('../player/player.js').Loaded | null} track */
  async open(track) {
    attribute(this.element, 'aria-disabled', track ? null : 'true');
    if (track && this.waveform?.id !== track.id) {
      this.waveform = undefined;
      this.draw();
      const waveform = await waveformFor(track.id, track.rate, track.frames);
      if (player.track.peek()?.id !== track.id) return;
      this.waveform = waveform;
      this.showMarks(track);
    }
    this.draw();
  }

  /**
   * Where parts begin, and damage where it is, in words.
   * @param {import('../player/player.js').Loaded} track
   */
  showMarks(track) {
    const length = track.frames / track.rate;
    const damagedAt = damageOf(track.detail);
    this.marks.replaceChildren(...partTicks(partsOf(track.detail), track.frames));
    if (damagedAt === null) return;
    const mark = h('div', { class: 'damage' }, h('span', {}, `Damaged at ${time(damagedAt)}`));
    mark.style.left = `${Math.min(99, (100 * damagedAt) / length)}%`;
    this.marks.append(mark);
  }

  /** @param {PointerEvent} event */
  frameAt(event) {
    const { left, width } = this.canvas.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width)) * (this.waveform?.frames ?? 0);
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (!this.waveform || event.button) return;
    this.element.setPointerCapture(event.pointerId);
    player.seek(this.frameAt(event));
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!this.waveform) return;
    const frame = this.frameAt(event);
    if (event.buttons & 1) player.seek(frame);
    const part = partAt(player.parts, frame);
    const x = event.clientX - this.element.getBoundingClientRect().left;
    const words = time(frame / this.waveform.rate, 1) + (part ? `\u2002${part.title}` : '');
    this.readout.show(x, 8, this.element.clientWidth, words);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const track = player.track.peek();
    if (!track || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageUp: 30, PageDown: -30 };
    const step = steps[/** @type {keyof steps} */ (event.key)];
    if (step) player.seekBy(step);
    else if (event.key === 'Home') player.seek(0);
    else if (event.key === 'End') player.seek(track.frames);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  render() {
    const { waveform } = this;
    const frame = player.frame();
    if (!waveform) {
      this.canvas.width = this.canvas.width;
    } else {
      const { width } = sizeOf(this.canvas);
      const column = Math.floor((frame / waveform.frames) * width);
      const state = `${waveform.id} ${column} ${width} ${devicePixelRatio}`;
      if (state !== this.state || this.colours !== palette.peek()) {
        drawWhole(this.canvas, waveform, palette.peek(), { pitch: this.pitch, played: frame });
      }
      this.state = state;
      this.colours = palette.peek();
    }
    this.place();
  }

  /** Moves the playhead, the brackets and the loop. */
  place() {
    const { waveform, viewport } = this;
    const { width } = sizeOf(this.canvas);
    const at = (/** @type {number} */ frame) => (waveform ? (frame / waveform.frames) * width : 0);
    const frame = player.frame();
    this.head.hidden = !waveform;
    this.head.style.transform = `translateX(${at(frame).toFixed(2)}px)`;
    // The waveform goes beyond the ends of the track, the brackets do not.
    const [from, to] = [viewport.start, viewport.start + viewport.zoom * viewport.width]
      .map((edge) => Math.max(0, Math.min(width, at(edge))));
    const span = to - from;
    this.brackets.hidden = !waveform || span < 14 || span > width * 0.98;
    if (!this.brackets.hidden) {
      this.brackets.style.transform = `translateX(${from.toFixed(1)}px)`;
      this.brackets.style.width = `${span.toFixed(1)}px`;
    }
    const loop = player.loop.peek();
    this.loop.hidden = !waveform || !loop;
    if (loop) {
      this.loop.style.transform = `translateX(${at(loop.start).toFixed(1)}px)`;
      this.loop.style.width = `${Math.max(2, at(loop.end - loop.start)).toFixed(1)}px`;
    }
    if (!waveform) return;
    const [now, length] = [frame / waveform.rate, waveform.frames / waveform.rate];
    attribute(this.element, 'aria-valuemax', Math.floor(length));
    attribute(this.element, 'aria-valuenow', Math.min(Math.floor(length), Math.floor(now)));
    const part = partAt(player.parts, frame);
    attribute(this.element, 'aria-valuetext', `${time(now)} of ${time(length)}${part ? `, ${part.title}` : ''}`);
  }
}
