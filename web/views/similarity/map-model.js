/** The map without its picture: where points are, which one is near, and what their colours mean. */

/** @typedef {import('../../data/documents.js').MapPoint} MapPoint */

/** @typedef {import('../../drawing/colour.js').Palette} Palette */

/** Pixels between the map and its edges. */
const margin = 28;
const mostZoom = 200;
export const shadeCount = 8;

/**
 * What the colours can mean: `ends` stand in the legend, `place` is 0…1 between them, null if it is not known.
 * @type {Record<'tempo' | 'centroid', {
 *   label: string, ends: [string, string], place: (point: MapPoint) => number | null,
 *   hue: (colours: Palette, place: number) => import('../../drawing/colour.js').Triple,
 * }>}
 */
export const meanings = {
  tempo: {
    label: 'Tempo', ends: ['slow, 70 BPM', '170 BPM, fast'],
    place: ({ bpm }) => (bpm ? (bpm - 70) / 100 : null), hue: (colours, place) => colours.tempo(place),
  },
  centroid: {
    label: 'Centroid', ends: ['low, 147 Hz', '8.2 kHz, high'],
    place: ({ centroid_hz: hertz }) => (hertz ? Math.log(hertz / 147) / Math.log(8200 / 147) : null),
    hue: (colours, place) => colours.hue(147 * (8200 / 147) ** place),
  },
};

/**
 * The shade of a point, 0…shadeCount − 1; −1 if what the colours mean is not known of it.
 * @param {MapPoint} point @param {keyof typeof meanings} meaning
 */
export function shadeOf(point, meaning) {
  const place = meanings[meaning].place(point);
  return place === null ? -1 : Math.floor(Math.max(0, Math.min(1, place)) * (shadeCount - 1));
}

/** Points on a plane that is moved and zoomed. */
export class MapModel {
  constructor() {
    /** @type {MapPoint[]} */
    this.points = [];
    /** What is in the middle, and how much larger than the whole. */
    this.view = { x: 0.5, y: 0.5, zoom: 1 };
    /** In pixels. */
    this.size = { width: 0, height: 0 };
  }

  /** @returns {[number, number]} the middle, in pixels */
  get middle() {
    return [this.size.width / 2, this.size.height / 2];
  }

  /** @param {MapPoint} point @returns {[number, number]} in pixels */
  at(point) {
    const { view, size: { width, height } } = this;
    return [
      width / 2 + (point.x - view.x) * (width - 2 * margin) * view.zoom,
      height / 2 + (point.y - view.y) * (height - 2 * margin) * view.zoom,
    ];
  }

  /**
   * The nearest point to a pixel within a distance; −1 if there is none.
   * @param {number} x @param {number} y @param {number} limit
   */
  near(x, y, limit) {
    let [best, distance] = [-1, limit];
    this.points.forEach((point, i) => {
      const [px, py] = this.at(point);
      const own = Math.hypot(px - x, py - y);
      if (own < distance) [best, distance] = [i, own];
    });
    return best;
  }

  /**
   * The nearest point in a direction from another one: less than 45 degrees off it; −1 if there is none.
   * @param {number} from @param {number} dx @param {number} dy
   */
  next(from, dx, dy) {
    const [x, y] = this.at(this.points[from]);
    let [best, distance] = [-1, Infinity];
    this.points.forEach((point, i) => {
      const [px, py] = this.at(point);
      const along = (px - x) * dx + (py - y) * dy;
      const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      const cost = Math.hypot(along, 2 * across);
      if (i !== from && along > 0 && across <= along && cost < distance) [best, distance] = [i, cost];
    });
    return best;
  }

  /** @param {number} factor @param {number} x the pixel that stays where it is @param {number} y */
  zoomBy(factor, x, y) {
    const { view, size: { width, height } } = this;
    const zoom = Math.min(mostZoom, Math.max(1, view.zoom * factor));
    const [dx, dy] = [(x - width / 2) / (width - 2 * margin), (y - height / 2) / (height - 2 * margin)];
    this.look(view.x + dx / view.zoom - dx / zoom, view.y + dy / view.zoom - dy / zoom, zoom);
  }

  /** @param {number} dx pixels by which the points move @param {number} dy */
  pan(dx, dy) {
    const { view: { x, y, zoom }, size: { width, height } } = this;
    this.look(x - dx / (width - 2 * margin) / zoom, y - dy / (height - 2 * margin) / zoom, zoom);
  }

  /** @param {number} x what is in the middle @param {number} y @param {number} zoom */
  look(x, y, zoom) {
    const slack = 0.5 / zoom;
    const held = (/** @type {number} */ value) =>
      Math.min(Math.max(value, Math.min(0.5, slack)), Math.max(0.5, 1 - slack));
    this.view = { x: held(x), y: held(y), zoom };
  }

  /** @param {[number, number]} pixel */
  isInside([x, y]) {
    return x >= 0 && y >= 0 && x <= this.size.width && y <= this.size.height;
  }
}
