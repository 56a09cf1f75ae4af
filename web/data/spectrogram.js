/** Spectrograms: the stored one of a whole track, and finer tiles of what is looked at. */

import { getBytes } from '../core/api.js';

/** @typedef {{id: number, frames: number}} Track as its waveform data has it */
/**
 * Columns of levels from the frame `first` on, each of `size` frames; `steps` column by column, lowest band first.
 * @typedef {{first: number, size: number, columns: number, bands: number, edges: Float32Array, steps: Uint8Array}} Tile
 */

/** Columns of a tile. */
export const tileColumns = 256;
const tilesKept = 48;

export class Spectrogram {
  /** @param {Track} track */
  constructor(track) {
    this.track = track;
    /** @type {Tile | null} */
    this.stored = null;
    /** @type {Map<string, Tile | 'asked'>} */
    this.tiles = new Map();
    this.watcher = () => {};
    this.load();
  }

  async load() {
    try {
      this.stored = read(await getBytes(`/tracks/${this.track.id}/spectrogram`, { zoom: 0 }));
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
      const part = { start, zoom, columns: tileColumns };
      this.tiles.set(key, read(await getBytes(`/tracks/${this.track.id}/spectrogram`, part)));
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

/** @type {WeakMap<Track, Spectrogram>} */
const spectrograms = new WeakMap();

/** @param {Track} track @returns {Spectrogram} */
export function spectrogramOf(track) {
  const found = spectrograms.get(track) ?? new Spectrogram(track);
  spectrograms.set(track, found);
  return found;
}
