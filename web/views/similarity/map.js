/**
 * The map: each track is a point, and neighbours sound alike. Its colour is its tempo, as `deadwax map` draws it, or
 * where its spectrum has its centre.
 */

import { choiceButtons } from '../../components/choice.js';
import { getJSON } from '../../core/api.js';
import { h, perFrame, setText } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { go } from '../../core/router.js';
import { settings } from '../../core/settings.js';
import { effect } from '../../core/signals.js';
import { keyText, titleOf } from '../../data/tracks.js';
import { prepare } from '../../drawing/canvas.js';
import { css, palette, toRGB } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { MapModel, meanings, shadeCount, shadeOf } from './map-model.js';

/** @typedef {import('./map-model.js').MapPoint} MapPoint */

/** How far from a point, in pixels, a pointer still means it. */
const reach = 14;

/** @param {MapPoint} point */
const nameOf = (point) => [
  titleOf(point), point.artist, point.bpm ? `${number(point.bpm, 0)} BPM` : '', keyText(point),
].filter(Boolean).join(' \u00b7 ');

/**
 * The colour of a shade.
 * @param {import('../../drawing/colour.js').Palette} colours @param {keyof typeof meanings} meaning
 * @param {number} shade @param {number} [opacity]
 */
const colourOf = (colours, meaning, shade, opacity = 1) =>
  css(colours.over(toRGB(meanings[meaning].hue(colours, shade / (shadeCount - 1))), opacity));

export class SoundMap {
  constructor() {
    this.model = new MapModel();
    this.canvas = h('canvas', {
      tabIndex: 0, role: 'application', 'aria-label': 'Map of the library', 'aria-describedby': 'map-keys',
    });
    this.chip = h('div', { class: 'chip', hidden: true });
    this.spoken = h('p', { class: 'unseen', role: 'status' });
    this.note = h('p', { class: 'second tally' });
    const hands = matchMedia('(pointer: coarse)').matches
      ? 'Drag to move, pinch to zoom, tap a point for its name.'
      : 'Drag to move, wheel or + \u2212 to zoom, arrows go from track to track, Enter opens one, p plays it.';
    this.keys = h('p', { class: 'second', id: 'map-keys' }, `Neighbours sound alike. ${hands}`);
    this.acts = h('div', { class: 'buttons acts', hidden: true },
      h('button', { type: 'button', onclick: () => this.play(this.chosen) }, 'Play'),
      h('button', { type: 'button', onclick: () => this.open(this.chosen) }, 'Open'));
    this.frame = h('div', { class: 'map-frame' }, this.canvas, this.chip, this.acts);
    this.unknown = h('span', { class: 'unknown', hidden: true }, h('i'), ' not known');
    this.plane = h('div', { class: 'plane' }, h('div', { class: 'tools' }, this.note, this.keys), this.frame,
      h('div', { class: 'tools below' }, this.legend(), this.zooms()));
    this.empty = h('div', { class: 'empty', hidden: true });
    this.element = h('section', { class: 'panel map', 'aria-label': 'Map' }, this.plane, this.empty, this.spoken);
    /** Which point has the name beside it; −1 for none. */
    this.chosen = -1;
    /** Whether it stays chosen when the pointer goes: keys and fingers do not hover. */
    this.isHeld = false;
    this.query = '';
    this.turn = 0;
    /** @type {Map<number, [number, number]>} Where pointers are that are down. */
    this.fingers = new Map();
    /** @type {{moved: number} | null} */
    this.dragged = null;
    this.draw = perFrame(() => this.render());
    new ResizeObserver(() => {
      this.model.size = { width: this.frame.clientWidth, height: this.frame.clientHeight };
      this.draw();
    }).observe(this.frame);
    effect(() => {
      palette.value;
      player.track.value;
      settings.mapColour.value;
      this.draw();
    });
    this.listen();
  }

