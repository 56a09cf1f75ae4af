/** The views beside the library: each is loaded, with its style sheets, when it is first opened. */

import { loadStyle } from '../core/dom.js';

/**
 * @typedef {import('../core/router.js').Place} Place
 * @typedef {{element: HTMLElement, show: (place: Place) => void, hide?: () => void}} View
 */

/** @type {Record<string, {sheets: string[], load: () => Promise<View>}>} */
const sources = {
  equalizer: { sheets: ['track', 'equalizer'], load: async () => new (await import('../equalizer/equalizer.js')).EqualizerPage() },
  identify: { sheets: ['track', 'alike'], load: async () => new (await import('../alike/identify.js')).IdentifyPage() },
  settings: { sheets: ['track'], load: async () => new (await import('./settings.js')).SettingsPage() },
  spectrum: { sheets: ['track', 'equalizer'], load: async () => new (await import('../spectrum/spectrum.js')).SpectrumPage() },
  track: { sheets: ['track'], load: async () => new (await import('../track/track.js')).TrackPage() },
};

/**
 * Those that have been opened, by their names.
 * @type {Record<string, View>}
 */
export const opened = {};

/**
 * The view of a place.
 * @param {Place} place not that of the library
 * @returns {Promise<View>}
 */
export async function viewOf({ page }) {
  const name = page === 'compare' ? 'track' : page;
  if (opened[name]) return opened[name];
  const { sheets, load } = sources[name];
  const [view] = await Promise.all([load(), ...sheets.map(loadStyle)]);
  return (opened[name] ??= view);
}
