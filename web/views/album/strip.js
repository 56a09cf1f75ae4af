/** The whole album on one axis of time: a slider, whose pieces are its tracks. */

import { attribute, h, perFrame, setText } from '../../core/dom.js';
import { time } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { outlineOf, watchers } from '../../data/outlines.js';
import { titleOf } from '../../data/tracks.js';
import { sizeOf } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';
import { drawStrip } from '../../drawing/strip.js';
import { player } from '../../player/player.js';
import { stripOf } from './model.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */
/** @typedef {ReturnType<typeof stripOf>[number]} Place */

/** Steps of the axis, in seconds. */
const steps = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 36_000, 86_400];

export class Strip {
  /** @param {(row: TrackRow, seconds: number) => void} play a track from a place in it */
  constructor(play) {
    this.play = play;
    /** @type {TrackRow[]} */
    this.rows = [];
    /** @type {Place[]} */
    this.places = [];
    this.width = 0;
    /** What is drawn. */
    this.drawn = '';
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.head = h('div', { class: 'playhead' });
    this.pointer = h('div', { class: 'pointer-line', hidden: true });
    this.chip = h('p', { class: 'chip', hidden: true });
    this.discs = h('div', { class: 'strip-discs', 'aria-hidden': 'true' });
    this.axis = h('div', { class: 'strip-axis', 'aria-hidden': 'true' });
    this.slider = h('div', {
      class: 'strip-area', role: 'slider', tabIndex: 0, 'aria-label': 'Position in the album', 'aria-valuemin': 0,
      'aria-valuenow': 0,
    }, this.canvas, this.head, this.pointer, this.chip);
    this.element = h('div', { class: 'strip' }, this.discs, this.slider, this.axis);
    this.draw = perFrame(() => this.render());
    this.slider.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.pointed(event));
    this.slider.addEventListener('pointerleave', () => this.unpoint());
    this.slider.addEventListener('click', (/** @type {MouseEvent} */ event) => this.playAt(this.timeOf(event)));
    this.slider.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.slider);
    watchers.add(this.draw);
    const stop = effect(() => {
      palette.value;
      player.track.value;
      player.sought.value;
      this.draw();
    });
    const timer = setInterval(() => player.playing.peek() && this.draw(), 250);
    this.stop = () => {
      stop();
      clearInterval(timer);
      watchers.delete(this.draw);
      this.observer.disconnect();
    };
  }

  /** @param {TrackRow[]} rows of one edition, in order */
  show(rows) {
    this.rows = rows;
    this.width = 0;
    this.element.hidden = !rows.some(({ duration }) => duration);
    this.draw();
  }

  get seconds() {
    const last = this.places.at(-1);
    return last ? last.start + last.seconds : 0;
  }

  /** Where the player is in the album, in seconds; null if it plays something else. */
  get now() {
    const track = player.track.peek();
    const place = track && this.places.find(({ row }) => row.id === track.id);
    return place ? place.start + player.frame() / track.rate : null;
  }

  render() {
    const { width } = sizeOf(this.canvas);
    if (!width || !this.rows.length) return;
    if (width !== this.width) this.layOut(width);
    const now = this.now;
    const pieces = this.places.map(({ row, left, width, start, seconds }) => ({
      left, width, outline: outlineOf(row.id),
      played: now === null ? 0 : Math.min(1, Math.max(0, (now - start) / seconds)),
    }));
    const state = [
      width, devicePixelRatio, palette.peek().isLight, now === null ? '' : Math.round(this.leftOf(now)),
      pieces.filter(({ outline }) => outline).length, this.rows[0].id,
    ].join(' ');
    if (state !== this.drawn) {
      drawStrip(this.canvas, pieces, palette.peek(), { pitch: 2, coloured: true });
    }
    this.drawn = state;
    this.head.hidden = now === null;
    if (now !== null) this.head.style.transform = `translateX(${this.leftOf(now)}px)`;
    attribute(this.slider, 'aria-valuenow', Math.floor(now ?? 0));
    attribute(this.slider, 'aria-valuetext', now === null ? 'Not playing' : this.wordsAt(now));
  }

  /** @param {number} width */
  layOut(width) {
    this.width = width;
    this.places = stripOf(this.rows, width);
    const { seconds } = this;
    attribute(this.slider, 'aria-valuemax', Math.floor(seconds));
    const discs = this.places.filter(({ isFirst }, i) => isFirst || i === 0);
    this.discs.replaceChildren(...(discs.length > 1 ? discs : []).map(({ row, left }) => {
      const label = h('span', {}, `Disc ${row['album-disc'] ?? 1}`);
      label.style.left = `${left}px`;
      return label;
    }));
    const step = steps.find((step) => seconds / step <= Math.max(2, width / 110)) ?? seconds;
    const marks = [];
    for (let at = 0; at < seconds - step / 2; at += step) marks.push(at);
    this.axis.replaceChildren(...[...marks, seconds].map((at, i) => {
      const label = h('span', { class: i === marks.length ? 'end' : '' }, time(at));
      label.style.left = `${this.leftOf(at)}px`;
      return label;
    }));
  }

  /**
   * The place of a time, in pixels.
   * @param {number} seconds of the album
   */
  leftOf(seconds) {
    const place = this.placeAt(seconds);
    return place ? place.left + place.width * Math.min(1, (seconds - place.start) / Math.max(1e-9, place.seconds)) : 0;
  }

  /** @param {number} seconds @returns {Place | undefined} */
  placeAt(seconds) {
    return this.places.find(({ start, seconds: own }) => seconds < start + own) ?? this.places.at(-1);
  }

  /**
   * "3 Siege of Laurelmor, 1:34".
   * @param {number} seconds of the album
   */
  wordsAt(seconds) {
    const place = this.placeAt(seconds);
    if (!place) return '';
    return `${place.row.track ?? ''} ${titleOf(place.row)}, ${time(seconds - place.start)}`.trim();
  }

  /** @param {MouseEvent} event @returns {number} in seconds of the album */
  timeOf(event) {
    const x = event.clientX - this.slider.getBoundingClientRect().left;
    const place = this.places.filter(({ left }) => left <= x).at(-1) ?? this.places[0];
    return place ? place.start + place.seconds * Math.min(0.999, Math.max(0, (x - place.left) / place.width)) : 0;
  }

  /** @param {number} seconds of the album */
  playAt(seconds) {
    const place = this.placeAt(Math.max(0, Math.min(seconds, this.seconds - 0.1)));
    if (place) this.play(place.row, Math.max(0, seconds - place.start));
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    if (event.pointerType === 'touch' || !this.places.length) return;
    const seconds = this.timeOf(event);
    const x = event.clientX - this.slider.getBoundingClientRect().left;
    this.pointer.hidden = this.chip.hidden = false;
    this.pointer.style.transform = `translateX(${Math.round(x)}px)`;
    setText(this.chip, this.wordsAt(seconds));
    const isLate = x + 16 + this.chip.offsetWidth > this.width;
    this.chip.style.transform = `translateX(${Math.round(isLate ? x - 8 - this.chip.offsetWidth : x + 8)}px)`;
  }

  unpoint() {
    this.pointer.hidden = this.chip.hidden = true;
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = this.now ?? 0;
    const at = this.places.indexOf(/** @type {Place} */ (this.placeAt(now)));
    const startOf = (/** @type {number} */ i) => this.places[Math.max(0, Math.min(this.places.length - 1, i))]?.start;
    const target = {
      ArrowLeft: now - 5, ArrowRight: now + 5, ArrowDown: now - 5, ArrowUp: now + 5, Home: 0, Enter: now,
      PageDown: startOf(at + 1), PageUp: startOf(at - 1), End: startOf(this.places.length - 1),
    }[event.key];
    if (target === undefined) return;
    this.playAt(Math.max(0, target));
    event.preventDefault();
    event.stopPropagation();
  }
}
