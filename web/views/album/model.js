/** An album as its page shows it: editions and how they differ, discs, facts, and what is wrong, in words. */

import { channels, count, duration, number, rate } from '../../core/format.js';
import { fold } from '../../core/fold.js';
import { evidenceFields } from '../../data/evidence.js';
import { folderOf, valuesOf } from '../../data/names.js';
import { codecName } from '../../data/tracks.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */
/** @typedef {import('../../data/documents.js').AlbumDetail} AlbumDetail */
/**
 * @typedef {{
 *   number: number, rows: TrackRow[], name: string, folders: string[], seconds: number, isSame: boolean,
 *   difference: string,
 * }} Edition `rows`: its tracks in order, those that cannot be read among them; `name`: what tells it from the others;
 *   `isSame`: it has the samples of the first edition; `difference` in words, empty for the first one
 * @typedef {{number: number, title: string, rows: TrackRow[], seconds: number}} Disc
 */

/** What is asked for of each track. */
export const fields = [
  'title', 'artist', 'album', 'edition', 'album-disc', 'discsubtitle', 'track', 'genre', 'year', 'duration', 'codec',
  'rate', 'channels', 'bits', 'bitrate', 'lufs', 'truepeak', 'rating', 'preset', 'path', 'filename', ...evidenceFields,
].join(',');

/** More files of an album are not shown on its page: all tracks without an album can be one. */
export const mostRows = 2000;

/** @param {number | string} id @param {number} edition */
export const queryOf = (id, edition) => `album-id:${id} edition:${edition} album-disc+ track+`;

/**
 * Its values without repetition, in order.
 * @template T
 * @param {(T | null | undefined)[]} values @returns {T[]}
 */
const distinct = (values) =>
  /** @type {T[]} */ ([...new Set(values)].filter((value) => value !== null && value !== undefined));

/** @param {(number | null | undefined)[]} values */
const largest = (values) => {
  const known = distinct(values);
  return known.length ? Math.max(...known) : null;
};

/** @param {TrackRow[]} rows */
const sum = (rows) => rows.reduce((seconds, { duration }) => seconds + (duration ?? 0), 0);

/**
 * The editions of an album. Files that could not be read stand in the first one, at the places of their numbers.
 * @param {TrackRow[]} rows of all editions, with `fields`, in the order of the album @returns {Edition[]}
 */
export function editionsOf(rows) {
  /** @type {Map<number, TrackRow[]>} */
  const groups = new Map();
  for (const row of rows) {
    const edition = row.edition ?? 1;
    groups.set(edition, [...(groups.get(edition) ?? []), row]);
  }
  const place = (/** @type {TrackRow} */ row) => 1e4 * (row['album-disc'] ?? 1) + (row.track ?? 9999);
  const first = groups.get(1);
  if (first?.some(({ edition }) => !edition)) groups.set(1, [...first].sort((a, b) => place(a) - place(b)));
  const all = [...groups].sort(([a], [b]) => a - b);
  const codecs = all.map(([, rows]) => codecsOf(rows));
  return all.map(([number, rows], i) => {
    const readable = rows.filter(({ edition }) => edition);
    const folders = distinct((readable.length ? readable : rows).map(({ path }) => (path ? folderOf(path) : null)));
    const isAlone = codecs.filter((codec) => codec === codecs[i]).length < 2;
    const folder = folders[0]?.split('/').slice(-3, -1).join('/');
    const isSame = i > 0 && hasSamplesOf(rows, all[0][1]);
    return {
      number, rows, folders, seconds: sum(rows), isSame,
      name: isAlone || !folder ? codecs[i] : `${codecs[i]}, ${folder}`,
      difference: i ? differenceOf(rows, all[0][1], isSame) : '',
    };
  });
}

/** @param {TrackRow[]} rows */
const codecsOf = (rows) =>
  distinct(rows.map(({ codec }) => codec)).map(codecName).join(', ') || 'Unreadable';

/** @param {TrackRow[]} rows @param {TrackRow[]} first */
function hasSamplesOf(rows, first) {
  const known = new Set(first.map(({ id }) => id));
  return rows.every(({ id }) => known.has(id));
}

/**
 * What matters most of how an edition differs from the first one.
 * @param {TrackRow[]} rows @param {TrackRow[]} first @param {boolean} isSame
 */
