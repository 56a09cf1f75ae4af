/** The right one of two panes: a heading, and parts that come one after the other. */

import { albumTitle, fillTile, makeTile } from '../../components/album-tile.js';
import { toast } from '../../components/toast.js';
import { TrackList } from '../../components/track-list.js';
import { getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { count, isEtchable } from '../../core/format.js';
import { settings } from '../../core/settings.js';
import { addressOfTags } from '../../data/names.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').AlbumRow} AlbumRow */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/** What rows of tracks have here. */
export const trackFields =
  'title,artist,album,album-id,filename,duration,codec,rate,lufs,state,plays,rating,clipped,lossy_source,reason';

/** Albums and tracks that are shown here; a link leads to the rest. */
const [mostAlbums, mostTracks] = [48, 100];

/**
 * What finds the tracks of first editions, which is once what albums have in several; that of others only if there is
 * nothing else.
 * @param {string} q @returns {Promise<string>}
 */
export async function onceEach(q) {
  const first = `${q} edition:1`;
  const { files } = await getJSON('/tracks/count', { q: first }).catch(() => ({ files: 1 }));
  return files ? first : q;
}

export class Content {
  constructor() {
    this.element = h('div', { class: 'pane-content' });
    /** @type {(() => void)[]} */
    this.stops = [];
    this.turn = 0;
    this.isFilled = false;
  }

  clear() {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.turn += 1;
    this.isFilled = false;
    this.element.replaceChildren();
  }

  /**
   * Begins another page; what was still on its way for the one before is dropped.
   * @returns {() => boolean} whether it is still this page
   */
  begin() {
    this.clear();
    const { turn } = this;
    this.isFilled = true;
    this.element.scrollTop = 0;
    return () => turn === this.turn;
  }

  /** @param {string} title @param {string} detail */
  say(title, detail) {
    this.begin();
    this.element.append(h('div', { class: 'nothing' }, h('h2', { class: 'etch' }, title),
      h('p', { class: 'second' }, detail)));
  }

  /**
   * The heading: a name, what it comes to, and what can be done with it.
   * @param {string} title @param {(Node | string)[]} facts @param {HTMLElement[]} buttons
   */
  head(title, facts, buttons) {
    const line = h('p', { class: 'facts-line' }, facts);
    this.element.append(h('header', { class: 'pane-head' },
      h('div', {}, h('h2', { class: `etch ${isEtchable(title) ? '' : 'foreign'}` }, title), line),
      h('div', { class: 'buttons acts' }, buttons)));
    return line;
  }

  /**
   * Buttons that play what a query finds, in its order.
   * @param {string} q
   */
  acts(q) {
    const first = async (/** @type {number} */ from) => {
      const { rows, total } = await getJSON('/tracks', { q, from, limit: 1, fields: trackFields });
      return { row: rows[0], total };
    };
    const play = async (/** @type {boolean} */ isShuffled) => {
      const { files: total } = await getJSON('/tracks/count', { q });
      settings.shuffle.value = isShuffled;
      const at = isShuffled ? Math.floor(Math.random() * total) : 0;
      const { row } = await first(at);
      if (row?.id) await player.playFrom(row, { q, sort: '', total }, at);
      else toast('There are no playable tracks here.');
    };
    const queue = async () => {
      const { rows, total } = await getJSON('/tracks', { q, limit: 500, fields: trackFields });
      const heard = rows.filter((/** @type {TrackRow} */ { id }) => id);
      if (heard.length) player.ask(...heard);
      toast(`${count(heard.length, 'track')} ${heard.length === 1 ? 'plays' : 'play'} next.`
        + (total > rows.length || total === null ? ' At most 500 can be added at once.' : ''));
    };
    const button = (/** @type {string} */ word, /** @type {() => Promise<void>} */ act, kind = '') =>
      h('button', { type: 'button', class: kind, onclick: () => act().catch((error) => toast(error.message)) }, word);
    return [
      button('Play', () => play(false), 'main'), button('Shuffle', () => play(true)), button('Queue', queue),
      h('a', { class: 'button', href: addressOfTags(q) }, 'Edit tags'),
    ];
  }

  /**
   * A part with a heading and perhaps a link behind it.
   * @param {string} name @param {Element} body @param {[string, string]} [link] words and address
   * @param {Element} [place] for parts beside others
   */
  part(name, body, link, place = this.element) {
    const element = h('section', { class: 'part' }, h('header', {}, h('h3', { class: 'label' }, name),
      link ? h('a', { class: 'second link', href: link[1] }, link[0]) : ''), body);
    place.append(element);
    return element;
  }

  /**
   * The albums that a query finds, as tiles.
   * @param {string} name @param {string} q
   * @param {{sort?: string, note?: (row: AlbumRow) => string | undefined, side?: number}} how
   * @returns {Promise<{element: Element | null, total: number, rows: AlbumRow[]}>} nothing if there are none
   */
  async albums(name, q, { sort = 'year', note, side = 128 } = {}) {
    const isHere = this.isStill();
    /** @type {{rows: AlbumRow[], total: number}} */
    const { rows, total } = await getJSON('/albums', { q, sort, limit: mostAlbums })
      .catch(() => ({ rows: [], total: 0 }));
    if (!isHere() || !rows.length) return { element: null, total, rows };
    const tiles = rows.map((row) => {
      const tile = makeTile();
      fillTile(tile, row, side, { isFocusable: true, note: note?.(row) });
      tile.title = albumTitle(row);
      return h('li', {}, tile);
    });
    const list = h('ul', { class: 'tile-list' }, tiles);
    list.style.setProperty('--side', `${side}px`);
    /** @type {[string, string]} */
    const all = [`All ${count(total, 'album')}`, '/?' + new URLSearchParams({ view: 'albums', q })];
    const more = total > rows.length ? all : undefined;
    return { element: this.part(name, list, more), total, rows };
  }

  /**
   * The tracks that a query finds, in its order.
   * @param {string} name @param {string} q @param {{columns?: string[], most?: number}} how
   */
  async tracks(name, q, { columns, most = mostTracks } = {}) {
    const isHere = this.isStill();
    /** @type {{rows: TrackRow[], total: number | null}} */
    const { rows, total } = await getJSON('/tracks', { q, limit: most, fields: trackFields })
      .catch(() => ({ rows: [], total: 0 }));
    if (!isHere() || !rows.length) return null;
    const usual = innerWidth < 1100 ? ['place', 'title', 'artist', 'sound', 'length', 'lufs']
      : columns ?? ['place', 'title', 'artist', 'album', 'sound', 'length', 'lufs', 'rating'];
    const list = new TrackList({
      label: name, columns: usual,
      open: async (row, at) => player.playFrom(row, { q, sort: '', total: total ?? rows.length }, at),
    });
    this.stops.push(list.stop);
    /** @type {[string, string]} */
    const all = [total === null ? 'All tracks' : `All ${count(total, 'track')}`, '/?' + new URLSearchParams({ q })];
    const more = total === null || total > rows.length ? all : undefined;
    const part = this.part(name, list.element, more);
    list.show([{ title: '', note: '', rows }]);
    return part;
  }

  /** @returns {() => boolean} whether the page is still the one that it was */
  isStill() {
    const { turn } = this;
    return () => turn === this.turn;
  }
}
