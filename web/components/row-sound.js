/** The small waveform of a row: grey until the pointer is over it or it plays. */

import { outlineOf } from '../data/outlines.js';
import { troubleOf } from '../data/tracks.js';
import { sizeOf } from '../drawing/canvas.js';
import { palette } from '../drawing/colour.js';
import { drawOutline } from '../drawing/waveform.js';
import { player } from '../player/player.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */

/**
 * Where the playing track stands, 0…1, or −1 for others.
 * @param {TrackRow} row
 */
export const playedPart = (row) => {
  const track = player.track.peek();
  return track && track.id === row.id ? player.frame() / track.frames : -1;
};

/**
 * Draws it if something has changed; what is not there yet is asked for.
 * @param {HTMLCanvasElement & {drawn?: string}} canvas @param {TrackRow} row @param {boolean} over
 */
export function drawRowSound(canvas, row, over) {
  const outline = outlineOf(row.id);
  const played = playedPart(row);
  const coloured = over || played >= 0;
  const { width, height } = sizeOf(canvas);
  // What plays is drawn again and again, also while another view is shown.
  if (!width) return;
  const { isLight } = palette.peek();
  const state = [
    row.id, outline !== null, coloured, Math.round(played * 216), isLight, devicePixelRatio, width, height,
  ].join(' ');
  if (canvas.drawn === state) return;
  if (outline) drawOutline(canvas, outline, palette.peek(), { coloured, played, faint: troubleOf(row) !== null });
  else canvas.width = canvas.width;
  canvas.drawn = state;
}