function differenceOf(rows, first, isSame) {
  if (isSame) return 'the same sound';
  const lossy = lossyWords(rows);
  if (lossy) return lossy;
  const quality = (/** @type {TrackRow[]} */ all) =>
    [largest(all.map(({ rate }) => rate)), largest(all.map(({ bits }) => bits))];
  const [[hertz, bits], [firstHertz, firstBits]] = [quality(rows), quality(first)];
  if (hertz && hertz !== firstHertz) return rate(hertz);
  if (bits && firstBits && bits !== firstBits) return `${bits} bits`;
  const pairs = pairsOf(rows, first);
  const mean = (/** @type {'lufs' | 'truepeak'} */ field) => {
    const known = pairs.filter(([one, other]) => typeof one[field] === 'number' && typeof other[field] === 'number');
    return known.length
      ? known.reduce((all, [one, other]) => all + (one[field] ?? 0) - (other[field] ?? 0), 0) / known.length : 0;
  };
  const louder = mean('lufs');
  if (Math.abs(louder) >= 0.25) return `${number(Math.abs(louder), 1)} dB ${louder > 0 ? 'louder' : 'quieter'}`;
  const higher = mean('truepeak');
  if (Math.abs(higher) >= 0.05) return `peaks ${number(Math.abs(higher), 1)} dB ${higher > 0 ? 'higher' : 'lower'}`;
  return bits && !firstBits ? `${bits} bits` : '';
}

/**
 * "2 from lossy sources, perhaps 5 more"; empty if none are.
 * @param {TrackRow[]} rows
 */
function lossyWords(rows) {
  const of = (/** @type {string} */ verdict) => rows.filter(({ lossy_source: own }) => own === verdict).length;
  const [sure, perhaps] = [of('strong'), of('weak')];
  if (!sure) return perhaps ? `perhaps ${number(perhaps)} from lossy sources` : '';
  return `${number(sure)} from lossy sources` + (perhaps ? `, perhaps ${number(perhaps)} more` : '');
}

/**
 * The tracks that are in both, by disc, number and title.
 * @param {TrackRow[]} rows @param {TrackRow[]} others
 */
function pairsOf(rows, others) {
  const key = (/** @type {TrackRow} */ row) => `${row['album-disc'] ?? 1} ${row.track ?? ''} ${fold(row.title ?? '')}`;
  const known = new Map(others.map((row) => [key(row), row]));
  return rows.flatMap((row) => {
    const other = known.get(key(row));
    return other ? [/** @type {[TrackRow, TrackRow]} */ ([row, other])] : [];
  });
}

/**
 * How many tracks rows are, without files that could not be read: these are told as what is wrong.
 * @param {TrackRow[]} rows
 */
export const trackCount = (rows) => rows.filter(({ edition }) => edition).length || rows.length;

/**
 * The discs of an edition.
 * @param {TrackRow[]} rows @returns {Disc[]}
 */
export function discsOf(rows) {
  /** @type {Map<number, TrackRow[]>} */
  const discs = new Map();
  for (const row of rows) {
    const disc = row['album-disc'] ?? 1;
    discs.set(disc, [...(discs.get(disc) ?? []), row]);
  }
  return [...discs].map(([number, rows]) => ({
    number, rows, seconds: sum(rows),
    title: [`Disc ${number}`, ...distinct(rows.map((row) => row.discsubtitle)).slice(0, 1)].join(' \u00b7 '),
  }));
}

/**
 * The extremes of some numbers, "2004–2012".
 * @param {(number | null | undefined)[]} values @param {(value: number) => string} [show]
 */
export function span(values, show = String) {
  const known = distinct(values);
  if (!known.length) return '';
  const [least, most] = [show(Math.min(...known)), show(Math.max(...known))];
  return least === most ? least : `${least}\u2013${most}`;
}

/**
 * "10 artists", the years, "35 tracks on 2 discs", the length.
 * @param {Edition} edition
 */
export function factsOf({ rows, seconds }) {
  const artists = distinct(rows.flatMap(({ artist }) => valuesOf(artist)));
  const discs = discsOf(rows).length;
  return [
    artists.length > 1 ? count(artists.length, 'artist') : '', span(rows.map(({ year }) => year)),
    count(trackCount(rows), 'track') + (discs > 1 ? ` on ${count(discs, 'disc')}` : ''), duration(seconds),
  ].filter(Boolean);
}

/**
 * The genres of most tracks, at most two.
 * @param {TrackRow[]} rows
 */
export function genresOf(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { genre } of rows) for (const name of valuesOf(genre)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 2).map(([name]) => name);
}

/**
 * "Vorbis, 44.1 kHz, stereo, 126–192 kbit/s".
 * @param {TrackRow[]} rows
 */
export function formatOf(rows) {
  const bitrates = span(rows.map(({ bitrate }) => bitrate && Math.round(bitrate / 1000)));
  const bits = distinct(rows.map(({ bits }) => bits));
  return [
    codecsOf(rows), bits.length ? span(bits) + ' bits' : '',
    distinct(rows.map(({ rate }) => rate)).sort((a, b) => a - b).map(rate).join(' and '),
    distinct(rows.map((row) => row.channels)).map(channels).join(' and '), bitrates && bitrates + ' kbit/s',
  ].filter(Boolean).join(', ');
}

/** @type {Record<string, [string, string]>} */
const states = {
  damaged: ['is damaged', 'are damaged'], empty: ['is empty', 'are empty'],
  unreadable: ['cannot be read', 'cannot be read'], unsupported: ['has no decoder', 'have no decoder'],
  crashed: ['made a decoder crash', 'made a decoder crash'],
  timeout: ['took too long to decode', 'took too long to decode'], oversize: ['is too large', 'are too large'],
  pending: ['is not read yet', 'are not read yet'],
};

