/** The map: each track is a point, and neighbours sound alike. The hue of a point is where its spectrum has its centre. */

import { getJSON } from '../core/api.js';
import { css, palette, toRGB } from '../core/colour.js';
import { effect, h, perFrame, setText } from '../core/dom.js';
import { count, number, titleOf } from '../core/format.js';
import { go } from '../core/router.js';
import { keyText } from '../library/columns.js';
import { player } from '../player/player.js';

const margin = 28;
const reach = 14;
const mostZoom = 200;

/** @typedef {{id: number, x: number, y: number, centroid_hz: number | null, title: string | null, artist: string | null, bpm: number | null}} Point places 0…1 */

export class SoundMap {
  constructor() {
    this.label = 'Map';
    this.canvas = h('canvas', { tabIndex: 0, role: 'application', 'aria-label': 'Map of the library', 'aria-describedby': 'map-keys' });
    this.chip = h('div', { class: 'chip', hidden: true });
    this.spoken = h('p', { class: 'unseen', role: 'status' });
    this.note = h('p', { class: 'second tally' });
    this.keys = h('p', { class: 'second', id: 'map-keys' }, 'Neighbours sound alike. Drag to move, wheel or + \u2212 to zoom, arrows go from track to track, Enter opens one, p plays it.');
    this.frame = h('div', { class: 'map-frame' }, this.canvas, this.chip);
    this.element = h('section', { class: 'sight map', 'aria-label': 'Map' }, h('div', { class: 'tools' }, this.note, this.keys), this.frame, this.spoken);
    /** @type {Point[]} */
    this.points = [];
    this.chosen = -1;
    this.query = '';
    /** What is in the middle, and how much larger than the whole. */
    this.view = { x: 0.5, y: 0.5, zoom: 1 };
    this.turn = 0;
    this.draw = perFrame(() => this.render());
    new ResizeObserver(() => this.draw()).observe(this.frame);
    effect(() => {
      palette.value;
      player.track.value;
      this.draw();
    });
    this.listen();
  }

  /** @param {string} query */
  async show(query) {
    const turn = (this.turn += 1);
    const answer = await getJSON('/map', { q: query }).catch((error) => ({ rows: [], total: 0, error }));
    if (turn !== this.turn) return;
    if (query !== this.query) this.chosen = -1;
    this.query = query;
    this.points = answer.rows;
    this.chip.hidden = true;
    setText(this.note, answer.error?.message ?? (answer.total > answer.rows.length ? `${number(answer.rows.length)} of ${count(answer.total, 'track')}` : answer.total ? count(answer.total, 'track') : 'No track like that has been compared. “deadwax reanalyze --missing” does it for libraries of older versions.'));
    this.draw();
  }

  hide() {
    this.turn += 1;
    this.dragged = null;
  }

  // MARK: Places

  get size() {
    return { width: this.frame.clientWidth, height: this.frame.clientHeight };
  }

  /** @param {Point} point @returns {[number, number]} in pixels */
  at(point) {
    const { width, height } = this.size;
    return [
      width / 2 + (point.x - this.view.x) * (width - 2 * margin) * this.view.zoom,
      height / 2 + (point.y - this.view.y) * (height - 2 * margin) * this.view.zoom,
    ];
  }

  /**
   * The nearest point to a pixel within reach; −1 if there is none.
   * @param {number} x @param {number} y @param {number} [limit]
   */
  near(x, y, limit = reach) {
    let [best, distance] = [-1, limit];
    this.points.forEach((point, i) => {
      const [px, py] = this.at(point);
      const own = Math.hypot(px - x, py - y);
      if (own < distance) [best, distance] = [i, own];
    });
    return best;
  }

  /** @param {number} factor @param {number} [x] the pixel that stays @param {number} [y] */
  zoomBy(factor, x = this.size.width / 2, y = this.size.height / 2) {
    const { width, height } = this.size;
    const zoom = Math.min(mostZoom, Math.max(1, this.view.zoom * factor));
    const [dx, dy] = [(x - width / 2) / (width - 2 * margin), (y - height / 2) / (height - 2 * margin)];
    this.look(this.view.x + dx / this.view.zoom - dx / zoom, this.view.y + dy / this.view.zoom - dy / zoom, zoom);
  }

  /** @param {number} x @param {number} y @param {number} zoom */
  look(x, y, zoom) {
    const slack = 0.5 / zoom;
    const held = (/** @type {number} */ value) => Math.min(Math.max(value, Math.min(0.5, slack)), Math.max(0.5, 1 - slack));
    this.view = { x: held(x), y: held(y), zoom };
    this.draw();
  }

  // MARK: Hands

