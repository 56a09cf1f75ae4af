/** Presets with a band of every type, and what they do by definition. */

const graphic = Array.from({ length: 10 }, (_, i) => 31.25 * 2 ** i);

/** @type {Record<string, any[]>} Bands by the name of the preset. */
export const presets = {
  parametric: [{ type: 'parametric', frequency_hz: 1000, gain_db: 9, q: 1.4 }],
  'low pass': [{ type: 'low-pass', frequency_hz: 3000 }],
  'high pass': [{ type: 'high-pass', frequency_hz: 200 }],
  'resonant low pass': [{ type: 'resonant-low-pass', frequency_hz: 2000, q: 3 }],
  'resonant high pass': [{ type: 'resonant-high-pass', frequency_hz: 300, q: 2 }],
  'band pass': [{ type: 'band-pass', frequency_hz: 800, q: 1 }],
  'band stop': [{ type: 'band-stop', frequency_hz: 1500, q: 2 }],
  'low shelf': [{ type: 'low-shelf', frequency_hz: 250, gain_db: -8 }],
  'high shelf': [{ type: 'high-shelf', frequency_hz: 5000, gain_db: 8 }],
  'resonant low shelf': [{ type: 'resonant-low-shelf', frequency_hz: 300, gain_db: 6, q: 1.5 }],
  'resonant high shelf': [{ type: 'resonant-high-shelf', frequency_hz: 4000, gain_db: -6, q: 1.5 }],
  'all pass': [{ type: 'all-pass', frequency_hz: 1000, q: 1 }],
  'ten bands': graphic.map((frequency_hz, i) => ({ type: 'parametric', frequency_hz, gain_db: [3, -4, 5, 2, -6, 1, 4, -3, 6, -2][i], q: 1.41 })),
  '128 bands': Array.from({ length: 128 }, (_, i) => ({ type: 'parametric', frequency_hz: 60 * 300 ** (i / 127), gain_db: (-1) ** i * 1.5, q: 4 })),
};

/** @param {any[]} bands @param {object} [more] */
export const presetOf = (bands, more = {}) => ({ schema: 1, name: 'Test', gain_db: 0, compensated: false, bands, pitch_cents: 0, reverb: null, rate: 1, ...more });

/**
 * The magnitude of a band in dB by its definition in the cookbook: that of the analogue filter, at the frequency that the bilinear transform
 * maps. None of the program's coefficients is used.
 */
export function analogue({ type, frequency_hz, gain_db = 0, q = Math.SQRT1_2 }, rate, hertz) {
  const omega = Math.tan((Math.PI * hertz) / rate) / Math.tan((Math.PI * frequency_hz) / rate);
  const a = 10 ** (gain_db / 40);
  const root = Math.sqrt(a);
  const s = -omega * omega;
  const shapes = {
    'low-pass': [[1, 0], [s + 1, omega / q]], 'high-pass': [[s, 0], [s + 1, omega / q]], 'band-pass': [[0, omega / q], [s + 1, omega / q]],
    'band-stop': [[s + 1, 0], [s + 1, omega / q]], 'all-pass': [[s + 1, -omega / q], [s + 1, omega / q]], parametric: [[s + 1, (omega * a) / q], [s + 1, omega / (a * q)]],
    'low-shelf': [[a * (s + a), ((a * root) / q) * omega], [a * s + 1, (root / q) * omega]], 'high-shelf': [[a * (a * s + 1), ((a * root) / q) * omega], [s + a, (root / q) * omega]],
  };
  const [top, bottom] = shapes[type.replace('resonant-', '')];
  return 10 * Math.log10((top[0] ** 2 + top[1] ** 2) / (bottom[0] ** 2 + bottom[1] ** 2));
}

/** All bands together. */
export const analogueSum = (bands, rate, hertz) => bands.reduce((sum, band) => sum + analogue(band, rate, hertz), 0);

/** Frequencies even by ear, from 20 Hz to 45 % of the rate. */
export const points = (rate, length = 120) => Float64Array.from({ length }, (_, i) => 20 * ((0.45 * rate) / 20) ** (i / (length - 1)));
