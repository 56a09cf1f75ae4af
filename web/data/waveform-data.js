/** What is drawn of one track: peaks at every zoom, and levels of three bands. */

import { getBytes } from '../core/api.js';
import { getPCM } from './pcm.js';

/** Points that are asked for at once, and how many answers are kept, when drawing finer than what is stored. */
const chunkPoints = 2048;
const chunksKept = 160;
/** Frames a point of the finer levels; the last one is the samples themselves. */
const finerZooms = [64, 16, 4, 1];

/** @param {number} zoom frames a pixel @returns {number} frames a point */
function finerSize(zoom) {
  for (const size of finerZooms) if (size <= zoom) return size;
  return 1;
}

/** Minima and maxima, from the stored resolution to ever coarser ones. */
export class Peaks {
  /** @param {number} zoom frames a point @param {Int8Array} pairs minimum, maximum */
  constructor(zoom, pairs) {
    this.zoom = zoom;
    /** Each level has a quarter of the points of the one before. */
    this.levels = [pairs];
    while (pairs.length > 2048) this.levels.push((pairs = coarser(pairs)));
  }

  /**
   * The finest level that has at least one point in `frames`.
   * @param {number} frames
   */
  levelFor(frames) {
    const level = Math.floor(Math.log(Math.max(1, frames / this.zoom)) / Math.log(4) + 1e-9);
    return Math.min(level, this.levels.length - 1);
  }
}

/** @param {Int8Array} pairs */
function coarser(pairs) {
  const count = pairs.length / 2;
  const result = new Int8Array(Math.ceil(count / 4) * 2);
  for (let i = 0; i < result.length / 2; i += 1) {
    let [low, high] = [127, -128];
    for (let k = 4 * i; k < Math.min(count, 4 * i + 4); k += 1) {
      low = Math.min(low, pairs[2 * k]);
      high = Math.max(high, pairs[2 * k + 1]);
    }
    result[2 * i] = low;
    result[2 * i + 1] = high;
  }
  return result;
}

export class WaveformData {
  /** @param {number} id @param {number} rate @param {number} frames */
  constructor(id, rate, frames) {
    this.id = id;
    this.rate = rate;
    this.frames = frames;
    /** @type {Peaks | null} */
    this.peaks = null;
    /**
     * Steps: whole, low, mid, high for each point.
     * @type {Uint8Array | null}
     */
    this.bands = null;
    this.bandZoom = 1024;
    /**
     * Least recently used first.
     * @type {Map<string, Int16Array | 'asked'>}
     */
    this.chunks = new Map();
    /** The chunk that was looked at last: neighbouring pixels look at the same. */
    this.latest = { size: 0, index: -1, points: /** @type {Int16Array | null} */ (null) };
    /**
     * Called when something new can be drawn.
     * @type {Set<() => void>}
     */
    this.watchers = new Set();
  }

  async load() {
    await Promise.allSettled([this.loadPeaks(), this.loadBands()]);
    return this;
  }

  async loadPeaks() {
    const view = await getBytes(`/tracks/${this.id}/waveform.dat`);
    const version = view.getInt32(0, true);
    this.peaks = new Peaks(view.getInt32(12, true), new Int8Array(view.buffer, version === 2 ? 24 : 20));
    this.changed();
  }

  async loadBands() {
    const view = await getBytes(`/tracks/${this.id}/bands`);
    this.bandZoom = view.getUint32(4, true);
    this.bands = new Uint8Array(view.buffer, 12);
    this.changed();
  }

  changed() {
    for (const watcher of this.watchers) watcher();
  }

  /**
   * Minimum and maximum of a range, full scale ±1, from the finest data that is here; asks for finer ones where they
   * lack.
   * @param {number} start frame @param {number} end frame @param {number} zoom frames a pixel
   * @param {[number, number]} into
   * @returns {boolean} whether anything is known
   */
  range(start, end, zoom, into) {
    if (zoom < (this.peaks?.zoom ?? 256) && this.finerRange(start, end, zoom, into)) return true;
    const { peaks } = this;
    if (!peaks) return false;
    const level = peaks.levelFor(zoom);
    const size = peaks.zoom * 4 ** level;
    const pairs = peaks.levels[level];
    const last = pairs.length / 2 - 1;
    let [low, high] = [127, -128];
    const to = Math.min(last, Math.max(Math.floor(start / size), Math.ceil(end / size) - 1));
    for (let i = Math.max(0, Math.floor(start / size)); i <= to; i += 1) {
      if (pairs[2 * i] < low) low = pairs[2 * i];
      if (pairs[2 * i + 1] > high) high = pairs[2 * i + 1];
    }
    if (low > high) return false;
    into[0] = low / 128;
    into[1] = (high + (high > 0 ? 1 : 0)) / 128;
    return true;
  }

