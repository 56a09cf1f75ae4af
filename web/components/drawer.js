/** What stands over the page beside its views: the queue at the right, and what plays now, as large as the page. */

import { signal } from '../core/signals.js';

/** @typedef {'queue' | 'playing'} Drawer */

/** Whether each is open. */
export const drawers = { queue: signal(false), playing: signal(false) };

/** Whether lyrics or what comes next stand beside the cover of what plays. */
export const besideCover = signal(/** @type {'lyrics' | 'next'} */ ('lyrics'));

const small = matchMedia('(max-width: 799.9px)');

/** @param {Drawer} name */
export function toggleDrawer(name) {
  const other = name === 'queue' ? drawers.playing : drawers.queue;
  // A small screen has room for one.
  if (small.matches) other.value = false;
  drawers[name].value = !drawers[name].peek();
}

/** Opens what plays with its lyrics, or closes it. */
export function toggleLyrics() {
  const isShown = drawers.playing.peek() && besideCover.peek() === 'lyrics';
  besideCover.value = 'lyrics';
  if (isShown || !drawers.playing.peek()) toggleDrawer('playing');
}
