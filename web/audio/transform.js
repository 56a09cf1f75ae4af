/** The spectrum of what is heard: a Fourier transform of real samples, and the power in bands. */

import { makeEffects } from './effects.js';

/** @type {import('./effects.js').Exports | null} */
let effects = null;
/** @type {Promise<void> | null} */
let loading = null;

/** Loads what computes the transforms, the analyzers' own (Sources/WebEffects/WebSpectrum.swift). */
export function loadTransforms() {
  loading ??= makeEffects().then((made) => void (effects = made));
  // Not with each frame.
  loading.catch(() => setTimeout(() => (loading = null), 5000));
  return loading;
}

/**
 * The power in each bin of the last samples, under a window of Hann: a full-scale sine is 1, summed over the bins of
 * its peak.
 * @param {number[]} sizes of the transforms, powers of two @param {Float32Array} samples
 * @returns {Float32Array[] | null} valid until the next call; null while the transforms are being loaded
 */
export function powersOf(sizes, samples) {
  const loaded = effects;
  if (!loaded) {
    loadTransforms();
    return null;
  }
  const places = sizes.map((size) => {
    const place = loaded.dw_spectrum_samples(size);
    new Float32Array(loaded.memory.buffer, place, size).set(samples.subarray(samples.length - size));
    return loaded.dw_spectrum_powers(size);
  });
  // The memory may have grown after the first.
  return places.map((place, i) => new Float32Array(loaded.memory.buffer, place, sizes[i] / 2 + 1));
}

/**
 * Weighting A of IEC 61672-1, in dB.
 * @param {number} hertz
 */
export function weightingA(hertz) {
  const f = hertz * hertz;
  const middle = Math.sqrt((f + 107.65265 ** 2) * (f + 737.86223 ** 2));
  const ratio = (12194.217 ** 2 * f * f) / ((f + 20.598997 ** 2) * middle * (f + 12194.217 ** 2));
  return 20 * Math.log10(ratio) + 1.9997;
}

/**
 * Weighting C of IEC 61672-1, in dB.
 * @param {number} hertz
 */
export function weightingC(hertz) {
  const f = hertz * hertz;
  return 20 * Math.log10((12194.217 ** 2 * f) / ((f + 20.598997 ** 2) * (f + 12194.217 ** 2))) + 0.0619;
}

const weightings = { a: weightingA, c: weightingC, z: () => 0 };

/** Levels of bands that are evenly spaced by ear, with long transforms below 500 Hz and short ones above. */
export class BandLevels {
  static boundary = 500;

  /**
   * The samples that are needed at a rate: a third of a second.
   * @param {number} rate in Hz
   */
  static window(rate) {
    return rate > 50_000 ? 32_768 : 16_384;
  }

  /**
   * @param {number} rate in Hz
   * @param {{count?: number, low?: number, high?: number, weighting?: 'a' | 'c' | 'z'}} choice
   */
  constructor(rate, { count = 80, low = 100, high = 18_000, weighting = 'a' }) {
    this.edges = Float64Array.from({ length: count + 1 }, (_, i) => low * (high / low) ** (i / count));
    /** The long transform and the short one. */
    this.sizes = [BandLevels.window(rate), BandLevels.window(rate) / 4];
    this.rate = rate;
    const weigh = weightings[weighting];
    this.gains = Float64Array.from({ length: count }, (_, i) => 10 ** (weigh(this.centre(i)) / 10));
    this.levels = new Float64Array(count);
  }

  /** @param {number} band */
  centre(band) {
    return Math.sqrt(this.edges[band] * this.edges[band + 1]);
  }

  /**
   * The levels of stored bands, weighted like these; a stored band holds those whose centre lies in it.
   * @param {{edges: Float32Array, bands: number, steps: Uint8Array}} tile @param {number} column
   */
  stored({ edges, bands, steps }, column) {
    for (let band = 0; band < this.levels.length; band += 1) {
      const hertz = this.centre(band);
      const at = edges.findIndex((edge) => edge > hertz) - 1;
      this.levels[band] = at < 0 ? -120 : -120 + steps[column * bands + at] / 2 + 10 * Math.log10(this.gains[band]);
    }
    return this.levels;
  }

  /**
   * The levels of the last samples in dB; a full-scale sine is 0. Silence while the transforms are being loaded.
   * @param {Float32Array} samples at least as many as `window` says
   */
  measure(samples) {
    const powers = powersOf(this.sizes, samples);
    if (!powers) return this.levels.fill(-120);
    for (let band = 0; band < this.levels.length; band += 1) {
      const which = this.edges[band + 1] <= BandLevels.boundary ? 0 : 1;
      const [power, size] = [powers[which], this.sizes[which]];
      const sum = within(power, (this.edges[band] * size) / this.rate, (this.edges[band + 1] * size) / this.rate);
      // What is no number is silence: a level that is none would stay.
      this.levels[band] = sum * this.gains[band] > 1e-12 ? 10 * Math.log10(sum * this.gains[band]) : -120;
    }
    return this.levels;
  }
}

/**
 * The power between two places among bins, each of which reaches half a bin to both sides.
 * @param {Float32Array} power @param {number} from @param {number} to
 */
function within(power, from, to) {
  let sum = 0;
  for (let bin = Math.max(0, Math.round(from)); bin <= Math.min(power.length - 1, Math.round(to)); bin += 1)
    sum += power[bin] * Math.max(0, Math.min(to, bin + 0.5) - Math.max(from, bin - 0.5));
  return sum;
}

/**
 * Levels that rise at once and fall evenly, with peaks that are held: the same whatever the frame rate is.
 */
export class Ballistics {
  /**
   * @param {number} count
   * @param {{fallPerSecond?: number, hold?: number, floor?: number}} choice dB a second, seconds, dB
   */
  constructor(count, { fallPerSecond = 36, hold = 0.6, floor = -120 }) {
    this.fall = fallPerSecond;
    this.hold = hold;
    this.shown = new Float64Array(count).fill(floor);
    this.peaks = new Float64Array(count).fill(floor);
    this.ages = new Float64Array(count);
  }

  /** @param {Float64Array} levels @param {number} seconds since the last step */
  step(levels, seconds) {
    for (let i = 0; i < levels.length; i += 1) {
      this.shown[i] = Math.max(levels[i], this.shown[i] - this.fall * seconds);
      this.ages[i] += seconds;
      if (levels[i] >= this.peaks[i]) {
        this.peaks[i] = levels[i];
        this.ages[i] = 0;
      } else if (this.ages[i] > this.hold) {
        const fallen = this.fall * Math.min(seconds, this.ages[i] - this.hold);
        this.peaks[i] = Math.max(this.shown[i], this.peaks[i] - fallen);
      }
    }
  }
}
