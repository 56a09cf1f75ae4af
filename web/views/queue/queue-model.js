/** What the drawer of the queue shows, and where what is dragged lands; it knows no elements. */

import { date, duration, time } from '../../core/format.js';

/** @typedef {import('../../player/queue-changes.js').Entry} Entry */
/**
 * @typedef {{kind: 'label', text: string, top: number, height: number, more: number}
 *   | {kind: 'entry', entry: Entry, index: number, state: 'played' | 'current' | 'next', top: number, height: number}
 * } Line
 */

/** Of what was played so many are shown, until all are asked for. */
export const playedShown = 2;

/**
 * The lines of the drawer, from top to bottom.
 * @param {Entry[]} entries @param {number} place of the current one, or −1
 * @param {{row: number, label: number, showsAll: boolean}} how heights in pixels, and whether all of what was played is
 *   shown
 * @returns {Line[]}
 */
export function linesOf(entries, place, { row, label, showsAll }) {
  /** @type {Line[]} */
  const lines = [];
  let top = 0;
  const add = (/** @type {any} */ line, /** @type {number} */ height) => {
    lines.push({ ...line, top, height });
    top += height;
  };
  const hidden = showsAll ? 0 : Math.max(0, place - playedShown);
  if (place > 0) add({ kind: 'label', text: 'Played', more: place > playedShown ? place : 0 }, label);
  for (let index = hidden; index < entries.length; index += 1) {
    if (index === place + 1) add({ kind: 'label', text: 'Next', more: 0 }, label);
    const state = index < place ? 'played' : index === place ? 'current' : 'next';
    add({ kind: 'entry', entry: entries[index], index, state }, row);
  }
  return lines;
}

/** @type {Record<string, string>} */
const kinds = {
  join: 'without a gap', cut: 'without a gap', butt: 'short silence', tail: 'in its ending', cross: 'cross-fade',
  beat: 'on the beat',
};
/** @type {Record<string, string>} */
const reasons = {
  'album-continues': 'The album continues.', 'parts-touch': 'Both are parts of one file.',
  'same-recording': 'It is the same recording again.', short: 'One of them is shorter than 30 seconds.',
  genre: 'This genre is never faded.', 'ends-abruptly': 'No silence at the end, and the same edition.',
  'levels-unknown': 'One of them is silent, or not measured yet.', 'beats-agree': 'Tempo and key agree.',
  'fades-by-itself': 'The track fades by itself.', 'abrupt-on-both-sides': 'A loud ending and a loud beginning.',
  'silence-trimmed': 'Silence is cut to half a second.', 'ending-is-quiet': 'The ending is quiet.',
  'ending-is-loud': 'The ending is loud, the beginning quiet.',
};

/**
 * How the current track leads to the next one, and why.
 * @param {import('../../data/transitions.js').Transition | null} transition
 */
export function transitionWords(transition) {
  if (!transition) return { text: '', title: '' };
  const { kind, reason, seconds } = transition;
  const length = seconds ? `, ${seconds.toFixed(1)} s` : '';
  return { text: `${kinds[kind] ?? kind}${length}`, title: reasons[reason] ?? '' };
}

/** @param {Line[]} lines */
export const heightOf = (lines) => (lines.length ? lines[lines.length - 1].top + lines[lines.length - 1].height : 0);

/**
 * Where something lands that is dropped at a height: the index in front of which it stands then, and where the line is
 * drawn that says so.
 * @param {Line[]} lines @param {number} y
 */
export function landing(lines, y) {
  let found = { index: 0, y: 0 };
  for (const line of lines) {
    if (line.kind !== 'entry') continue;
    if (y < line.top + line.height / 2) return { index: line.index, y: line.top };
    found = { index: line.index + 1, y: line.top + line.height };
  }
  return found;
}

/**
 * "14 to come · 1 h 2 min · ends at 22:47".
 * @param {Entry[]} entries @param {number} place @param {number} left how many follow, with those that are not here yet
 * @param {number} heard seconds of the current one @param {Date} now
 */
export function summaryOf(entries, place, left, heard, now) {
  if (!entries.length) return '';
  const lengthOf = (/** @type {Entry} */ { row }) => partLength(row) ?? row.duration ?? 0;
  const ahead = entries.slice(Math.max(0, place)).reduce((sum, entry) => sum + lengthOf(entry), 0) - heard;
  const many = `${left === 0 ? 'Nothing' : left.toLocaleString('en')} to come`;
  // Of what is not here nobody knows how long it is.
  if (left > entries.length - 1 - place) return many;
  const seconds = Math.max(0, ahead);
  return `${many} \u00b7 ${duration(seconds)} \u00b7 ends at ${clock(new Date(now.getTime() + 1000 * seconds))}`;
}

/** @param {import('../../data/documents.js').TrackRow} row @returns {number | null} seconds of a part */
export const partLength = ({ part, rate }) => (part && rate ? (part.end - part.start) / rate : null);

/** @param {Date} at */
const clock = (at) => `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;

/**
 * "Yesterday, 21:10: 31 tracks, at 0:48 of Loyalists".
 * @param {import('../../player/queue-changes.js').Former} former @param {Date} now
 */
export function formerWords({ tracks, title, position, changedAt }, now) {
  const at = new Date(changedAt ?? NaN);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  const day = days === 0 ? '' : days === 1 ? 'Yesterday, ' : `${date(changedAt)}, `;
  const when = Number.isNaN(days) ? 'Before' : `${day}${clock(at)}`;
  const many = tracks === 1 ? '1 track' : `${tracks.toLocaleString('en')} tracks`;
  return `${when}: ${many}${title ? `, at ${time(position / 1000)} of ${title}` : ''}`;
}

/** @param {Date} at */
const startOfDay = (at) => new Date(at).setHours(0, 0, 0, 0);
