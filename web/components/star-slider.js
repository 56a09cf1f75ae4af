/** The rating of a track as a slider of its own, for pages without rows. */

import { makeStars, rateTrack, setStars, starsOf } from './stars.js';
import { attribute, h } from '../core/dom.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */

/** @param {TrackRow} row */
export function starSlider(row) {
  // The same star again takes the rating back.
  const set = (/** @type {number} */ star) => rateTrack(row, star || starsOf(row));
  const element = makeStars(set);
  element.tabIndex = 0;
  const attributes = { role: 'slider', 'aria-label': 'Rating', 'aria-valuemin': 0, 'aria-valuemax': 5 };
  for (const [name, value] of Object.entries(attributes)) attribute(element, name, value);
  element.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const stars = starsOf(row);
    const wanted = step ? Math.max(0, Math.min(5, stars + step)) : /^[0-5]$/.test(event.key) ? Number(event.key) : -1;
    if (wanted < 0) return;
    if (wanted !== stars || (!step && stars)) set(wanted);
    event.preventDefault();
    event.stopPropagation();
  });
  setStars(element, starsOf(row));
  return h('span', { 'data-track': row.id }, element);
}
