/** Everything that is known about a track, in groups of words. */

import { channels, date, frequency, number, rate, signed, size } from '../../core/format.js';
import { codecName } from '../../data/tracks.js';

/** @typedef {import('../../data/documents.js').TrackDetail} TrackDetail */
/**
 * @typedef {[string, string | null | undefined, string?]} Fact a name, its value if it is known, and a query for more
 */
/** @typedef {{title: string, facts: Fact[]}} Group */

/**
 * A value in words; null if it is not known.
 * @template T
 * @param {T | null | undefined} value @param {(value: T) => string} show
 */
const maybe = (value, show) => (value === null || value === undefined ? null : show(value));
/** @param {number} digits @param {string} unit */
const unit = (digits, unit) => (/** @type {number} */ value) => `${number(value, digits)} ${unit}`;
/** @param {number} digits @param {string} unit */
const level = (digits, unit) => (/** @type {number} */ value) => `${signed(value, digits)} ${unit}`;
/**
 * Silence that is worth a word.
 * @param {number | null | undefined} seconds
 */
const silence = (seconds) => (seconds && seconds > 0.005 ? unit(2, 's')(seconds) : null);

/** @param {TrackDetail['lossy_source']} lossy */
function evidence(lossy) {
  if (!lossy || typeof lossy === 'string') return lossy || null;
  return lossy.verdict ?? lossy.summary ?? lossy.codec ?? null;
}

/**
 * ", strong (81 %)" of what was measured.
 * @param {import('../../data/documents.js').Estimate} value
 */
function sureness({ source, confidence, strength }) {
  if (source === 'tag') return ', as tagged';
  return confidence === null ? '' : `, ${strength} (${number(100 * confidence)}\u00a0%)`;
}

/** Tags that have a place of their own, or are no words. */
const isApart = (/** @type {string} */ name) =>
  ['TITLE', 'ARTIST', 'ALBUM'].includes(name) || /LYRICS|FINGERPRINT/.test(name);

/** @param {string} text */
const capitalized = (text) => text.toLowerCase().replace(/^./, (first) => first.toUpperCase());

/**
 * Who did what, and which part of which work it is.
 * @param {TrackDetail} detail @returns {Fact[]}
 */
function credits({ roles = [], works = [], movement }) {
  const place = [movement?.number, movement?.count].filter((value) => typeof value === 'number').join(' of ');
  return [
    ...roles.map(({ role, name, instrument, query }) => /** @type {Fact} */ (
      [role === 'djmixer' ? 'DJ mixer' : capitalized(role), instrument ? `${name} (${instrument})` : name, query])),
    ...works.map(({ name, query }) => /** @type {Fact} */ (['Work', name, query])),
    ['Movement', movement ? [place, movement.name].filter(Boolean).join(': ') : null],
  ];
}

/**
 * Whether credits have a tag.
 * @param {TrackDetail} detail @param {string} name
 */
const isCredit = ({ roles = [], works = [] }, name) =>
  roles.some(({ role }) => role.toUpperCase() === name) || (works.length > 0 && name === 'WORK');

/**
 * What is known, in words, but for the rating, which can be changed.
 * @param {TrackDetail} detail @returns {Group[]}
 */
export function groupsOf(detail) {
  const { measures, format, tempo, key, lists } = detail;
  const m = measures ?? {};
  const file = detail.files?.[0];
  const bitrate = maybe(format?.bitrate_bps, (value) => `, ${number(value / 1000)} kbit/s`) ?? '';
  const tags = Object.entries(detail.tags ?? {})
    .filter(([name]) => !isApart(name) && !isCredit(detail, name) && !(detail.movement && /^MOVEMENT/.test(name)));
  return [
    { title: 'Loudness', facts: [
      ['Range', maybe(m.loudness_range_lu, unit(1, 'LU'))],
      ['Momentary max', maybe(m.momentary_max_lufs, unit(1, 'LUFS'))],
      ['Short-term max', maybe(m.short_term_max_lufs, unit(1, 'LUFS'))],
      ['True peak', maybe(m.true_peak_dbtp, level(2, 'dBTP'))],
      ['ReplayGain', maybe(m.replaygain_db, level(2, 'dB'))],
      ['of the album', maybe(detail.album?.replaygain_db, level(2, 'dB'))],
    ] },
    { title: 'Levels', facts: [
      ['Peak', maybe(m.sample_peak_dbfs, level(2, 'dBFS'))], ['RMS', maybe(m.rms_dbfs, level(2, 'dBFS'))],
      ['Crest', maybe(m.crest_db, unit(2, 'dB'))], ['Clipped samples', maybe(m.clipped_samples, number)],
      ['Silence at the start', silence(m.silence_start_seconds)],
      ['Silence at the end', silence(m.silence_end_seconds)],
    ] },
    { title: 'Spectrum', facts: [
      ['Centroid', maybe(m.centroid_hz, frequency)], ['85 % below', maybe(m.rolloff_hz, frequency)],
      ['95 % below', maybe(m.rolloff95_hz, frequency)], ['Cut off at', maybe(m.cutoff_hz, frequency)],
      ['Lossy source', evidence(detail.lossy_source)],
    ] },
    { title: 'Tempo and key', facts: [
      ['Tempo', tempo && maybe(tempo.bpm, (bpm) => `${number(bpm, 1)} BPM${sureness(tempo)}`)],
      ['Key', key && maybe(key.name, (name) => `${name} \u00b7 ${key.camelot}${sureness(key)}`)],
    ] },
    { title: 'Credits', facts: credits(detail) },
    { title: 'File', facts: [
      ['Format', format?.codec ? codecName(format.codec) + bitrate : null],
      ['Rate', format?.sample_rate_hz ? `${rate(format.sample_rate_hz)}, ${channels(format.channels)}` : null],
      ['Bits', maybe(format?.bits, String)], ['Frames', maybe(format?.decoded_frames, number)],
      ['Size', maybe(file?.size_bytes, size)], ['Added', maybe(file?.added_at, date)],
      ['Files', detail.files && detail.files.length > 1 ? number(detail.files.length) : null],
    ] },
    { title: 'Yours', facts: [
      ['Preset', detail.preset], ['Plays', maybe(detail.plays?.plays || null, number)],
      ['Last played', maybe(detail.plays?.last_played_at, date)],
      ['Lists', lists?.length ? lists.map((list) => (typeof list === 'string' ? list : list.name)).join(', ') : null],
    ] },
    { title: 'Tags', facts: tags.slice(0, 40).map(([name, values]) => [
      capitalized(name), values.join('; ').slice(0, 400),
    ]) },
  ];
}