  listen() {
    const { canvas } = this;
    canvas.addEventListener('wheel', (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      const [x, y] = this.pixel(event);
      this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 16 : 1) * 0.0016), x, y);
    }, { passive: false });
    /** @type {Map<number, [number, number]>} */
    this.fingers = new Map();
    canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers?.set(event.pointerId, this.pixel(event));
      this.dragged = { moved: 0 };
    });
    canvas.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.moved(event));
    canvas.addEventListener('pointerup', (/** @type {PointerEvent} */ event) => {
      this.fingers?.delete(event.pointerId);
      const [x, y] = this.pixel(event);
      if (this.dragged && this.dragged.moved < 5) {
        const index = this.near(x, y, event.pointerType === 'touch' ? 2 * reach : reach);
        // A finger has no hover: its first touch says the name.
        if (index >= 0 && (event.pointerType !== 'touch' || index === this.chosen)) this.open(index);
        else this.choose(index);
      }
      this.dragged = null;
    });
    canvas.addEventListener('pointercancel', (/** @type {PointerEvent} */ event) => this.fingers?.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => !canvas.matches(':focus-visible') && this.choose(-1));
    canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    canvas.addEventListener('focus', () => this.chosen < 0 && canvas.matches(':focus-visible') && this.choose(this.near(this.size.width / 2, this.size.height / 2, Infinity)));
  }

  /** @param {PointerEvent | WheelEvent} event @returns {[number, number]} */
  pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const [x, y] = this.pixel(event);
    const fingers = /** @type {Map<number, [number, number]>} */ (this.fingers);
    const before = fingers.get(event.pointerId);
    if (!before || !this.dragged) return this.choose(this.near(x, y));
    const { width, height } = this.size;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (/** @type {[number, number]} */ [px, py]) => Math.max(20, Math.hypot(px - other[0], py - other[1]));
      this.zoomBy(spread([x, y]) / spread(before), other[0], other[1]);
    } else {
      this.look(this.view.x - (x - before[0]) / (width - 2 * margin) / this.view.zoom, this.view.y - (y - before[1]) / (height - 2 * margin) / this.view.zoom, this.view.zoom);
    }
    this.dragged.moved += Math.hypot(x - before[0], y - before[1]);
    fingers.set(event.pointerId, [x, y]);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[/** @type {keyof typeof directions} */ (event.key)];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) this.step(direction[0], direction[1]);
    else if (event.key === 'Enter' && this.chosen >= 0) this.open(this.chosen);
    else if (event.key === 'p' && this.chosen >= 0) player.begin(this.points[this.chosen], 0, true);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1.5, ...this.anchor());
    else if (event.key === '-') this.zoomBy(1 / 1.5, ...this.anchor());
    else if (event.key === '0') this.look(0.5, 0.5, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns {[number, number]} what zooming by keys keeps in its place */
  anchor() {
    return this.chosen >= 0 ? this.at(this.points[this.chosen]) : [this.size.width / 2, this.size.height / 2];
  }

  /**
   * To the nearest track in a direction: less than 45 degrees off it.
   * @param {number} dx @param {number} dy
   */
  step(dx, dy) {
    const from = this.points[this.chosen];
    if (!from) return this.choose(this.near(this.size.width / 2, this.size.height / 2, Infinity));
    const [x, y] = this.at(from);
    let [best, distance] = [-1, Infinity];
    this.points.forEach((point, i) => {
      const [px, py] = this.at(point);
      const along = (px - x) * dx + (py - y) * dy;
      const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      const cost = Math.hypot(along, 2 * across);
      if (i !== this.chosen && along > 0 && across <= along && cost < distance) [best, distance] = [i, cost];
    });
    if (best < 0) return;
    this.choose(best);
    const [px, py] = this.at(this.points[best]);
    const { width, height } = this.size;
    if (px < 0 || py < 0 || px > width || py > height) this.look(this.points[best].x, this.points[best].y, this.view.zoom);
  }

  /** @param {number} index */
  choose(index) {
    if (index === this.chosen) return;
    this.chosen = index;
    const point = this.points[index];
    this.canvas.style.cursor = point ? 'pointer' : 'grab';
    if (point && this.canvas.matches(':focus')) setText(this.spoken, this.nameOf(point));
    this.draw();
  }

  /** @param {any} point */
  nameOf(point) {
    return [titleOf(point), point.artist, point.bpm ? `${number(point.bpm, 0)} BPM` : '', keyText(point)].filter(Boolean).join(' \u00b7 ');
  }

  /** @param {number} index */
  open(index) {
    go(`/track/${this.points[index].id}`);
  }

  // MARK: Drawing

  render() {
    const { width, height } = this.size;
    const context = this.canvas.getContext('2d');
    if (!context || !width || !height) return;
    const scale = devicePixelRatio;
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    context.scale(scale, scale);
    const colours = palette.peek();
    const radius = Math.min(6, Math.max(1.5, 60 / Math.sqrt(this.points.length + 1)) * this.view.zoom ** 0.25);
    const playing = player.track.peek()?.id;
    for (const point of this.points) {
      const [x, y] = this.at(point);
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) continue;
      context.fillStyle = this.hue(point.centroid_hz, colours);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    }
    context.strokeStyle = context.fillStyle = css(colours.over(colours.ink));
    for (const point of this.points) if (point.id === playing) this.ring(context, point, radius + 4, 1);
    const chosen = this.points[this.chosen];
    if (chosen) this.ring(context, chosen, radius + 3, 2);
    this.showChip(chosen, radius);
  }

  /** @type {Map<number, string>} */
  hues = new Map();
  /** @type {any} */
  huesOf = null;

  /** @param {number | null} hertz @param {import('../core/colour.js').Palette} colours */
  hue(hertz, colours) {
    if (this.huesOf !== colours) [this.huesOf, this.hues] = [colours, new Map()];
    const key = hertz ? Math.round(24 * Math.log2(hertz)) : 0;
    const known = this.hues.get(key);
    if (known) return known;
    const made = hertz ? css(colours.over(toRGB(colours.hue(hertz)), 0.9)) : css(colours.over(colours.ink3));
    this.hues.set(key, made);
    return made;
  }

  /** @param {CanvasRenderingContext2D} context @param {Point} point @param {number} radius @param {number} width */
  ring(context, point, radius, width) {
    const [x, y] = this.at(point);
    context.lineWidth = width;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }

  /** @param {Point | undefined} point @param {number} radius */
  showChip(point, radius) {
    this.chip.hidden = !point;
    if (!point) return;
    setText(this.chip, this.nameOf(point));
    const [x, y] = this.at(point);
    const { width } = this.size;
    const isRight = x + 12 + this.chip.offsetWidth > width;
    this.chip.style.transform = `translate(${Math.round(isRight ? x - radius - 10 - this.chip.offsetWidth : x + radius + 10)}px, ${Math.round(y - 14)}px)`;
  }
}
