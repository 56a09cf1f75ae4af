/**
 * Loudness as ITU-R BS.1770-4 and EBU Tech 3341 have it: momentary, short-term, and true peaks, of a stream in stereo.
 */

/** A biquad in transposed direct form II. */
class Biquad {
  /** @param {number[]} coefficients b0 b1 b2 a1 a2 */
  constructor(coefficients) {
    const [b0, b1, b2, a1, a2] = coefficients;
    this.b0 = b0;
    this.b1 = b1;
    this.b2 = b2;
    this.a1 = a1;
    this.a2 = a2;
    this.s1 = 0;
    this.s2 = 0;
  }

  /** @param {number} x */
  step(x) {
    const y = this.b0 * x + this.s1;
    this.s1 = this.b1 * x - this.a1 * y + this.s2;
    this.s2 = this.b2 * x - this.a2 * y;
    return y;
  }
}

/**
 * The two filters of K-weighting at any rate: a shelf and a high pass, whose analogue forms give the standard's numbers
 * at 48 kHz.
 * @param {number} rate in Hz
 */
function weightingK(rate) {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate);
  const [high, middle] = [10 ** (3.999843853973347 / 20), 10 ** ((3.999843853973347 * 0.4996667741545416) / 20)];
  const q = k / 0.7071752369554196;
  const a0 = 1 + q + k * k;
  const shelf = new Biquad([
    (high + middle * q + k * k) / a0, (2 * (k * k - high)) / a0, (high - middle * q + k * k) / a0,
    (2 * (k * k - 1)) / a0, (1 - q + k * k) / a0,
  ]);
  const l = Math.tan((Math.PI * 38.13547087602444) / rate);
  const p = l / 0.5003270373238773;
  const c0 = 1 + p + l * l;
  return [shelf, new Biquad([1, -2, 1, (2 * (l * l - 1)) / c0, (1 - p + l * l) / c0])];
}

const phases = 4;
const taps = 12;

/** Four times as many samples between the given ones: a sinc under a window of Hann, a phase after the other. */
const between = Array.from({ length: phases }, (_, phase) =>
  Float64Array.from({ length: taps }, (_, tap) => {
    const x = tap - taps / 2 + 1 - phase / phases;
    return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / (taps + 1)) ** 2;
  }));

/** One channel: its energy in steps of 100 ms, and its true peak. */
class Channel {
  /** @param {number} rate in Hz */
  constructor(rate) {
    const [shelf, pass] = weightingK(rate);
    this.shelf = shelf;
    this.pass = pass;
    this.energy = 0;
    /** The highest amplitude so far. */
    this.peak = 0;
    this.latest = new Float64Array(2 * taps);
    this.at = 0;
  }

  /** @param {number} x */
  step(x) {
    const weighted = this.pass.step(this.shelf.step(x));
    this.energy += weighted * weighted;
    // Written twice, so that the latest samples always lie in a row.
    this.at = (this.at + taps - 1) % taps;
    this.latest[this.at] = this.latest[this.at + taps] = x;
    for (const phase of between) {
      let sum = 0;
      for (let tap = 0; tap < taps; tap += 1) sum += phase[tap] * this.latest[this.at + tap];
      this.peak = Math.max(this.peak, Math.abs(sum));
    }
  }
}

export class Loudness {
  /** @param {number} rate in Hz */
  constructor(rate) {
    this.channels = [new Channel(rate), new Channel(rate)];
    this.step = Math.round(rate / 10);
    this.count = 0;
    /**
     * The mean squares of the last three seconds, in steps of 100 ms, the latest last.
     * @type {number[]}
     */
    this.steps = [];
  }

  /**
   * Adds samples.
   * @param {Float32Array} left @param {Float32Array} right
   * @returns {boolean} whether another 100 ms are complete
   */
  consume(left, right) {
    let isComplete = false;
    for (let i = 0; i < left.length; i += 1) {
      this.channels[0].step(left[i]);
      this.channels[1].step(right[i]);
      this.count += 1;
      if (this.count < this.step) continue;
      this.steps.push((this.channels[0].energy + this.channels[1].energy) / this.count);
      if (this.steps.length > 30) this.steps.shift();
      this.count = this.channels[0].energy = this.channels[1].energy = 0;
      isComplete = true;
    }
    return isComplete;
  }

  /** Of the last 400 ms, in LUFS; null before. */
  get momentary() {
    return this.mean(4);
  }

  /** Of the last 3 s, in LUFS; null before. */
  get shortTerm() {
    return this.mean(30);
  }

  /** Of each channel so far, in dBTP. */
  get truePeaks() {
    return this.channels.map(({ peak }) => 20 * Math.log10(Math.max(peak, 1e-6)));
  }

  /** @param {number} count of steps */
  mean(count) {
    if (this.steps.length < count) return null;
    const sum = this.steps.slice(-count).reduce((sum, step) => sum + step, 0);
    return -0.691 + 10 * Math.log10(Math.max(sum / count, 1e-12));
  }
}
