/** Spectrograms on a canvas: the stored one of the whole track below, finer tiles over it where they are here. */

import { tileColumns } from '../data/spectrogram.js';
import { prepare } from './canvas.js';

/** @typedef {import('../data/spectrogram.js').Spectrogram} Spectrogram */
/** @typedef {import('../data/spectrogram.js').Tile} Tile */
/** @typedef {import('./colour.js').Palette} Palette */

/** A picture is never wider than this. */
const widest = 4096;
/** @type {WeakMap<Tile, {canvas: HTMLCanvasElement, palette: Palette}>} Whole tiles in the colours of a theme. */
const pictures = new WeakMap();

/**
 * Draws a part of a spectrogram; tiles that it lacks are asked for.
 * @param {HTMLCanvasElement} canvas @param {Spectrogram} spectrogram @param {Palette} palette
 * @param {{start: number, zoom: number}} part `start`: frame at the left edge; `zoom`: frames a CSS pixel
 */
export function drawSpectrogram(canvas, spectrogram, palette, { start, zoom }) {
  const { context, width, height, ratio } = prepare(canvas);
  const { stored } = spectrogram;
  context.clearRect(0, 0, width, height);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  const size = zoom / ratio;
  const place = (/** @type {Tile} */ tile) => {
    const from = Math.max(0, Math.floor((start - tile.first) / tile.size) - 1);
    const to = Math.min(tile.columns, Math.ceil((start + width * size - tile.first) / tile.size) + 1);
    for (let at = from; at < to; at += widest) {
      const count = Math.min(widest, to - at);
      const isWhole = tile.columns <= widest;
      const source = isWhole ? pictureOf(tile, palette) : picture(tile, palette, at, count);
      const x = (tile.first + at * tile.size - start) / size;
      context.drawImage(source, isWhole ? at : 0, 0, count, tile.bands, x, 0, (count * tile.size) / size, height);
    }
  };
  if (stored) place(stored);
  const column = 2 ** Math.max(8, Math.floor(Math.log2(Math.max(1, zoom * 2))));
  if (!stored || column > stored.size / 2) return;
  const span = column * tileColumns;
  const end = Math.min(spectrogram.track.frames, start + width * size);
  for (let index = Math.max(0, Math.floor(start / span)); index * span < end; index += 1) {
    const tile = spectrogram.tile(column, index);
    if (tile) place(tile);
  }
}

/** @param {Tile} tile @param {Palette} palette */
function pictureOf(tile, palette) {
  const known = pictures.get(tile);
  if (known?.palette === palette) return known.canvas;
  const canvas = picture(tile, palette, 0, tile.columns);
  pictures.set(tile, { canvas, palette });
  return canvas;
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
    for (let column = 0; column < count; column += 1) {
      pixels[row + column] = colours[steps[(from + column) * bands + band]];
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
