/** Which page the address names, and how it was left. */

import { signal } from './signals.js';

/**
 * @typedef {'library' | 'album' | 'track' | 'compare' | 'settings' | 'equalizer' | 'spectrum' | 'identify' | 'tags'
 *   | 'rules' | 'start' | 'signin' | 'nowhere'} Page
 * @typedef {{
 *   page: Page, ids: number[], q: string, sort: string, view: string, folder: string, item: string, kept: any,
 * }} Place `item`: which row of a view is open; `kept`: what the view kept when the place was left, null if it is new
 * @typedef {{
 *   element: HTMLElement, name?: string, show: (place: Place) => void | Promise<void>, hide?: () => void,
 *   keep?: () => any, refresh?: () => void | Promise<void>,
 * }} View what a place shows; `hide` ends what it does while nobody sees it, `keep` tells how it is left, as JSON,
 *   `refresh` shows what the library has become, where one is
 */

/** @type {Page[]} The first word of their addresses; the library has none. */
const pages = [
  'album', 'track', 'compare', 'settings', 'equalizer', 'spectrum', 'identify', 'tags', 'rules', 'start', 'signin',
];

/** @param {any} kept @returns {Place} */
function read(kept) {
  const [first, ...rest] = location.pathname.split('/').filter(Boolean);
  const parameters = new URLSearchParams(location.search);
  const given = (/** @type {string} */ name) => parameters.get(name) ?? '';
  return {
    page: first === undefined || first === 'index.html' ? 'library' : pages.find((page) => page === first) ?? 'nowhere',
    ids: rest.map(Number).filter(Number.isInteger), q: given('q'), sort: given('sort'), view: given('view') || 'tracks',
    folder: given('folder'), item: given('item'), kept: kept ?? null,
  };
}

/** How places were left, by the numbers that their entries of the history have. */
const keeping = {
  /** @type {Map<number, any>} */
  places: new Map(),
  number: typeof history.state?.number === 'number' ? history.state.number : 0,
  /** @type {() => any} */
  keep: () => null,
};

/** Where the page is; how it was left is known after it was loaded again, too. */
export const place = signal(read(history.state ? left() : null));
history.replaceState({ number: keeping.number }, '');

/** How the page was left when it was unloaded, if it was at this place: the history takes no more then. */
function left() {
  try {
    const { address, kept } = JSON.parse(sessionStorage.getItem('deadwax.left') ?? '{}');
    return address === location.href ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Says how the place that is shown is left.
 * @param {() => any} keep
 */
export const keepWith = (keep) => (keeping.keep = keep);

/** @param {string} address @param {boolean} [replace] leaves no step to go back to */
export function go(address, replace = false) {
  if (replace) history.replaceState({ number: keeping.number }, '', address);
  else {
    keeping.places.set(keeping.number, keeping.keep());
    history.pushState({ number: (keeping.number += 1) }, '', address);
  }
  place.value = read(null);
}

addEventListener('popstate', (event) => {
  keeping.places.set(keeping.number, keeping.keep());
  keeping.number = event.state?.number ?? 0;
  place.value = read(keeping.places.get(keeping.number));
});

addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem('deadwax.left', JSON.stringify({ address: location.href, kept: keeping.keep() }));
  } catch {
    // No storage: the page begins at its top.
  }
});

// Links within the page do not load it again.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a');
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0;
  if (!link || event.defaultPrevented || isElsewhere || link.download) return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
