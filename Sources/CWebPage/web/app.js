/** Puts the page together: its head, the page that the address names, and the player. */

import { watchDrops } from './alike/dropping.js';
import { getJSON, listen, logInFromAddress } from './core/api.js';
import { attribute, effect, h, loadStyle, setText } from './core/dom.js';
import { count } from './core/format.js';
import { go, place } from './core/router.js';
import { EqualizerPage } from './equalizer/equalizer.js';
import { Library, found } from './library/library.js';
import { openKeys, watchKeys } from './page/keys.js';
import { ScanLine } from './page/scan.js';
import { SettingsPage } from './page/settings.js';
import { Bar } from './player/bar.js';
import { player } from './player/player.js';
import { joinMediaSession } from './player/session.js';
import { SpectrumPage } from './spectrum/spectrum.js';
import { TrackPage } from './track/track.js';

await logInFromAddress().catch(() => {});

const bar = new Bar();
const library = new Library();
const trackPage = new TrackPage();
const settingsPage = new SettingsPage();
const equalizerPage = new EqualizerPage();
const spectrumPage = new SpectrumPage();
const scan = new ScanLine();
/**
 * The page for sounds that are looked for, loaded when it is opened.
 * @type {Promise<import('./alike/identify.js').IdentifyPage> | null}
 */
let identifyPage = null;
const identify = () => (identifyPage ??= Promise.all([import('./alike/identify.js'), loadStyle('/css/alike.css')]).then(([{ IdentifyPage }]) => new IdentifyPage()));

const back = h('a', { href: '/', class: 'back' });
const menu = h('nav', { class: 'words', 'aria-label': 'Pages' },
  back, h('a', { href: '/equalizer' }, 'Equalizer'), h('a', { href: '/spectrum' }, 'Spectrum'), h('a', { href: '/identify', class: 'roomy' }, 'Identify'), h('a', { href: '/?view=lists', class: 'roomy' }, 'Lists'), h('a', { href: '/settings' }, 'Settings'), h('button', { type: 'button', class: 'word roomy', onclick: openKeys }, 'Keys ?'));
const head = h('header', { class: 'top' }, h('a', { href: '/', class: 'wordmark', 'aria-label': 'Deadwax, library' }, 'DEADWAX'), menu);
const body = h('div', { class: 'page' });
document.body.prepend(h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => {
  event.preventDefault();
  event.stopPropagation();
  /** @type {HTMLElement | null} */ (document.querySelector('.table, #main'))?.focus();
} }, 'Skip to the content'), head, scan.element, body, bar.element);

let shown = '';
effect(() => {
  const { page, ids, q, sort, view } = place.value;
  document.body.dataset.page = page;
  if (page !== 'library') library.leave();
  if (page !== 'identify') identifyPage?.then((made) => made.hide());
  if (page === 'identify') {
    identify().then((made) => place.peek().page === page && body.firstElementChild !== made.element && body.replaceChildren(made.element));
    shown = page;
    document.title = 'Identify \u2013 Deadwax';
    return;
  }
  const pages = { library: library.element, settings: settingsPage.element, equalizer: equalizerPage.element, spectrum: spectrumPage.element, track: trackPage.element, compare: trackPage.element };
  const element = pages[page];
  if (body.firstElementChild !== element) body.replaceChildren(element);
  if (page === 'library') library.show();
  else if (page === 'settings') settingsPage.show();
  else if (page === 'equalizer') equalizerPage.show();
  else if (page === 'spectrum') spectrumPage.show();
  else if (`${page} ${ids}` !== shown) page === 'track' ? trackPage.show(ids[0]) : trackPage.compare(ids[0], ids[1]);
  shown = `${page} ${ids}`;
  if (!player.track.peek()) document.title = page === 'settings' ? 'Settings \u2013 Deadwax' : [q, 'Deadwax'].filter(Boolean).join(' \u2013 ');
  attribute(back, 'hidden', page === 'library');
  void [sort, view];
});
effect(() => {
  back.ariaLabel = 'Back to the library';
  setText(back, `\u2190 ${found.value.files ? count(found.value.files, 'track') : 'Library'}`);
  back.href = found.value.address;
});

watchKeys(bar.zoom);
watchDrops(async (file) => {
  go('/identify');
  (await identify()).show(file);
});
joinMediaSession();
listen({
  library: () => place.peek().page === 'library' && library.show(true),
  scan: (progress) => scan.show(progress),
});
getJSON('/status').then((status) => scan.show(status.scan)).catch(() => {});

// The face is needed before canvases write with it.
document.fonts.load('11px "Deadwax Etch"').then(() => bar.zoom.draw());

/** For tests: what plays, and what leaves. */
Object.assign(globalThis, { deadwax: { player, equalizer: equalizerPage, spectrum: spectrumPage, zoom: bar.zoom, library, go } });