  /** What the colours mean, and another meaning to choose. */
  legend() {
    const options = Object.entries(meanings).map(([name, { label }]) =>
      /** @type {[keyof typeof meanings, string]} */ ([name, label]));
    const [low, high] = [h('span'), h('span')];
    const shades = Array.from({ length: shadeCount }, () => h('i'));
    effect(() => {
      const meaning = settings.mapColour.value;
      const { ends } = meanings[meaning];
      setText(low, ends[0]);
      setText(high, ends[1]);
      shades.forEach((shade, i) => (shade.style.background = colourOf(palette.value, meaning, i)));
    });
    return h('div', { class: 'legend', role: 'group', 'aria-label': 'Colours' },
      choiceButtons(settings.mapColour, options, { class: 'word' }),
      h('p', { class: 'second' }, low, h('span', { class: 'shades', 'aria-hidden': 'true' }, shades), high),
      this.unknown);
  }

  zooms() {
    const zoom = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
      h('button', { type: 'button', 'aria-label': name, onclick: act }, sign);
    return h('div', { class: 'buttons zooms', role: 'group', 'aria-label': 'Zoom' },
      zoom('\u2212', 'Zoom out', () => this.zoomBy(1 / 1.5)), zoom('+', 'Zoom in', () => this.zoomBy(1.5)),
      zoom('Whole', 'Whole map', () => this.look(0.5, 0.5, 1)));
  }

  /** @param {{q: string}} place */
  async show({ q }) {
    const turn = (this.turn += 1);
    const answer = await getJSON('/map', { q }).catch((error) => ({ rows: [], total: 0, error }));
    if (turn !== this.turn) return;
    const { model } = this;
    const id = q === this.query ? model.points[this.chosen]?.id : undefined;
    this.query = q;
    model.points = answer.rows;
    this.choose(model.points.findIndex((point) => point.id === id), this.isHeld);
    const all = count(answer.total, 'track');
    setText(this.note, answer.total > answer.rows.length ? `${number(answer.rows.length)} of ${all}` : all);
    this.plane.hidden = !model.points.length;
    this.empty.hidden = model.points.length > 0;
    const [sentence, way] = answer.error ? [answer.error.message, ''] : [
      q ? 'No matching tracks on the map.' : 'The map is empty.',
      'Scans compare tracks by their sound. For tracks from an older version,'
        + ' run “deadwax reanalyze --missing”.',
    ];
    this.empty.replaceChildren(h('p', { class: 'etch' }, sentence), h('p', {}, way));
    this.draw();
  }

  hide() {
    this.turn += 1;
    this.dragged = null;
  }

  // MARK: Hands

