/** What is done with many rows of a result at once, each time as one change that can be taken back. */

import { change, getFile } from '../core/api.js';

/**
 * @typedef {{q: string, sort: string, rows?: [number, number][], revision?: string}} Selected all that a query finds,
 *   or some of the rows, as ranges without their ends, as they were at a revision of the library
 * @typedef {{tracks: number, changed: number}} Changed
 */

/**
 * @param {Selected} selected @param {string} name @param {string | number | null} value null removes the attribute
 * @returns {Promise<Changed>}
 */
export const setAttribute = (selected, name, value) => change('POST', '/attributes', { ...selected, name, value });

/**
 * @param {Selected} selected @param {string | null} preset its name; null for none
 * @returns {Promise<Changed>}
 */
export const assignPreset = (selected, preset) => change('POST', '/presets/assign', { ...selected, preset });

/** What playlists can be written as, with the programs that read them. */
export const playlistFormats = [
  ['m3u8', 'M3U8: most players'], ['m3u', 'M3U: older players'], ['xspf', 'XSPF: VLC, Strawberry'],
  ['pls', 'PLS: radios, Winamp'], ['jspf', 'JSPF: ListenBrainz'],
];

/**
 * Saves tracks as a playlist file.
 * @param {Selected} selected @param {string} format @param {string} title
 */
export async function savePlaylist(selected, format, title) {
  const file = await getFile('/playlists', { ...selected, format, title });
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file), download: `${title.replace(/[/\\:]/g, '-') || 'Playlist'}.${format}`,
  });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
