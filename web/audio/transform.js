/** The spectrum of what is heard: a Fourier transform of real samples, and the power in bands. */

/** A radix-2 transform of one size. */
class Transform {
  /** @param {number} size a power of two */
  constructor(size) {
    this.size = size;
    this.real = new Float64Array(size);
    this.imaginary = new Float64Array(size);
    this.cosine = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.sine = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    this.window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    const bits = Math.log2(size);
    this.order = Uint32Array.from({ length: size }, (_, i) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit += 1) reversed |= ((i >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    });
    /** The power of a full-scale sine, summed over the bins of its peak, is 1: 4 over N times the window's 3 N / 8. */
    this.scale = 4 / (size * ((3 * size) / 8));
  }

  /**
   * The power in each bin of the last `size` samples.
   * @param {Float32Array} samples @param {Float64Array} power
   */
  run(samples, power) {
    const { size, real, imaginary, order, window } = this;
    const start = samples.length - size;
    for (let i = 0; i < size; i += 1) real[order[i]] = samples[start + i] * window[i];
    imaginary.fill(0);
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let group = 0; group < size; group += 2 * half)
        for (let k = 0; k < half; k += 1) {
          const [c, s] = [this.cosine[k * stride], this.sine[k * stride]];
          const [a, b] = [group + k, group + k + half];
          const re = real[b] * c + imaginary[b] * s;
          const im = imaginary[b] * c - real[b] * s;
          real[b] = real[a] - re;
          imaginary[b] = imaginary[a] - im;
          real[a] += re;
          imaginary[a] += im;
        }
    }
    for (let i = 0; i <= size / 2; i += 1) power[i] = (real[i] * real[i] + imaginary[i] * imaginary[i]) * this.scale;
  }
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
    this.long = new Transform(BandLevels.window(rate));
    this.short = new Transform(BandLevels.window(rate) / 4);
    this.longPower = new Float64Array(this.long.size / 2 + 1);
    this.shortPower = new Float64Array(this.short.size / 2 + 1);
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
   * The levels of the last samples in dB; a full-scale sine is 0.
   * @param {Float32Array} samples at least as many as `window` says
   */
  measure(samples) {
    this.long.run(samples, this.longPower);
    this.short.run(samples, this.shortPower);
    for (let band = 0; band < this.levels.length; band += 1) {
      const isLow = this.edges[band + 1] <= BandLevels.boundary;
      const power = isLow ? this.longPower : this.shortPower;
      const size = isLow ? this.long.size : this.short.size;
      const sum = within(power, (this.edges[band] * size) / this.rate, (this.edges[band + 1] * size) / this.rate);
      // What is no number is silence: a level that is none would stay.
      this.levels[band] = sum * this.gains[band] > 1e-12 ? 10 * Math.log10(sum * this.gains[band]) : -120;
    }
    return this.levels;
  }
}

/**
 * The power between two places among bins, each of which reaches half a bin to both sides.
 * @param {Float64Array} power @param {number} from @param {number} to
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
