/** Where covers are: without a picture they are engraved from the sound, on the ground of the theme. */

import { address } from '../core/api.js';

/** As settings and stylesheet have it. */
const isLight = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
};

/** @param {string} path @param {number} side in pixels of the page */
const cover = (path, side) => address(path, {
  size: Math.round(side * Math.min(3, devicePixelRatio || 1)), ground: isLight() ? 'light' : 'dark',
});

/** @param {number} id of a track @param {number} side in pixels of the page */
export const coverOfTrack = (id, side) => cover(`/tracks/${id}/cover`, side);

/** @param {number} id of an album @param {number} side in pixels of the page */
export const coverOfAlbum = (id, side) => cover(`/albums/${id}/cover`, side);
