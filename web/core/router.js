/** Which page the address names. */

import { signal } from './signals.js';

/**
 * @typedef {'library' | 'track' | 'compare' | 'settings' | 'equalizer' | 'spectrum' | 'identify' | 'tags'} Page
 * @typedef {{page: Page, ids: number[], q: string, sort: string, view: string, folder: string}} Place
 * @typedef {{element: HTMLElement, show: (place: Place) => void | Promise<void>, hide?: () => void}} View
 *   what a place shows; `hide` ends what it does while nobody sees it
 */

/** @type {Page[]} The first word of their addresses; the library has none. */
const pages = ['track', 'compare', 'settings', 'equalizer', 'spectrum', 'identify', 'tags'];

/** @returns {Place} */
function read() {
  const [first, ...rest] = location.pathname.split('/').filter(Boolean);
  const parameters = new URLSearchParams(location.search);
  return {
    page: pages.find((page) => page === first) ?? 'library', ids: rest.map(Number).filter(Number.isInteger),
    q: parameters.get('q') ?? '', sort: parameters.get('sort') ?? '', view: parameters.get('view') ?? 'tracks',
    folder: parameters.get('folder') ?? '',
  };
}

/** Where the page is. */
export const place = signal(read());

/** @param {string} address @param {boolean} [replace] leaves no step to go back to */
export function go(address, replace = false) {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  place.value = read();
}

addEventListener('popstate', () => (place.value = read()));

// Links within the page do not load it again.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a');
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0;
  if (!link || event.defaultPrevented || isElsewhere || link.download) return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
