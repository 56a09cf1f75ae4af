/** Numbers as people read them: units, true minus, narrow spaces. */

const minus = '\u2212';
const nothing = '\u2013';

/** @type {Intl.NumberFormat[]} By their digits: to make one takes longer than to use it a hundred times. */
const formats = [];

/** @param {number | null | undefined} value @param {number} digits */
export function number(value, digits = 0) {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  formats[digits] ??= new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const text = formats[digits].format(Math.abs(value));
  return (value < 0 && Number(text.replace(/,/g, '')) !== 0 ? minus : '') + text;
}

/**
 * With a sign also above zero.
 * @param {number} value @param {number} [digits]
 */
export function signed(value, digits = 1) {
  const text = number(value, digits);
  return value > 0 && /[1-9]/.test(text) ? '+' + text : text;
}

/**
 * Minutes and seconds, 6:00 or 1:02:03; digits after the point are cut, not rounded, so that a clock never shows the
 * future.
 * @param {number | null | undefined} seconds @param {number} [digits]
 */
export function time(seconds, digits = 0) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return nothing;
  const scale = 10 ** digits;
  const cut = Math.floor(Math.max(0, seconds) * scale + 1e-6);
  const whole = Math.floor(cut / scale);
  const fraction = digits ? '.' + String(cut % scale).padStart(digits, '0') : '';
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0') + fraction;
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/**
 * The length of something, to the nearest second, as `ls` has it.
 * @param {number | null | undefined} seconds
 */
export const length = (seconds) => time(typeof seconds === 'number' ? Math.round(seconds) : null);

/**
 * "1 h 48 min", "48 min", "12 s".
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${number(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** @param {number} hertz */
export function frequency(hertz) {
  if (!Number.isFinite(hertz)) return nothing;
  return hertz < 999.5 ? `${Math.round(hertz)} Hz` : `${number(hertz / 1000, 2)} kHz`;
}

/**
 * "44.1 kHz".
 * @param {number} hertz
 */
export const rate = (hertz) => (hertz ? `${hertz / 1000} kHz` : nothing);

/** @param {number} bytes */
export function size(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let power = 0;
  // What would be rounded to a thousand of a unit is one of the next.
  while (power < 4 && bytes / 1000 ** power >= (power ? 999.95 : 1000)) power += 1;
  return `${number(bytes / 1000 ** power, power ? 1 : 0)} ${units[power]}`;
}

/**
 * "1 track", "33 tracks".
 * @param {number} value @param {string} one @param {string} [many]
 */
export const count = (value, one, many = one + 's') => `${number(value)} ${value === 1 ? one : many}`;

/**
 * "23 Nov 2026".
 * @param {string | null} iso
 */
export function date(iso) {
  const day = new Date(iso ?? NaN);
  if (Number.isNaN(day.getTime())) return nothing;
  return day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** @param {number | null} channels */
export const channels = (channels) =>
  (channels === 1 ? 'mono' : channels === 2 ? 'stereo' : channels ? `${channels} channels` : nothing);

/**
 * What a matrix number is: those that are etched into records tell which one it is, whatever its label says.
 */
export const matrixMeaning = 
  'The first 16 digits of the recording\u2019s hash: the same for all files with the same samples.';

/**
 * The matrix number: the first 16 digits of a hash.
 * @param {string | null} hash
 */
export const matrixNumber = (hash) =>
  (hash ? 'DW ' + (hash.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ') : '');

/**
 * Whether the etch face has every character; a title with another one is set in the system's face as a whole.
 * @param {string} text
 */
export const isEtchable = (text) =>
  /^[\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]*$/.test(text);