/**
 * "3", "2–5", of a disc beyond the first "2.3": at most eight, then how many more.
 * @param {{disc: number, track: number}[]} places @param {boolean} hasDiscs
 */
function placesText(places, hasDiscs) {
  /** @type {{disc: number, first: number, last: number}[]} */
  const runs = [];
  for (const { disc, track } of places) {
    const run = runs.at(-1);
    if (run?.disc === disc && run.last + 1 === track) run.last = track;
    else runs.push({ disc, first: track, last: track });
  }
  const more = runs.slice(8).reduce((all, { first, last }) => all + last - first + 1, 0);
  const shown = runs.slice(0, 8).map(({ disc, first, last }) =>
    (hasDiscs ? `${disc}.` : '') + (first === last ? first : `${first}\u2013${last}`));
  return shown.join(', ') + (more ? ` and ${number(more)} more` : '');
}

/**
 * What is wrong with an album, a sentence each; none if nothing is.
 * @param {AlbumDetail['wrong']} wrong @param {TrackRow[]} rows of the edition that is shown
 * @returns {{words: string, isGrave: boolean}[]}
 */
export function wrongOf(wrong, rows) {
  /** @type {{words: string, isGrave: boolean}[]} */
  const found = [];
  const add = (/** @type {string} */ words, isGrave = false) => found.push({ words, isGrave });
  const places = [...wrong.missing_tracks, ...wrong.double_tracks];
  const hasDiscs = wrong.missing_discs.length > 0 || places.some(({ disc }) => disc > 1);
  const noun = (/** @type {{length: number}} */ all, /** @type {string} */ one) => (all.length === 1 ? one : one + 's');
  if (wrong.missing_discs.length) {
    add(`${noun(wrong.missing_discs, 'Disc')} ${wrong.missing_discs.slice(0, 8).join(', ')} missing`, true);
  }
  if (wrong.missing_tracks.length) {
    add(`${noun(wrong.missing_tracks, 'Track')} ${placesText(wrong.missing_tracks, hasDiscs)} missing`, true);
  }
  if (wrong.double_tracks.length) {
    add(`${noun(wrong.double_tracks, 'Track')} ${placesText(wrong.double_tracks, hasDiscs)} more than once`);
  }
  if (wrong.contradicting_discs.length) add('Files differ about the number of tracks');
  if (wrong.partly_numbered) add('Some tracks have no number');
  for (const [state, files] of Object.entries(wrong.states)) {
    const [one, many] = states[state] ?? [`is ${state}`, `are ${state}`];
    add(`${count(files, 'file')} ${files === 1 ? one : many}`, true);
  }
  const lossy = lossyWords(rows);
  if (lossy) add(lossy[0].toUpperCase() + lossy.slice(1));
  return found;
}

/**
 * "26,361 samples in 14 tracks"; null if nothing is clipped.
 * @param {TrackRow[]} rows
 */
export function clippedOf(rows) {
  const clipped = rows.filter((row) => row.clipped);
  const samples = clipped.reduce((all, row) => all + (row.clipped ?? 0), 0);
  return samples ? `${count(samples, 'sample')} in ${count(clipped.length, 'track')}` : null;
}

/**
 * The track with the highest true peak; null if none is known.
 * @param {TrackRow[]} rows
 */
export function loudestPeakOf(rows) {
  const most = largest(rows.map(({ truepeak }) => truepeak));
  return most === null ? null : rows.find(({ truepeak }) => truepeak === most) ?? null;
}

/**
 * Where tracks lie on one axis of time, gaps between them, and wider ones between discs.
 * @param {TrackRow[]} rows @param {number} width in pixels
 * @returns {{row: TrackRow, left: number, width: number, start: number, seconds: number, isFirst: boolean}[]}
 *   `start`: seconds of the album before it; `isFirst` of another disc than the one before
 */
export function stripOf(rows, width) {
  const heard = rows.filter(({ duration }) => duration);
  const isFirst = (/** @type {number} */ i) =>
    i > 0 && (heard[i]['album-disc'] ?? 1) !== (heard[i - 1]['album-disc'] ?? 1);
  const gaps = heard.reduce((all, _, i) => all + (i ? (isFirst(i) ? 12 : 3) : 0), 0);
  // With very many tracks gaps would leave nothing of them.
  const narrow = Math.min(1, width / 2 / Math.max(1, gaps));
  const scale = (width - gaps * narrow) / Math.max(1e-9, sum(heard));
  let [left, start] = [0, 0];
  return heard.map((row, i) => {
    const seconds = row.duration ?? 0;
    if (i) left += (isFirst(i) ? 12 : 3) * narrow;
    const place = { row, left, width: seconds * scale, start, seconds, isFirst: isFirst(i) };
    left += place.width;
    start += seconds;
    return place;
  });
}
