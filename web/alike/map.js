/** The map: each track is a point, and neighbours sound alike. Its colour is its tempo, as `deadwax map` draws it, or where its spectrum has its centre. */

import { getJSON } from '../core/api.js';
import { Palette, css, palette, toRGB } from '../core/colour.js';
import { attribute, effect, h, perFrame, setText } from '../core/dom.js';
import { count, number, titleOf } from '../core/format.js';
import { go } from '../core/router.js';
import { settings } from '../core/settings.js';
import { keyText } from '../library/columns.js';
import { player } from '../player/player.js';
import { prepare } from '../wave/draw.js';

const margin = 28;
const reach = 14;
const mostZoom = 200;
const shadeCount = 8;

/** @typedef {{id: number, x: number, y: number, centroid_hz: number | null, title: string | null, artist: string | null, bpm: number | null}} Point places 0…1 */

/**
 * What the colours can mean: `ends` stand in the legend, `place` is 0…1 between them, null if it is not known.
 * @type {Record<'tempo' | 'centroid', {label: string, ends: [string, string], place: (point: Point) => number | null, hue: (colours: Palette, place: number) => import('../core/colour.js').Triple}>}
 */
const meanings = {
  tempo: {
    label: 'Tempo', ends: ['slow, 70 BPM', '170 BPM, fast'],
    place: ({ bpm }) => (bpm ? (bpm - 70) / 100 : null), hue: (colours, place) => colours.tempo(place),
  },
  centroid: {
    label: 'Centroid', ends: ['low, 147 Hz', '8.2 kHz, high'],
    place: ({ centroid_hz: hertz }) => (hertz ? Math.log(hertz / 147) / Math.log(8200 / 147) : null), hue: (colours, place) => colours.hue(147 * (8200 / 147) ** place),
  },
};

/** @param {Point} point @returns {number} 0…shadeCount − 1; −1 if what the colours mean is not known of it */
function shadeOf(point) {
  const place = meanings[settings.mapColour.peek()].place(point);
  return place === null ? -1 : Math.floor(Math.max(0, Math.min(1, place)) * (shadeCount - 1));
}

