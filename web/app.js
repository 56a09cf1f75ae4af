/** Puts the page together: its head, the page that the address names, and the player. */

import { watchDrops } from './alike/dropping.js';
import { getJSON, listen, logInFromAddress } from './core/api.js';
import { attribute, effect, h, setText } from './core/dom.js';
import { count } from './core/format.js';
import { go, place } from './core/router.js';
import { isLow } from './core/settings.js';
import { Library, found } from './library/library.js';
import { openKeys, watchKeys } from './page/keys.js';
import { ScanLine } from './page/scan.js';
import { forgetFailure, toastFailure } from './page/toast.js';
import { opened, viewOf } from './page/views.js';
import { Bar } from './player/bar.js';
import { player } from './player/player.js';
import { joinMediaSession } from './player/session.js';

await logInFromAddress().catch(() => {});

const bar = new Bar();
const library = new Library();
const scan = new ScanLine();

const back = h('a', { href: '/', class: 'back' });
const menu = h('nav', { class: 'words', 'aria-label': 'Pages' },
  back, h('a', { href: '/equalizer' }, 'Equalizer'), h('a', { href: '/spectrum' }, 'Spectrum'), h('a', { href: '/identify', class: 'roomy' }, 'Identify'), h('a', { href: '/?view=lists', class: 'roomy' }, 'Lists'), h('a', { href: '/settings' }, 'Settings'), h('button', { type: 'button', class: 'word roomy', onclick: openKeys }, 'Keys ?'));
// Painted before this module and all others have come.
const head = /** @type {HTMLElement} */ (document.querySelector('.top'));
head.append(menu);
const body = h('div', { class: 'page' });
document.body.prepend(h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => {
  event.preventDefault();
  event.stopPropagation();
  /** @type {HTMLElement | null} */ (document.querySelector('.table, #main'))?.focus();
} }, 'Skip to the content'), head, scan.element, body, bar.element);

/** @type {Record<string, string>} */
const titles = { settings: 'Settings', identify: 'Identify' };

/** Only beside the library, on a screen that is high enough, is there room for the whole player. */
const fitPlayer = () => document.body.classList.toggle('foot', isLow.value || body.firstElementChild !== library.element);

/** @param {HTMLElement} element */
function put(element) {
  if (body.firstElementChild !== element) body.replaceChildren(element);
  fitPlayer();
}

effect(() => {
  const here = place.value;
  const { page, q } = here;
  forgetFailure();
  document.body.dataset.page = page;
  if (page !== 'library') library.leave();
  for (const [name, view] of Object.entries(opened)) if (name !== page) view.hide?.();
  if (page === 'library') {
    put(library.element);
    library.show();
  } else {
    viewOf(here).then((view) => {
      if (here !== place.peek()) return;
      put(view.element);
      view.show(here);
    }, (error) => here === place.peek() && toastFailure(`This view cannot be loaded: ${error.message}`));
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
watchDrops(async (file) => {
  go('/identify');
  const identify = /** @type {import('./alike/identify.js').IdentifyPage} */ (await viewOf(place.peek()));
  identify.look(file);
});
joinMediaSession();
listen({
  library: () => place.peek().page === 'library' && library.show(true),
  scan: (progress) => scan.show(progress),
});
(globalThis.requestIdleCallback ?? setTimeout)(() => player.engine.warm());
getJSON('/status').then((status) => scan.show(status.scan)).catch(() => {});

// The face is needed before canvases write with it.
document.fonts.load('11px "Deadwax Etch"').then(() => bar.zoom.draw());

/** For tests: what plays, and what leaves. */
Object.assign(globalThis, { deadwax: { player, views: opened, zoom: bar.zoom, library, go } });
