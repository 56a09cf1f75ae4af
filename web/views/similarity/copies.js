/** Groups of files with sound in common, in words and figures: what differs, and why one is kept. */

import { number, time } from '../../core/format.js';
import { codecName } from '../../data/tracks.js';

/** @typedef {import('../../data/documents.js').CopyFile} CopyFile */
/** @typedef {import('../../data/documents.js').CopyGroup} CopyGroup */

/**
 * What a group has in common, in two words and in a sentence.
 * @type {Record<CopyGroup['kind'], [string, string]>}
 */
export const kinds = {
  'same-recording': ['Same recording', 'The same sound from start to end; one is worth keeping.'],
  contained: ['Contained', 'One is part of the other.'],
  'other-master': ['Other master', 'The same music, mastered or processed differently.'],
  'shares-sample': ['Shares a sample', 'Only a part is shared, such as a loop or an intro.'],
};

/**
 * How the kept file is, compared with another one.
 * @type {Record<import('../../data/documents.js').ReasonCode, string>}
 */
const advantages = {
  undamaged: 'undamaged',
  longer: 'longer',
  'more-channels': 'of more channels',
  lossless: 'lossless',
  'more-bits': 'of more bits',
  'reaches-higher': 'wider in frequency',
  'higher-sample-rate': 'of a higher rate',
  'higher-bit-rate': 'of a higher bit rate',
  'not-clipped': 'not clipped',
  'more-of-the-sound': 'more of the sound',
};

/**
 * "FLAC 44.1/16", "Vorbis 147 kbit/s".
 * @param {CopyFile} file
 */
export function formatOf({ codec, sample_rate_hz: hertz, bits, bitrate_bps: rate, is_lossless: isLossless }) {
  const name = codec ? codecName(codec) : '?';
  if (bits || isLossless || !rate) return `${name} ${hertz / 1000}${bits ? `/${bits}` : ''}`;
  return `${name} ${number(rate / 1000)} kbit/s`;
}

/**
 * What is said about a file: why it is kept or not, or where the common sound is.
 * @param {CopyGroup} group @param {number} place of the file in it
 */
export function remark(group, place) {
  const { common_seconds: common, offset_seconds: offset, kind } = group;
  if (kind !== 'same-recording') {
    if (!place || common === null) return '';
    return `${time(common)} in common, starts at ${offset < 0 ? '\u2212' : ''}${time(Math.abs(offset))}`;
  }
  if (place === 0) return 'Keep';
  const { identical, reason, reason_code: code } = group.files[place];
  // A server may know reasons that this page does not.
  const advantage = (code && advantages[code]) ?? reason;
  return (identical ? 'Same samples; ' : '') + (advantage ? `the kept one is ${advantage}` : 'as good as the kept one');
}

/** @param {CopyFile} file */
export const nameOf = (file) => file.title || file.path.split('/').pop();

/**
 * What a file of a group is called beside the others.
 * @param {number} place
 */
export const letterOf = (place) => String.fromCharCode(65 + (place % 26));

/**
 * The voices of a group, one for each recording, where they belong in time.
 * @param {CopyGroup} group @returns {(import('../../audio/synced-playback.js').Voice & {letter: string})[]}
 */
export function voicesOf(group) {
  const isFirst = (/** @type {CopyFile} */ { id }, /** @type {number} */ place) =>
    group.files.findIndex((file) => file.id === id) === place;
  return group.files.filter(isFirst).map((file, i) => ({
    id: file.id, rate: file.sample_rate_hz, seconds: file.duration_seconds, loudness: file.loudness_lufs,
    start: group.kind === 'same-recording' ? file.offset_seconds ?? 0 : i ? group.offset_seconds ?? 0 : 0,
    letter: letterOf(group.files.indexOf(file)),
  }));
}
