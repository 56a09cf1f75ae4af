/** Puts the page together: its head, the page that the address names, and the player. */

import { openKeys, watchKeys } from './app/keys.js';
import { watchDrawers } from './app/drawers.js';
import { ScanLine } from './app/scan-line.js';
import { watchTagLinks } from './app/tags.js';
import { opened, viewOf } from './app/views.js';
import { drawers } from './components/drawer.js';
import { watchDrops } from './components/file-drop.js';
import { forgetFailure, toastFailure } from './components/toast.js';
import { getJSON, isNews, listen, logInFromAddress, whenRefused } from './core/api.js';
import { attribute, h, setText } from './core/dom.js';
import { count } from './core/format.js';
import { go, keepWith, place } from './core/router.js';
import { isLow } from './core/settings.js';
import { effect, signal } from './core/signals.js';
import { scan } from './data/scan.js';
import { joinMediaSession } from './player/media-session.js';
import { player } from './player/player.js';
import { Library } from './views/library/library.js';
import { found } from './views/library/tabs.js';
import { Bar } from './views/player/bar.js';

await logInFromAddress().catch(() => {});

export const bar = new Bar();
export const library = new Library(viewOf);
opened.library = library;
const scanLine = new ScanLine();

const back = h('a', { href: '/', class: 'back' });
const menu = h('nav', { class: 'words', 'aria-label': 'Pages' }, back,
  h('a', { href: '/equalizer' }, 'Equalizer'), h('a', { href: '/spectrum' }, 'Spectrum'),
  h('a', { href: '/identify', class: 'roomy' }, 'Identify'),
  h('a', { href: '/?view=lists', class: 'roomy' }, 'Lists'), h('a', { href: '/settings' }, 'Settings'),
  h('button', { type: 'button', class: 'word roomy', onclick: openKeys }, 'Keys ?'));
// Painted before this module and all others have come.
const head = /** @type {HTMLElement} */ (document.querySelector('.top'));
head.append(menu);
const body = h('div', { class: 'page' });
document.body.prepend(h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => {
  event.preventDefault();
  event.stopPropagation();
  /** @type {HTMLElement | null} */ (document.querySelector('.table, #main'))?.focus();
} }, 'Skip to the content'), head, scanLine.element, body, bar.element);

/** @type {Partial<Record<import('./core/router.js').Page, string>>} */
const titles = {
  album: 'Album', settings: 'Settings', identify: 'Identify', rules: 'Rules', start: 'Your music', tags: 'Tags',
};

const smallScreen = matchMedia('(max-width: 799.9px)');
/** Only beside the table of tracks, on a screen that is high enough, is there room for the whole player. */
const fitPlayer = () => {
  const isCovered = (drawers.queue.value || drawers.playing.value) && smallScreen.matches;
  const isTable = body.firstElementChild === library.element && place.peek().view === 'tracks';
  document.body.classList.toggle('foot', isLow.value || isCovered || !isTable);
};

/** @param {import('./core/router.js').View} view @param {import('./core/router.js').Place} place */
function put(view, place) {
  if (body.firstElementChild !== view.element) body.replaceChildren(view.element);
  fitPlayer();
  view.show(place);
}

/** Whether one has to sign in before anything is shown. */
const mustSignIn = signal(false);
whenRefused(() => getJSON('/session').then(({ can_read }) => (mustSignIn.value ||= !can_read), () => {}));

let shown = 'library';
effect(() => {
  const here = place.value;
  const { q } = here;
  const page = mustSignIn.value ? 'signin' : here.page;
  const name = page === 'compare' ? 'track' : page;
  forgetFailure();
  document.body.dataset.page = page;
  if (name !== shown) opened[shown]?.hide?.();
  shown = name;
  if (page === 'library') put(library, here);
  else {
    viewOf(name).then(
      (view) => here === place.peek() && put(view, here),
      (error) => here === place.peek() && toastFailure(`This view cannot be loaded: ${error.message}`));
  }
  if (!player.track.peek()) document.title = [titles[page] ?? q, 'Deadwax'].filter(Boolean).join(' \u2013 ');
  attribute(back, 'hidden', page === 'library');
});
effect(fitPlayer);
effect(() => {
  back.ariaLabel = 'Back to the library';
  setText(back, `\u2190 ${found.value.files ? count(found.value.files, 'track') : 'Library'}`);
  back.href = found.value.address;
});

watchKeys(bar.zoom);
watchTagLinks();
watchDrawers();
watchDrops(async (file) => {
  if (/\.(m3u8?|xspf|jspf|pls)$/i.test(file.name)) {
    return (await import('./views/library/list-changes.js')).importList(file);
  }
  go('/identify');
  /** @type {import('./views/similarity/identify.js').IdentifyPage} */ (await viewOf('identify')).look(file);
});
joinMediaSession();
keepWith(() => (shown === 'library' ? library : opened[shown])?.keep?.() ?? null);
/** @type {import('./player/queue-keeper.js').QueueKeeper | null} */
let keeper = null;
// What is not needed to show the library waits until that is shown.
import('./player/resume.js').then(({ resume }) => (keeper = resume()));
/** @param {string} [revision] what the library has become */
const changed = async (revision) => {
  // What this page has edited is known when the server has answered.
  await keeper?.talk;
  if (!isNews(revision)) return;
  keeper?.refresh();
  if (shown === 'library') library.show(place.peek(), true);
  else opened[shown]?.refresh?.();
};
listen({
  library: changed, again: () => changed(),
  scan: (progress) => (scan.value = progress),
});
(globalThis.requestIdleCallback ?? setTimeout)(() => player.engine.warm());
getJSON('/status').then((status) => {
  isNews(status.revision);
  scan.value = status.scan;
  const { page, q } = place.peek();
  // Without music there is nothing else to see.
  if (!status.files && page === 'library' && !q) go('/start', true);
}).catch(() => {});

// The face is needed before canvases write with it.
document.fonts.load('11px "Deadwax Etch"').then(() => bar.zoom.draw());
