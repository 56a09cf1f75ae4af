/** Presets as documents (docs/formats.md, "Presets"), and as the numbers that the effects take. */

/**
 * @typedef {{
 *   type: string, frequency_hz: number, gain_db?: number, q?: number, bandwidth_octaves?: number, channels?: string,
 *   bypassed?: boolean,
 * }} Band
 * @typedef {{
 *   schema: 1, name: string, gain_db: number, compensated: boolean, bands: Band[], pitch_cents: number,
 *   reverb: {room: string, mix_percent: number} | null, rate: number,
 * }} Preset
 * @typedef {{numbers: Float64Array, room: number, mix: number, cents: number, rate: number}} Settings
 *   what the worklet gets
 */

/** The types of bands, in the order of the effects: key, name, whether there is a gain, whether there is a width. */
export const types = /** @type {const} */ ([
  ['parametric', 'Peak', true, true], ['low-pass', 'Low pass', false, false], ['high-pass', 'High pass', false, false],
  ['resonant-low-pass', 'Resonant low pass', false, true], ['resonant-high-pass', 'Resonant high pass', false, true],
  ['band-pass', 'Band pass', false, true], ['band-stop', 'Band stop', false, true],
  ['low-shelf', 'Low shelf', true, false],
  ['high-shelf', 'High shelf', true, false], ['resonant-low-shelf', 'Resonant low shelf', true, true],
  ['resonant-high-shelf', 'Resonant high shelf', true, true], ['all-pass', 'All pass', false, true],
]);

/** The rooms, in the order of the effects. */
export const rooms = [
  'small-room', 'medium-room', 'large-room', 'medium-hall', 'large-hall', 'plate', 'medium-chamber', 'large-chamber',
  'cathedral',
];

/** Where the sliders of a graphic equalizer are, in Hz. */
export const centres = Array.from({ length: 10 }, (_, i) => 31.25 * 2 ** i);

export const sliderRange = 12;
const maximumBandCount = 128;

/** @param {string} name @returns {Preset} */
export const flat = (name) => ({
  schema: 1, name, gain_db: 0, compensated: false, bands: [], pitch_cents: 0, reverb: null, rate: 1,
});

/** @param {string} type */
export const kindOf = (type) => types.findIndex(([key]) => key === type);

/**
 * The Q that a band has, given or not.
 * @param {Band} band
 */
export function qualityOf({ type, q, bandwidth_octaves: octaves }) {
  if (q !== undefined && q !== null) return q;
  if (octaves) return 1 / (2 * Math.sinh((Math.LN2 / 2) * octaves));
  return type === 'parametric' ? Math.SQRT2 : type === 'band-stop' ? 30 : Math.SQRT1_2;
}

/** @param {Preset} preset @param {boolean} [isBypassed] @returns {Settings} */
export function settingsOf(preset, isBypassed = false) {
  const bands = isBypassed ? [] : preset.bands.slice(0, maximumBandCount);
  const numbers = new Float64Array(8 + 8 * bands.length);
  numbers.set([isBypassed ? 0 : preset.gain_db, Number(preset.compensated), bands.length]);
  bands.forEach((band, i) => {
    const isOctaves = band.bandwidth_octaves !== undefined;
    const channels = band.channels === 'left' ? 1 : band.channels === 'right' ? 2 : 0;
    const width = isOctaves ? band.bandwidth_octaves : qualityOf(band);
    numbers.set([
      kindOf(band.type), band.frequency_hz, band.gain_db ?? 0, Number(isOctaves), width ?? 0, channels,
      Number(band.bypassed ?? false),
    ], 8 + 8 * i);
  });
  const { reverb } = preset;
  const [cents, rate] = isBypassed ? [0, 1] : [preset.pitch_cents, preset.rate];
  const room = reverb && !isBypassed ? rooms.indexOf(reverb.room) : -1;
  return { numbers, room, mix: reverb?.mix_percent ?? 0, cents, rate };
}

/** @type {Settings} */
export const neutral = { numbers: new Float64Array(8), room: -1, mix: 0, cents: 0, rate: 1 };

/**
 * How frames go through the effects: as they are, resampled, or stretched, too. Only what stays the same moves without
 * a new start.
 * @param {Settings | null} settings
 */
export const paceOf = (settings) =>
  (!settings ? 'as it is' : settings.cents ? 'stretched' : settings.rate !== 1 ? 'resampled' : 'as it is');

/**
 * Whether the settings change nothing.
 * @param {Settings} settings
 */
export const isNeutral = (settings) =>
  settings.numbers[0] === 0 && settings.numbers[2] === 0 && settings.room < 0 && paceOf(settings) === 'as it is';

/**
 * The band of a slider: the peak at its centre.
 * @param {Preset} preset @param {number} slider
 */
export const bandOfSlider = ({ bands }, slider) =>
  bands.findIndex(({ type, channels = 'all', frequency_hz: hertz }) =>
    type === 'parametric' && channels === 'all' && Math.abs(Math.log2(hertz / centres[slider])) < 0.02);

/**
 * A copy that can be changed.
 * @param {Preset} preset @returns {Preset}
 */
export const copy = (preset) => structuredClone(preset);
