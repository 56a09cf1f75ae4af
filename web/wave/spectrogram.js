/** Spectrograms: the stored one of a whole track, and finer tiles of what is looked at. */

import { getBytes } from '../core/api.js';
import { prepare } from './draw.js';

/** @typedef {import('./sound.js').Sound} Sound @typedef {import('../core/colour.js').Palette} Palette */
/** @typedef {{first: number, size: number, columns: number, bands: number, edges: Float32Array, steps: Uint8Array, picture?: HTMLCanvasElement, palette?: Palette}} Tile */

const tileColumns = 256;
const tilesKept = 48;
/** A canvas is never wider than this. */
const widest = 4096;

export class Spectrogram {
  /** @param {Sound} sound */
  constructor(sound) {
    this.sound = sound;
    /** @type {Tile | null} */
    this.stored = null;
    /** @type {Map<string, Tile | 'asked'>} */
    this.tiles = new Map();
    this.watcher = () => {};
    this.load();
  }

  async load() {
    try {
      this.stored = read(await getBytes(`/tracks/${this.sound.id}/spectrogram`, { zoom: 0 }));
    } catch {
      return;
    }
    this.watcher();
  }

  /**
   * Where the stored spectrogram is at a frame; null if it is not known.
   * @param {number} frame
   */
  columnAt(frame) {
    const tile = this.stored;
    if (!tile) return null;
    const column = Math.max(0, Math.min(tile.columns - 1, Math.floor((frame - tile.first) / tile.size)));
    return { tile, column };
  }

  /**
   * Level of the stored spectrogram in dB; null if it is not known.
   * @param {number} frame @param {number} hertz
   */
  levelAt(frame, hertz) {
    const tile = this.stored;
    if (!tile) return null;
    const band = tile.edges.findIndex((edge) => edge > hertz) - 1;
    const column = Math.floor((frame - tile.first) / tile.size);
    if (band < 0 || column < 0 || column >= tile.columns) return null;
    return -120 + tile.steps[column * tile.bands + band] / 2;
  }

  /** @param {HTMLCanvasElement} canvas @param {Palette} palette @param {{start: number, zoom: number}} part frames, frames a CSS pixel */
  draw(canvas, palette, { start, zoom }) {
    const { context, width, height, ratio } = prepare(canvas);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    const size = zoom / ratio;
    const place = (/** @type {Tile} */ tile) => {
      const from = Math.max(0, Math.floor((start - tile.first) / tile.size) - 1);
      const to = Math.min(tile.columns, Math.ceil((start + width * size - tile.first) / tile.size) + 1);
      for (let at = from; at < to; at += widest) {
        const count = Math.min(widest, to - at);
        const source = tile.columns <= widest ? pictureOf(tile, palette) : picture(tile, palette, at, count);
        const x = (tile.first + at * tile.size - start) / size;
        context.drawImage(source, tile.columns <= widest ? at : 0, 0, count, tile.bands, x, 0, (count * tile.size) / size, height);
      }
    };
    if (this.stored) place(this.stored);
    const column = 2 ** Math.max(8, Math.floor(Math.log2(Math.max(1, zoom * 2))));
    if (!this.stored || column > this.stored.size / 2) return;
    const span = column * tileColumns;
    for (let index = Math.max(0, Math.floor(start / span)); index * span < Math.min(this.sound.frames, start + width * size); index += 1) {
      const tile = this.tile(column, index);
      if (tile) place(tile);
    }
  }

  /** @param {number} zoom frames a column @param {number} index */
  tile(zoom, index) {
    const key = `${zoom}:${index}`;
    const found = this.tiles.get(key);
    if (found === undefined) this.ask(key, zoom, index);
    if (found === undefined || found === 'asked') return null;
    this.tiles.delete(key);
    this.tiles.set(key, found);
    return found;
  }

  /** @param {string} key @param {number} zoom @param {number} index */
  async ask(key, zoom, index) {
    this.tiles.set(key, 'asked');
    const start = index * tileColumns * zoom;
    try {
      this.tiles.set(key, read(await getBytes(`/tracks/${this.sound.id}/spectrogram`, { start, zoom, columns: tileColumns })));
    } catch {
      setTimeout(() => this.tiles.delete(key), 5000);
    }
    for (const old of this.tiles.keys()) {
      if (this.tiles.size <= tilesKept) break;
      this.tiles.delete(old);
    }
    this.watcher();
  }
}

/** @param {DataView} view @returns {Tile} */
function read(view) {
  const [bands, columns] = [view.getUint32(4, true), view.getUint32(8, true)];
  const edges = new Float32Array(view.buffer, 32, bands + 1);
  const steps = new Uint8Array(view.buffer, 32 + 4 * (bands + 1), bands * columns);
  return { first: view.getFloat64(16, true), size: view.getFloat64(24, true), columns, bands, edges, steps };
}

/** @param {Tile} tile @param {Palette} palette */
function pictureOf(tile, palette) {
  if (!tile.picture || tile.palette !== palette) {
    tile.picture = picture(tile, palette, 0, tile.columns);
    tile.palette = palette;
  }
  return tile.picture;
}

/**
 * A pixel a column and band.
 * @param {Tile} tile @param {Palette} palette @param {number} from @param {number} count
 */
function picture(tile, palette, from, count) {
  const { bands, edges, steps } = tile;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, count);
  canvas.height = bands;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(canvas.width, bands);
  const pixels = new Uint32Array(image.data.buffer);
  for (let band = 0; band < bands; band += 1) {
    const colours = palette.levels(Math.sqrt(edges[band] * edges[band + 1]));
    const row = (bands - 1 - band) * canvas.width;
    for (let column = 0; column < count; column += 1) pixels[row + column] = colours[steps[(from + column) * bands + band]];
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** @type {WeakMap<Sound, Spectrogram>} */
const spectrograms = new WeakMap();

/** @param {Sound} sound @returns {Spectrogram} */
export function spectrogramOf(sound) {
  const found = spectrograms.get(sound) ?? new Spectrogram(sound);
  spectrograms.set(sound, found);
  return found;
}