export class SoundMap {
  constructor() {
    this.label = 'Map';
    this.canvas = h('canvas', { tabIndex: 0, role: 'application', 'aria-label': 'Map of the library', 'aria-describedby': 'map-keys' });
    this.chip = h('div', { class: 'chip', hidden: true });
    this.spoken = h('p', { class: 'unseen', role: 'status' });
    this.note = h('p', { class: 'second tally' });
    const hands = matchMedia('(pointer: coarse)').matches ? 'Drag to move, pinch to zoom, tap a point for its name.' : 'Drag to move, wheel or + \u2212 to zoom, arrows go from track to track, Enter opens one, p plays it.';
    this.keys = h('p', { class: 'second', id: 'map-keys' }, `Neighbours sound alike. ${hands}`);
    this.acts = h('div', { class: 'buttons acts', hidden: true },
      h('button', { type: 'button', onclick: () => this.play(this.chosen) }, 'Play'), h('button', { type: 'button', onclick: () => this.open(this.chosen) }, 'Open'));
    this.frame = h('div', { class: 'map-frame' }, this.canvas, this.chip, this.acts);
    this.unknown = h('span', { class: 'unknown', hidden: true }, h('i'), ' not known');
    this.plane = h('div', { class: 'plane' }, h('div', { class: 'tools' }, this.note, this.keys), this.frame,
      h('div', { class: 'tools below' }, this.legend(), this.zooms()));
    this.empty = h('div', { class: 'empty', hidden: true });
    this.element = h('section', { class: 'sight map', 'aria-label': 'Map' }, this.plane, this.empty, this.spoken);
    /** @type {Point[]} */
    this.points = [];
    this.chosen = -1;
    this.query = '';
    /** What is in the middle, and how much larger than the whole. */
    this.view = { x: 0.5, y: 0.5, zoom: 1 };
    this.turn = 0;
    this.size = { width: 0, height: 0 };
    /** Whether the chosen point stays chosen when the pointer goes: keys and fingers do not hover. */
    this.isHeld = false;
    this.draw = perFrame(() => this.render());
    new ResizeObserver(() => {
      this.size = { width: this.frame.clientWidth, height: this.frame.clientHeight };
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
    const choices = Object.entries(meanings).map(([name, { label }]) => {
      const button = h('button', { type: 'button', class: 'word', onclick: () => (settings.mapColour.value = /** @type {any} */ (name)) }, label);
      effect(() => attribute(button, 'aria-pressed', String(settings.mapColour.value === name)));
      return button;
    });
    const [low, high] = [h('span'), h('span')];
    const shades = Array.from({ length: shadeCount }, () => h('i'));
    effect(() => {
      const { ends, hue } = meanings[settings.mapColour.value];
      setText(low, ends[0]);
      setText(high, ends[1]);
      shades.forEach((shade, i) => (shade.style.background = css(palette.value.over(toRGB(hue(palette.value, i / (shadeCount - 1)))))));
    });
    return h('div', { class: 'legend', role: 'group', 'aria-label': 'Colours' }, choices, h('p', { class: 'second' }, low, h('span', { class: 'shades', 'aria-hidden': 'true' }, shades), high), this.unknown);
  }

  zooms() {
    const zoom = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) => h('button', { type: 'button', 'aria-label': name, onclick: act }, sign);
    return h('div', { class: 'buttons zooms', role: 'group', 'aria-label': 'Zoom' }, zoom('\u2212', 'Zoom out', () => this.zoomBy(1 / 1.5, ...this.anchor())),
      zoom('+', 'Zoom in', () => this.zoomBy(1.5, ...this.anchor())), zoom('Whole', 'Whole map', () => this.look(0.5, 0.5, 1)));
  }

  /** @param {string} query */
  async show(query) {
    const turn = (this.turn += 1);
    const answer = await getJSON('/map', { q: query }).catch((error) => ({ rows: [], total: 0, error }));
    if (turn !== this.turn) return;
    const id = query === this.query ? this.points[this.chosen]?.id : undefined;
    this.query = query;
    this.points = answer.rows;
    this.choose(this.points.findIndex((point) => point.id === id), this.isHeld);
    setText(this.note, answer.total > answer.rows.length ? `${number(answer.rows.length)} of ${count(answer.total, 'track')}` : count(answer.total, 'track'));
    this.plane.hidden = !this.points.length;
    this.empty.hidden = this.points.length > 0;
    const [sentence, way] = answer.error ? [answer.error.message, ''] : [query ? 'No track like that is on the map.' : 'The map is empty.', 'Tracks are compared by their sound when they are scanned; “deadwax reanalyze --missing” does it for those that were scanned by an older version.'];
    this.empty.replaceChildren(h('p', { class: 'etch' }, sentence), h('p', {}, way));
    this.draw();
  }

  hide() {
    this.turn += 1;
    this.dragged = null;
  }

  // MARK: Places

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
        const isTouch = event.pointerType === 'touch';
        if (index >= 0 && (!isTouch || index === this.chosen)) this.open(index);
        else this.choose(index, isTouch);
      }
      this.dragged = null;
    });
    canvas.addEventListener('pointercancel', (/** @type {PointerEvent} */ event) => this.fingers?.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.isHeld || this.choose(-1));
    canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    canvas.addEventListener('focus', () => this.chosen < 0 && canvas.matches(':focus-visible') && this.choose(this.near(this.size.width / 2, this.size.height / 2, Infinity), true));
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
    else if (event.key === 'p' && this.chosen >= 0) this.play(this.chosen);
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
    if (!from) return this.choose(this.near(this.size.width / 2, this.size.height / 2, Infinity), true);
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
    this.choose(best, true);
    const [px, py] = this.at(this.points[best]);
    const { width, height } = this.size;
    if (px < 0 || py < 0 || px > width || py > height) this.look(this.points[best].x, this.points[best].y, this.view.zoom);
  }

  /** @param {number} index @param {boolean} [isHeld] */
  choose(index, isHeld = false) {
    this.isHeld = isHeld && index >= 0;
    this.acts.hidden = !this.isHeld;
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

  /** @param {number} index */
  play(index) {
    player.begin(this.points[index], 0, true);
  }

  // MARK: Drawing

  render() {
    const { width, height } = this.size;
    if (!width || !height) return;
    const { context, ratio } = prepare(this.canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const colours = palette.peek();
    const radius = Math.min(6, Math.max(1.5, 60 / Math.sqrt(this.points.length + 1)) * this.view.zoom ** 0.25);
    const playing = player.track.peek()?.id;
    const { hue } = meanings[settings.mapColour.peek()];
    const fills = Array.from({ length: shadeCount }, (_, i) => css(colours.over(toRGB(hue(colours, i / (shadeCount - 1))), 0.9)));
    context.strokeStyle = css(colours.over(colours.ink3));
    context.lineWidth = 1.5;
    let isAnyUnknown = false;
    for (const point of this.points) {
      const shade = shadeOf(point);
      if (shade < 0) isAnyUnknown = true;
      const [x, y] = this.at(point);
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
    for (const point of this.points) if (point.id === playing) this.ring(context, point, radius + 4, 1);
    const chosen = this.points[this.chosen];
    if (chosen) this.ring(context, chosen, radius + 3, 2);
    this.showChip(chosen, radius);
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
