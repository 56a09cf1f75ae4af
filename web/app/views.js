/** All views: each is loaded, with its style sheets, when it is first opened. */

import { loadStyle } from '../core/dom.js';

/** @typedef {import('../core/router.js').View} View */

/**
 * A view of two panes.
 * @param {string} name
 */
const panes = (name) => ({
  sheets: ['tracks', 'albums', 'panes'],
  load: async () => {
    const [{ Panes }, { kinds }] = await Promise.all([
      import('../views/panes/panes.js'), import('../views/panes/kinds.js'),
    ]);
    return new Panes(kinds[name]);
  },
});

/**
 * Pages, panels of the library and drawers, by the names that addresses give them.
 * @type {Record<string, {sheets: string[], load: () => Promise<View>}>}
 */
const sources = {
  album: {
    sheets: ['tracks', 'album'],
    load: async () => new (await import('../views/album/album.js')).AlbumPage(),
  },
  albums: {
    sheets: ['tracks', 'albums'],
    load: async () => new (await import('../views/albums/albums.js')).Albums(),
  },
  artists: panes('artists'),
  composers: panes('composers'),
  folders: panes('folders'),
  genres: panes('genres'),
  lists: panes('lists'),
  problems: panes('problems'),
  works: panes('works'),
  duplicates: {
    sheets: ['similarity'],
    load: async () => new (await import('../views/similarity/duplicates.js')).Duplicates(),
  },
  equalizer: {
    sheets: ['track', 'equalizer'],
    load: async () => new (await import('../views/equalizer/equalizer.js')).EqualizerPage(),
  },
  identify: {
    sheets: ['track', 'similarity'],
    load: async () => new (await import('../views/similarity/identify.js')).IdentifyPage(),
  },
  nowhere: {
    sheets: ['tracks'],
    load: async () => new (await import('../views/nowhere.js')).Nowhere(),
  },
  map: {
    sheets: ['similarity'],
    load: async () => new (await import('../views/similarity/map.js')).SoundMap(),
  },
  playing: {
    sheets: ['queue', 'playing'],
    load: async () => new (await import('../views/playing/playing.js')).PlayingView(),
  },
  queue: {
    sheets: ['queue'],
    load: async () => new (await import('../views/queue/queue.js')).QueueDrawer(),
  },
  rules: {
    sheets: ['tracks', 'rules'],
    load: async () => new (await import('../views/rules/rules.js')).RulesPage(),
  },
  settings: {
    sheets: ['track', 'start'],
    load: async () => new (await import('../views/settings/settings.js')).SettingsPage(),
  },
  signin: {
    sheets: ['signin'],
    load: async () => new (await import('../views/signin/sign-in.js')).SignInPage(),
  },
  spectrum: {
    sheets: ['track', 'equalizer'],
    load: async () => new (await import('../views/spectrum/spectrum.js')).SpectrumPage(),
  },
  start: {
    sheets: ['track', 'albums', 'tracks', 'start'],
    load: async () => new (await import('../views/start/start.js')).StartPage(),
  },
  tags: {
    sheets: ['tags'],
    load: async () => new (await import('../views/tags/tags.js')).TagsPage(),
  },
  track: {
    sheets: ['tracks', 'track', 'similarity'],
    load: async () => new (await import('../views/track/track.js')).TrackPage(),
  },
};

/**
 * Those that have been opened.
 * @type {Record<string, View>}
 */
export const opened = {};

/** @type {Map<string, Promise<View>>} */
const loading = new Map();

/**
 * The view of a name, loaded once.
 * @param {string} name
 * @returns {Promise<View>} fails if it cannot be loaded; the next call tries again
 */
export function viewOf(name) {
  const known = loading.get(name);
  if (known) return known;
  const { sheets, load } = sources[name];
  const view = Promise.all([load(), ...sheets.map(loadStyle)]).then(([view]) => (opened[name] = view));
  view.catch(() => loading.delete(name));
  loading.set(name, view);
  return view;
}
