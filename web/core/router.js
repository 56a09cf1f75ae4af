/** Which page the address names. */

import { signal } from './dom.js';

/**
 * @typedef {{page: 'library' | 'track' | 'compare' | 'settings' | 'equalizer' | 'spectrum' | 'identify', ids: number[], q: string, sort: string, view: string, folder: string}} Place
 */

/** @returns {Place} */
function read() {
  const [first, ...rest] = location.pathname.split('/').filter(Boolean);
  const parameters = new URLSearchParams(location.search);
  const page = first === 'track' || first === 'compare' || first === 'settings' || first === 'equalizer' || first === 'spectrum' || first === 'identify' ? first : 'library';
  return {
    page, ids: rest.map(Number).filter(Number.isInteger),
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
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button || link.download) return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
