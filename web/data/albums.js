/** Albums that sound like one. */

import { getJSON } from '../core/api.js';

/** @typedef {import('./documents.js').TrackRow} TrackRow */

/** So many of its tracks are compared: it is the same sound that makes an album, mostly. */
const compared = 4;

/**
 * Some rows, evenly spread.
 * @template T
 * @param {T[]} rows @param {number} most @returns {T[]}
 */
export const spread = (rows, most) =>
  (rows.length <= most ? rows
    : Array.from({ length: most }, (_, i) => rows[Math.floor(((i + 0.5) * rows.length) / most)]));

/**
 * The albums of the tracks that are most like some of an album's, the most alike first.
 * @param {number} album @param {TrackRow[]} rows its tracks @param {number} [most]
 * @returns {Promise<{id: number, title: string}[]>}
 */
export async function likeAlbum(album, rows, most = 5) {
  const heard = spread(rows.filter(({ id }) => id), compared);
  /** @type {Map<number, number>} */
  const likeness = new Map();
  await Promise.all(heard.map(async ({ id }) => {
    const { tracks } = await getJSON(`/tracks/${id}/similar`, { limit: 20, other_albums: 1 })
      .catch(() => ({ tracks: [] }));
    for (const track of tracks) likeness.set(track.id, (likeness.get(track.id) ?? 0) + track.likeness);
  }));
  if (!likeness.size) return [];
  const ids = [...likeness.keys()].join(',');
  const { rows: found } = await getJSON('/tracks', { q: `id:${ids}`, fields: 'album,album-id,artist', limit: 500 });
  /** @type {Map<number, {id: number, title: string, likeness: number}>} */
  const albums = new Map();
  for (const row of found) {
    const id = row['album-id'];
    if (!id || id === album || !row.album) continue;
    const known = albums.get(id) ?? { id, title: row.album, likeness: 0 };
    known.likeness = Math.max(known.likeness, likeness.get(row.id) ?? 0);
    albums.set(id, known);
  }
  return [...albums.values()].sort((a, b) => b.likeness - a.likeness).slice(0, most);
}
