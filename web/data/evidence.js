/** What is wrong with a track, or worth a look, in words. */

import { count, time } from '../core/format.js';
import { troubleOf } from './tracks.js';

/** @typedef {'missing' | 'damaged' | 'lossy' | 'clipped' | 'silent'} Kind */
/** @typedef {{kind: Kind, words: string}} Evidence */

/** Fields that rows must have for it. */
export const evidenceFields = ['state', 'reason', 'clipped', 'lossy_source', 'silence_end'];

/** So many seconds of silence behind the music are worth a word. */
const longSilence = 5;

/**
 * The worst first; none for most tracks.
 * @param {import('./documents.js').TrackRow} row with `evidenceFields` @returns {Evidence[]}
 */
export function evidenceOf(row) {
  /** @type {Evidence[]} */
  const found = [];
  const trouble = troubleOf(row);
  if (trouble) found.push({ kind: 'missing', words: trouble });
  if (row.state === 'damaged') found.push({ kind: 'damaged', words: 'Damaged' });
  const { lossy_source: lossy, clipped, silence_end: silence } = row;
  if (lossy && lossy !== 'none') found.push({ kind: 'lossy', words: `Lossy source, ${lossy}` });
  if (clipped) found.push({ kind: 'clipped', words: `${count(clipped, 'sample')} clipped` });
  if (silence && silence >= longSilence) found.push({ kind: 'silent', words: `Silent end, ${time(silence)}` });
  return found;
}
