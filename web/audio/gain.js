/** How loud a track is played: ReplayGain from what was measured, not from tags. */

import { settings } from '../core/settings.js';

/** @typedef {import('../data/documents.js').Measures} Measures */

/** ReplayGain 2.0 plays everything as loud as −18 LUFS. */
const reference = -18;

/**
 * The gain of a track in dB, and whether its peaks allowed no more.
 * @param {{measures?: Measures | null, album?: Measures | null} | undefined} detail the document of a track
 * @param {'track' | 'album' | 'off'} mode @param {boolean} protect
 * @returns {{decibels: number, from: 'track' | 'album' | 'off', isLimited: boolean}}
 */
export function gainOf(detail, mode = settings.replayGain.value, protect = settings.protectPeaks.value) {
  const track = detail?.measures;
  if (mode === 'off' || typeof track?.loudness_lufs !== 'number') return { decibels: 0, from: 'off', isLimited: false };
  const album = mode === 'album' && typeof detail?.album?.loudness_lufs === 'number' ? detail.album : null;
  const wanted = reference - (album?.loudness_lufs ?? track.loudness_lufs);
  const peak = album?.true_peak_dbtp ?? track.true_peak_dbtp ?? 0;
  const isLimited = protect && wanted > -peak;
  return { decibels: isLimited ? -peak : wanted, from: album ? 'album' : 'track', isLimited };
}

/** @param {number} decibels */
export const factor = (decibels) => (decibels === 0 ? 1 : 10 ** (decibels / 20));

/**
 * What a place of the volume slider means: its cube, which the ear finds even.
 * @param {number} place 0…1
 */
export const volumeFactor = (place) => place ** 3;