  /** @param {number} start @param {number} end @param {number} zoom @param {[number, number]} into */
  finerRange(start, end, zoom, into) {
    const size = finerSize(zoom);
    let [low, high] = [32767, -32768];
    const to = Math.max(Math.floor(start / size), Math.ceil(end / size) - 1);
    for (let i = Math.max(0, Math.floor(start / size)); i <= to; i += 1) {
      const chunk = this.chunk(size, Math.floor(i / chunkPoints));
      if (!chunk) return false;
      const at = 2 * (i % chunkPoints);
      if (at >= chunk.length) break;
      if (chunk[at] < low) low = chunk[at];
      if (chunk[at + 1] > high) high = chunk[at + 1];
    }
    if (low > high) return false;
    into[0] = low / 32768;
    into[1] = high / 32768;
    return true;
  }

  /**
   * One sample of the mix, full scale ±1; null until it is here.
   * @param {number} frame
   */
  sample(frame) {
    const chunk = this.chunk(1, Math.floor(frame / chunkPoints));
    return chunk ? chunk[2 * (frame % chunkPoints)] / 32768 : null;
  }

  /** @param {number} size frames a point @param {number} index @returns {Int16Array | null} */
  chunk(size, index) {
    if (this.latest.size !== size || this.latest.index !== index) {
      this.latest = { size, index, points: this.find(size, index) };
    }
    return this.latest.points;
  }

  /** @param {number} size frames a point @param {number} index @returns {Int16Array | null} */
  find(size, index) {
    const start = index * chunkPoints * size;
    if (index < 0 || start >= this.frames) return null;
    const key = size + ':' + index;
    const found = this.chunks.get(key);
    if (found === 'asked') return null;
    if (found) {
      this.chunks.delete(key);
      this.chunks.set(key, found);
      return found;
    }
    this.chunks.set(key, 'asked');
    this.askChunk(key, size, start);
    return null;
  }

  /** @param {string} key @param {number} zoom @param {number} start */
  async askChunk(key, zoom, start) {
    try {
      this.chunks.set(key, zoom === 1 ? await this.samples(start) : await this.points(zoom, start));
    } catch {
      setTimeout(() => this.forget(key), 2000);
    }
    this.latest.size = 0;
    for (const old of this.chunks.keys()) {
      if (this.chunks.size <= chunksKept) break;
      this.chunks.delete(old);
    }
    this.changed();
  }

  /** @param {string} key of a chunk that can be asked for again */
  forget(key) {
    this.chunks.delete(key);
    this.latest.size = 0;
  }

  /**
   * @param {number} zoom
   * @param {number} start
   */
  async points(zoom, start) {
    const view = await getBytes(`/tracks/${this.id}/waveform.dat`, { zoom, bits: 16, start, points: chunkPoints });
    return new Int16Array(view.buffer.slice(view.getInt32(0, true) === 2 ? 24 : 20));
  }

  /**
   * Single samples of the mix, as pairs of one value.
   * @param {number} start
   */
  async samples(start) {
    const { planes } = await getPCM(this.id, start, chunkPoints);
    return Int16Array.from({ length: 2 * planes[0].length }, (_, i) => {
      const sum = planes.reduce((sum, plane) => sum + plane[i >> 1], 0);
      return Math.max(-32768, Math.min(32767, Math.round((32768 * sum) / planes.length)));
    });
  }

  /**
   * Mean powers of a range as steps: whole, low, mid, high.
   * @param {number} start frame @param {number} end frame @param {Uint8Array} into
   */
  levels(start, end, into) {
    const { bands, bandZoom } = this;
    if (!bands || !bands.length) return false;
    const last = bands.length / 4 - 1;
    const from = Math.min(last, Math.max(0, Math.floor(start / bandZoom)));
    const to = Math.min(last, Math.max(from, Math.ceil(end / bandZoom) - 1));
    if (from === to) {
      for (let k = 0; k < 4; k += 1) into[k] = bands[4 * from + k];
      return true;
    }
    // Of many points a sixteenth is enough to see their mean.
    const stride = Math.max(1, Math.floor((to - from) / 16));
    for (let k = 0; k < 4; k += 1) {
      let [sum, count] = [0, 0];
      for (let i = from; i <= to; i += stride, count += 1) sum += stepPower[bands[4 * i + k]];
      into[k] = powerStep(sum / count);
    }
    return true;
  }
}

/** The power of a step, −120 + 0.5 · step dB. */
export const stepPower = Float64Array.from({ length: 256 }, (_, step) => (step ? 10 ** ((-120 + step / 2) / 10) : 0));
/** @param {number} power */
const powerStep = (power) => (power <= 1e-12 ? 0 : Math.min(255, Math.round((10 * Math.log10(power) + 120) * 2)));
/**
 * The amplitude of a step.
 * @param {number} step
 */
export const stepAmplitude = (step) => Math.sqrt(stepPower[step]);

/** @type {Map<number, Promise<WaveformData>>} */
const waveforms = new Map();

/**
 * The waveform of a track; the last eight stay.
 * @param {number} id @param {number} rate @param {number} frames @returns {Promise<WaveformData>}
 */
export function waveformFor(id, rate, frames) {
  const found = waveforms.get(id) ?? new WaveformData(id, rate, frames).load();
  waveforms.delete(id);
  waveforms.set(id, found);
  for (const old of waveforms.keys()) {
    if (waveforms.size <= 8) break;
    waveforms.delete(old);
  }
  return found;
}