  listen() {
    const { canvas, fingers, model } = this;
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const [x, y] = this.pixel(event);
      this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 16 : 1) * 0.0016), x, y);
    }, { passive: false });
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, this.pixel(event));
      this.dragged = { moved: 0 };
    });
    canvas.addEventListener('pointermove', (event) => this.moved(event));
    canvas.addEventListener('pointerup', (event) => this.released(event));
    canvas.addEventListener('pointercancel', (event) => fingers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.isHeld || this.choose(-1));
    canvas.addEventListener('keydown', (event) => this.keyed(event));
    canvas.addEventListener('focus', () => {
      const isByKeys = this.chosen < 0 && canvas.matches(':focus-visible');
      if (isByKeys) this.choose(model.near(...model.middle, Infinity), true);
    });
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { fingers, dragged, model } = this;
    const [x, y] = this.pixel(event);
    const before = fingers.get(event.pointerId);
    if (!before || !dragged) return this.choose(model.near(x, y, reach));
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (/** @type {[number, number]} */ [px, py]) =>
        Math.max(20, Math.hypot(px - other[0], py - other[1]));
      this.zoomBy(spread([x, y]) / spread(before), other[0], other[1]);
    } else {
      model.pan(x - before[0], y - before[1]);
      this.draw();
    }
    dragged.moved += Math.hypot(x - before[0], y - before[1]);
    fingers.set(event.pointerId, [x, y]);
  }

  /** @param {PointerEvent} event */
  released(event) {
    this.fingers.delete(event.pointerId);
    const isClick = this.dragged && this.dragged.moved < 5;
    this.dragged = null;
    if (!isClick) return;
    const isTouch = event.pointerType === 'touch';
    const index = this.model.near(...this.pixel(event), isTouch ? 2 * reach : reach);
    // A finger has no hover: its first touch says the name.
    if (index >= 0 && (!isTouch || index === this.chosen)) this.open(index);
    else this.choose(index, isTouch);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) this.step(direction[0], direction[1]);
    else if (event.key === 'Enter' && this.chosen >= 0) this.open(this.chosen);
    else if (event.key === 'p' && this.chosen >= 0) this.play(this.chosen);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1.5);
    else if (event.key === '-') this.zoomBy(1 / 1.5);
    else if (event.key === '0') this.look(0.5, 0.5, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {number} factor @param {number} [x] the pixel that stays, by keys that of what is chosen @param {number} [y]
   */
  zoomBy(factor, x, y) {
    const { model } = this;
    const [ax, ay] = this.chosen >= 0 ? model.at(model.points[this.chosen]) : model.middle;
    model.zoomBy(factor, x ?? ax, y ?? ay);
    this.draw();
  }

  /** @param {number} x @param {number} y @param {number} zoom */
  look(x, y, zoom) {
    this.model.look(x, y, zoom);
    this.draw();
  }

  /**
   * To the nearest track in a direction.
   * @param {number} dx @param {number} dy
   */
  step(dx, dy) {
    const { model } = this;
    if (this.chosen < 0) return this.choose(model.near(...model.middle, Infinity), true);
    const next = model.next(this.chosen, dx, dy);
    if (next < 0) return;
    this.choose(next, true);
    const point = model.points[next];
    if (!model.isInside(model.at(point))) this.look(point.x, point.y, model.view.zoom);
  }

  /** @param {number} index @param {boolean} [isHeld] */
  choose(index, isHeld = false) {
    this.isHeld = isHeld && index >= 0;
    this.acts.hidden = !this.isHeld;
    if (index === this.chosen) return;
    this.chosen = index;
    const point = this.model.points[index];
    this.canvas.style.cursor = point ? 'pointer' : 'grab';
    if (point && this.canvas.matches(':focus')) setText(this.spoken, nameOf(point));
    this.draw();
  }

  /** @param {number} index */
  open(index) {
    go(`/track/${this.model.points[index].id}`);
  }

  /** @param {number} index */
  play(index) {
    player.begin(this.model.points[index], 0, true);
  }

  // MARK: Drawing

  render() {
    const { model, model: { points, size: { width, height } } } = this;
    if (!width || !height) return;
    const { context, ratio } = prepare(this.canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const colours = palette.peek();
    const radius = Math.min(6, Math.max(1.5, 60 / Math.sqrt(points.length + 1)) * model.view.zoom ** 0.25);
    const playing = player.track.peek()?.id;
    const meaning = settings.mapColour.peek();
    const fills = Array.from({ length: shadeCount }, (_, i) => colourOf(colours, meaning, i, 0.9));
    context.strokeStyle = css(colours.over(colours.ink3));
    context.lineWidth = 1.5;
    let isAnyUnknown = false;
    for (const point of points) {
      const shade = shadeOf(point, meaning);
      if (shade < 0) isAnyUnknown = true;
      const [x, y] = model.at(point);
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) continue;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      if (shade < 0) {
        context.stroke();
        continue;
      }
      context.fillStyle = fills[shade];
      context.fill();
    }
    this.unknown.hidden = !isAnyUnknown;
    context.strokeStyle = context.fillStyle = css(colours.over(colours.ink));
    for (const point of points) if (point.id === playing) this.ring(context, point, radius + 4, 1);
    const chosen = points[this.chosen];
    if (chosen) this.ring(context, chosen, radius + 3, 2);
    this.showChip(chosen, radius);
  }

  /** @param {CanvasRenderingContext2D} context @param {MapPoint} point @param {number} radius @param {number} width */
  ring(context, point, radius, width) {
    const [x, y] = this.model.at(point);
    context.lineWidth = width;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }

  /** @param {MapPoint | undefined} point @param {number} radius */
  showChip(point, radius) {
    this.chip.hidden = !point;
    if (!point) return;
    setText(this.chip, nameOf(point));
    const [x, y] = this.model.at(point);
    const width = this.chip.offsetWidth;
    const isRight = x + 12 + width > this.model.size.width;
    const left = Math.round(isRight ? x - radius - 10 - width : x + radius + 10);
    this.chip.style.transform = `translate(${left}px, ${Math.round(y - 14)}px)`;
  }
}
