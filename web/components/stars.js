/** Five strokes for a rating of 0 to 100: in rows, on the page of a track, in a menu. */

import { attempt } from './toast.js';
import { change } from '../core/api.js';
import { attribute, h } from '../core/dom.js';
import { titleOf } from '../data/tracks.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */

/**
 * The stars that a rating stands for.
 * @param {TrackRow} row
 */
export const starsOf = (row) => Math.round(Number(row.rating ?? 0) / 20);

/** @param {number} stars */
const words = (stars) => (stars ? `${stars} of 5` : 'Not rated');

/** @param {((star: number) => void) | null} rate is told which stroke is pressed; null if none can be */
export function makeStars(rate) {
  const strokes = [1, 2, 3, 4, 5].map((star) => h('span', {
    class: 'star', ...(rate ? { title: `Rate ${star} of 5`, onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      rate(star);
    } } : {}),
  }));
  return h('span', { class: 'stars', role: 'img' }, strokes);
}

/** @param {Element} element @param {number} stars */
export function setStars(element, stars) {
  [...element.children].forEach((stroke, i) => stroke.classList.toggle('given', i < stars));
  const isSlider = element.getAttribute('role') === 'slider';
  attribute(element, isSlider ? 'aria-valuetext' : 'aria-label', words(stars));
  if (isSlider) attribute(element, 'aria-valuenow', stars);
}

/**
 * Rates a track from 1 to 5; the same again takes the rating back.
 * @param {TrackRow} row which then has the rating @param {number} star
 */
export async function rateTrack(row, star) {
  if (!row.id) return;
  const stars = starsOf(row) === star ? 0 : star;
  const sentence = stars ? `“${titleOf(row)}” has ${stars} of 5.` : `“${titleOf(row)}” is not rated any more.`;
  const set = () => change('PUT', `/tracks/${row.id}/rating`, { rating: stars ? 20 * stars : null });
  if (!(await attempt(set, sentence))) return;
  row.rating = stars ? String(20 * stars) : null;
  for (const element of document.querySelectorAll(`[data-track="${row.id}"] .stars`)) setStars(element, stars);
}
