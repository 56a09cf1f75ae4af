/** How a track leads to the next one, as the server plans it. */

import { getJSON } from '../core/api.js';

/**
 * @typedef {{start: number, end: number, overlap: number, fadeOut: number, fadeIn: number}} Join in frames: the track
 *   begins at its frame `start`, while the last `overlap` frames before `end` of the one before sound
 * @typedef {{kind: string, reason: string, seconds: number, join: Join | null}} Transition with `seconds` of both
 * @typedef {{
 *   id: number, rate: number, frames: number, from: number, until: number,
 *   effects: import('./presets.js').Settings | null,
 * }} Track
 */

/**
 * Whether frames of the plan are those that are played: not those of parts, nor of tracks that are played faster.
 * @param {Track} track
 */
const isWhole = ({ from, until, frames, effects }) => from === 0 && until === frames && (effects?.rate ?? 1) === 1;

/**
 * @param {Track} track @param {Track} next @param {'silence' | 'smart'} style
 * @returns {Promise<Transition | null>} null if one simply follows the other
 */
export async function transitionTo(track, next, style) {
  // Other rates are played by another context, behind the end of this one.
  if (!isWhole(track) || !isWhole(next) || track.rate !== next.rate) return null;
  const plan = await getJSON('/transitions', { ids: `${track.id},${next.id}`, style, rate: track.rate });
  const found = plan.tracks[0]?.next;
  if (!found) return null;
  const { kind, reason, end_frame: end, next_start_frame: start, overlap_frames: overlap } = found;
  const isPlain = end === track.frames && start === 0 && overlap === 0;
  const join = { start, end, overlap, fadeOut: found.fade_out_frames, fadeIn: found.fade_in_frames };
  return { kind, reason, seconds: overlap / track.rate, join: isPlain ? null : join };
}
