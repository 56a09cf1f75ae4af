/** What can be done with a track of a table, at the pointer: by the right button, or a finger that stays. */

import { openMenu } from '../../components/menu.js';
import { toast } from '../../components/toast.js';
import { go } from '../../core/router.js';
import { titleOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/**
 * Queues a track, and says so.
 * @param {TrackRow} row @param {boolean} isLast after everything else, not next
 */
export function queueRow(row, isLast) {
  const plays = player.track.peek() !== null;
  if (isLast) player.askLast(row);
  else player.ask(row);
  if (!plays) return;
  toast(isLast ? `“${titleOf(row)}” is the last one in the queue.` : `“${titleOf(row)}” plays next.`, () => {
    const words = player.undoEdit();
    if (words) toast(`Undone: ${words}.`);
  });
}

/**
 * @param {MouseEvent} event @param {TrackRow} row
 * @param {[string, () => void][]} more what the place of the row adds
 */
export function openRowMenu(event, row, more) {
  openMenu({ x: event.clientX, y: event.clientY }, titleOf(row), [
    ['Play next', () => queueRow(row, false)], ['Add to the queue', () => queueRow(row, true)], ...more,
    ['Open the track', () => go(`/track/${row.id}`)],
  ]);
}
