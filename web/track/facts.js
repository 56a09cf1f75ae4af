/** Everything that is known about a track, in groups of words and figures. */

import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { channels, date, frequency, number, rate, signed, size } from '../core/format.js';
import { toast } from '../page/toast.js';

/** @param {any} value @param {(value: any) => string} show */
const maybe = (value, show) => (value === null || value === undefined ? null : show(value));
/** @param {number} digits @param {string} unit */
const unit = (digits, unit) => (/** @type {number} */ value) => `${number(value, digits)} ${unit}`;
/** @param {number} digits @param {string} unit */
const level = (digits, unit) => (/** @type {number} */ value) => `${signed(value, digits)} ${unit}`;

/**
 * @typedef {[string, string | Element | null]} Fact null is left out
 * @param {string} title @param {Fact[]} facts @param {Element} [figure]
 */
function group(title, facts, figure) {
  const known = facts.filter(([, value]) => value !== null);
  if (!known.length && !figure) return null;
  const rows = known.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  return h('section', { class: 'group' }, h('h2', { class: 'label' }, title), figure, h('dl', {}, rows));
}

/** @param {any} lossy */
function evidence(lossy) {
  if (!lossy) return null;
  return typeof lossy === 'string' ? lossy : lossy.verdict ?? lossy.summary ?? lossy.codec ?? null;
}

/**
 * ", 81 % sure" of what was measured, nothing for what a tag says.
 * @param {{source: string, confidence: number | null}} value
 */
const sureness = ({ source, confidence }) => (source === 'tag' ? ', as tagged' : confidence === null ? '' : `, ${number(100 * confidence)} % sure`);

/** @param {any} detail */
function rating(detail) {
  const value = Number(detail.attributes?.rating?.value ?? detail.attributes?.rating ?? NaN);
  const select = h('select', { 'aria-label': 'Rating' }, h('option', { value: '' }, 'none'),
    [1, 2, 3, 4, 5].map((stars) => h('option', { value: String(stars * 20) }, stars === 1 ? '1 star' : `${stars} stars`)));
  if (Number.isFinite(value)) select.value = String(Math.round(value / 20) * 20);
  select.addEventListener('change', async () => {
    try {
      await change('PUT', `/tracks/${detail.id}/rating`, { rating: select.value ? Number(select.value) : null });
      toast(select.value ? 'The rating is kept.' : 'The rating is gone.', true);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  });
  return select;
}

/** @param {any} detail the document of a track @returns {Element} */
export function factsOf(detail) {
  const m = detail.measures ?? {};
  const f = detail.format ?? {};
  const file = detail.files?.[0] ?? {};
  const loudness = typeof m.loudness_lufs === 'number'
    ? h('p', { class: 'figure etch' }, number(m.loudness_lufs, 1), h('span', { class: 'unit' }, 'LUFS')) : undefined;
  const bitrate = maybe(f.bitrate_bps, (value) => `, ${number(value / 1000)} kbit/s`) ?? '';
  const tags = Object.entries(detail.tags ?? {}).filter(([name]) => !['TITLE', 'ARTIST', 'ALBUM'].includes(name) && !/LYRICS|FINGERPRINT/.test(name));
  return h('div', { class: 'facts-of' },
    group('Loudness', [
      ['Range', maybe(m.loudness_range_lu, unit(1, 'LU'))], ['Momentary max', maybe(m.momentary_max_lufs, unit(1, 'LUFS'))],
      ['Short-term max', maybe(m.short_term_max_lufs, unit(1, 'LUFS'))], ['True peak', maybe(m.true_peak_dbtp, level(2, 'dBTP'))],
      ['ReplayGain', maybe(m.replaygain_db, level(2, 'dB'))], ['of the album', maybe(detail.album?.replaygain_db, level(2, 'dB'))],
    ], loudness),
    group('Levels', [
      ['Peak', maybe(m.sample_peak_dbfs, level(2, 'dBFS'))], ['RMS', maybe(m.rms_dbfs, level(2, 'dBFS'))], ['Crest', maybe(m.crest_db, unit(2, 'dB'))],
      ['Clipped samples', maybe(m.clipped_samples, number)],
      ['Silence at the start', m.silence_start_seconds > 0.005 ? unit(2, 's')(m.silence_start_seconds) : null],
      ['Silence at the end', m.silence_end_seconds > 0.005 ? unit(2, 's')(m.silence_end_seconds) : null],
    ]),
    group('Spectrum', [
      ['Centroid', maybe(m.centroid_hz, frequency)], ['85 % below', maybe(m.rolloff_hz, frequency)], ['95 % below', maybe(m.rolloff95_hz, frequency)],
      ['Cut off at', maybe(m.cutoff_hz, frequency)], ['Lossy source', evidence(detail.lossy_source)],
    ]),
    group('Tempo and key', [
      ['Tempo', maybe(detail.tempo?.bpm, (bpm) => `${number(bpm, 1)} BPM${sureness(detail.tempo)}`)],
      ['Key', maybe(detail.key?.name, (name) => `${name} \u00b7 ${detail.key.camelot}${sureness(detail.key)}`)],
    ]),
    group('File', [
      ['Format', f.codec ? (f.codec.length < 5 ? f.codec.toUpperCase() : f.codec.replace(/^./, (/** @type {string} */ first) => first.toUpperCase())) + bitrate : null],
      ['Rate', f.sample_rate_hz ? `${rate(f.sample_rate_hz)}, ${channels(f.channels)}` : null], ['Bits', maybe(f.bits, String)],
      ['Frames', maybe(f.decoded_frames, number)], ['Size', maybe(file.size_bytes, size)], ['Added', maybe(file.added_at, date)],
      ['Files', detail.files?.length > 1 ? number(detail.files.length) : null],
    ]),
    group('Yours', [
      ['Rating', rating(detail)], ['Preset', detail.preset], ['Plays', maybe(detail.plays?.count, number)], ['Last played', maybe(detail.plays?.last_played_at, date)],
      ['Lists', detail.lists?.length ? detail.lists.map((/** @type {any} */ list) => list.name ?? list).join(', ') : null],
    ]),
    group('Tags', tags.slice(0, 40).map(([name, values]) => [
      name.toLowerCase().replace(/^./, (first) => first.toUpperCase()), /** @type {string[]} */ (values).join('; ').slice(0, 400),
    ])));
}
