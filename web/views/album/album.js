/** An album: its cover, what it is, its editions and how they differ, what is wrong with it, and its tracks. */

import { albumTitle } from '../../components/album-tile.js';
import { copyButton } from '../../components/copy-path.js';
import { nameLinks } from '../../components/names.js';
import { nothing } from '../../components/nothing.js';
import { toast } from '../../components/toast.js';
import { TrackList } from '../../components/track-list.js';
import { ApiError, getJSON } from '../../core/api.js';
import { attribute, h, pathText, setText } from '../../core/dom.js';
import { count, duration, isEtchable, number, signed } from '../../core/format.js';
import { go } from '../../core/router.js';
import { effect } from '../../core/signals.js';
import { likeAlbum } from '../../data/albums.js';
import { coverOfAlbum } from '../../data/covers.js';
import { leadToFolder } from '../../data/folders.js';
import { addressOfAlbum, addressOfTags, addressOfTrack } from '../../data/names.js';
import { titleOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';
import {
  clippedOf, discsOf, editionsOf, factsOf, fields, formatOf, genresOf, loudestPeakOf, mostRows, queryOf, trackCount,
  wrongOf,
} from './model.js';
import { Strip } from './strip.js';

/** @typedef {import('../../data/documents.js').AlbumDetail} AlbumDetail */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */
/** @typedef {import('./model.js').Edition} Edition */

/**
 * All its files, as far as they are shown.
 * @param {AlbumDetail} album @returns {Promise<TrackRow[]>}
 */
async function rowsOf({ query }) {
  /** @type {TrackRow[]} */
  const rows = [];
  for (;;) {
    const { rows: page, total } = await getJSON('/tracks', { q: query, fields, from: rows.length, limit: 500 });
    rows.push(...page);
    if (page.length < 500 || rows.length >= mostRows || rows.length === total) return rows;
  }
}

/** @param {string} name @param {...any} content @returns {HTMLElement} */
const section = (name, ...content) => h('section', { class: 'part' }, h('h2', { class: 'label' }, name), ...content);

/** @param {string} name @param {any} value */
const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

export class AlbumPage {
  constructor() {
    this.element = h('main', { class: 'album-page', id: 'main' });
    /** @type {(() => void)[]} */
    this.stops = [];
    /** @type {{album: AlbumDetail, rows: TrackRow[]} | null} */
    this.known = null;
    /** @type {TrackList | null} */
    this.list = null;
    document.addEventListener('keydown', (event) => {
      // A key while nothing has the focus, as after the page has been opened, is for its tracks.
      if (event.target !== document.body || !this.list?.element.clientHeight) return;
      this.list.keyed(event);
      if (event.defaultPrevented) this.list.element.focus({ preventScroll: true });
    });
  }

  clear() {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.list = null;
    this.element.replaceChildren();
  }

  hide() {
    this.clear();
    this.known = null;
    this.wanted = '';
  }

  keep() {
    return { scroll: this.element.scrollTop, active: this.list?.active ?? 0 };
  }

  /**
   * Shows what the address says.
   * @param {import('../../core/router.js').Place} place
   */
  async show({ ids: [id], item, kept }) {
    const wanted = (this.wanted = `${id} ${item}`);
    if (this.known?.album.album_id !== id) {
      this.clear();
      this.known = null;
      try {
        /** @type {AlbumDetail} */
        const album = await getJSON(`/albums/${id}`);
        const rows = await rowsOf(album);
        if (this.wanted !== wanted) return;
        this.known = { album, rows };
        // It has become part of another one.
        if (album.album_id !== id) return go(addressOfAlbum(album.album_id, Number(item) || 1), true);
      } catch (error) {
        if (this.wanted === wanted) this.fail(/** @type {Error} */ (error), id);
        return;
      }
    }
    this.fill(Number(item) || 1);
    if (this.list) this.list.active = Math.min(kept?.active ?? 0, this.list.rows.length - 1);
    this.element.scrollTop = kept?.scroll ?? 0;
  }

  /** The library has changed: what is other is shown, where one is. */
  async refresh() {
    const { known, wanted } = this;
    const id = known?.album.album_id;
    if (!id) return;
    try {
      /** @type {AlbumDetail} */
      const album = await getJSON(`/albums/${id}`);
      const rows = await rowsOf(album);
      const plain = (/** @type {any} */ { album, rows }) => JSON.stringify([{ ...album, revision: '' }, rows]);
      if (this.wanted !== wanted || plain({ album, rows }) === plain(known)) return;
      const { scroll, active } = this.keep();
      const hadFocus = this.list?.element.contains(document.activeElement);
      this.known = { album, rows };
      this.fill(Number(wanted?.split(' ')[1]) || 1);
      this.list?.moveActive(Math.min(active, this.list.rows.length - 1));
      if (hadFocus) this.list?.element.focus({ preventScroll: true });
      this.element.scrollTop = scroll;
    } catch (error) {
      if (this.wanted === wanted && error instanceof ApiError && error.status === 404) this.fail(error, id);
    }
  }

  /** @param {Error} error @param {number | undefined} id */
  fail(error, id) {
    const isGone = error instanceof ApiError && error.status === 404;
    this.element.replaceChildren(isGone
      ? nothing('There is no such album.',
        `There is no album ${id ?? ''}; its files may be gone, or belong to another album.`,
        [['All albums', '/?view=albums'], ['Problems', '/?view=problems']])
      : nothing('This album cannot be shown.', error.message, [['All albums', '/?view=albums']]));
  }

  /** @param {number} number of the edition */
  fill(number) {
    if (!this.known) return;
    const { album, rows } = this.known;
    this.clear();
    const editions = editionsOf(rows);
    const edition = editions.find((one) => one.number === number) ?? editions[0];
    const strip = new Strip((row, seconds) => this.play(row, edition, seconds));
    const list = new TrackList({
      label: `Tracks of ${albumTitle(album)}`,
      columns: this.columnsFor(edition.rows), open: (row) => this.play(row, edition, 0),
    });
    this.list = list;
    this.stops.push(strip.stop, list.stop);
    const discs = discsOf(edition.rows);
    this.element.replaceChildren(
      h('div', { class: 'album-side' }, this.cover(album), this.loudness(album, edition),
        this.editions(album, editions, edition), this.wrong(album, edition), this.alike(album, edition)),
      h('div', { class: 'album-body' }, this.head(album, edition), strip.element, list.element,
        this.rest(album, rows)));
    list.show(discs.map((disc) => ({
      rows: disc.rows, title: discs.length > 1 ? disc.title : '',
      note: `${count(trackCount(disc.rows), 'track')} \u00b7 ${duration(disc.seconds)}`,
    })));
    strip.show(edition.rows);
    document.title = `${albumTitle(album)} \u2013 Deadwax`;
  }

  /**
   * What there is room for, and of that only what some row has.
   * @param {TrackRow[]} rows
   */
  columnsFor(rows) {
    if (innerWidth < 1100) return ['index', 'title', 'artist', 'sound', 'length', 'lufs'];
    const hasArtists = new Set(rows.map(({ artist }) => artist)).size > 1;
    const hasPresets = rows.some(({ preset }) => preset);
    return [
      'index', 'title', ...(hasArtists ? ['artist'] : []), 'sound', 'length', 'lufs', 'rating',
      ...(hasPresets ? ['preset'] : []), 'evidence',
    ];
  }

  /** @param {AlbumDetail} album */
  cover({ album_id: id, album, tracks, cover }) {
    const alt = cover ? `Cover of ${albumTitle({ album })}` : `Rings of ${count(tracks, 'track')}, no cover`;
    return h('img', {
      class: 'album-cover', alt, src: coverOfAlbum(id, 320), width: 320, height: 320,
      onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).classList.add('none'),
    });
  }

  /** @param {AlbumDetail} album @param {Edition} edition */
  head({ album_id: id, album, artists }, edition) {
    const title = albumTitle({ album });
    const { rows } = edition;
    const dotted = (/** @type {any[][]} */ parts) => parts.filter((part) => part.length)
      .flatMap((part, i) => (i ? [' \u00b7 ', ...part] : part));
    const facts = factsOf(edition).map((fact) => [fact]);
    const named = artists.flatMap((name, i) => [...(i ? [', '] : []), ...nameLinks('artists', name, '\u0000')]);
    const genres = genresOf(rows).flatMap((name, i) => [...(i ? [', '] : []), ...nameLinks('genres', name, '\u0000')]);
    return h('header', { class: 'album-head' },
      h('h1', { class: `etch ${isEtchable(title) ? '' : 'foreign'}` }, title),
      h('p', { class: 'facts-line' }, dotted([named, ...facts.slice(0, -2), genres, ...facts.slice(-2)])),
      this.editionLine(edition),
      h('div', { class: 'buttons acts' }, this.playButton(edition),
        h('button', { type: 'button', onclick: () => this.queue(rows) }, 'Queue'),
        h('a', { class: 'button', href: addressOfTags(queryOf(id, edition.number)) }, 'Edit tags')));
  }

  /**
   * Its format, its folder and the way to the folder's name.
   * @param {Edition} edition
   */
  editionLine({ rows, folders }) {
    const [folder] = folders;
    const link = folder && h('a', { href: '/?view=folders' }, pathText(folder));
    if (link) leadToFolder(link, folder);
    return h('p', { class: 'edition-line' }, formatOf(rows), folder ? ' \u00b7 ' : '', link || '',
      folders.length > 1 ? ` and ${count(folders.length - 1, 'more folder')}` : '', folder ? ' \u00b7 ' : '',
      folder ? copyButton(folder) : '');
  }

  /** @param {Edition} edition */
  playButton(edition) {
    const ids = new Set(edition.rows.map(({ id }) => id));
    const isHere = () => ids.has(player.track.value?.id ?? -1);
    const button = h('button', { type: 'button', class: 'main', onclick: () => {
      const first = edition.rows.find(({ id }) => id);
      if (isHere()) player.toggle();
      else if (first) this.play(first, edition, 0);
    } }, 'Play');
    button.disabled = !edition.rows.some(({ id }) => id);
    this.stops.push(effect(() => setText(button, player.playing.value && isHere() ? 'Pause' : 'Play')));
    return button;
  }

  /** @param {TrackRow[]} rows */
  queue(rows) {
    const heard = rows.filter(({ id }) => id);
    if (heard.length) player.ask(...heard);
    toast(`${count(heard.length, 'track')} ${heard.length === 1 ? 'plays' : 'play'} next.`);
  }

  /**
   * Plays a track from a place in it; the rest of its edition follows.
   * @param {TrackRow} row @param {Edition} edition @param {number} seconds
   */
  async play(row, { rows, number }, seconds) {
    const { album_id: id } = /** @type {{album: AlbumDetail}} */ (this.known).album;
    if (!row.id) return;
    const frame = Math.round(seconds * (row.rate ?? 0));
    if (player.track.peek()?.id === row.id) {
      await player.seek(frame);
      if (!player.playing.peek()) player.toggle();
      return;
    }
    // Files that cannot be read are in no edition: what follows comes from those that are.
    const heard = rows.filter(({ edition }) => edition);
    const source = { q: queryOf(id, number), sort: '', total: heard.length };
    await player.playFrom(row, source, Math.max(0, heard.indexOf(row)), frame);
  }

  /** @param {AlbumDetail} album @param {Edition} edition */
  loudness({ loudness_lufs: loudness }, { rows, number: edition }) {
    const peak = loudestPeakOf(rows);
    const clipped = clippedOf(rows);
    if (edition !== 1 || loudness === null) {
      return section('Peaks of the album', h('dl', {}, this.peakFacts(peak, clipped)));
    }
    return section('Loudness of the album',
      h('p', { class: 'etch large' }, number(loudness, 1), h('span', { class: 'unit' }, 'LUFS')),
      h('dl', {}, this.peakFacts(peak, clipped)));
  }

  /** @param {TrackRow | null} peak @param {string | null} clipped */
  peakFacts(peak, clipped) {
    return [
      peak ? fact('Highest true peak', [
        `${signed(peak.truepeak ?? 0, 2)} dBTP \u00b7 `, h('a', { href: addressOfTrack(peak.id) }, titleOf(peak)),
      ]) : null,
      clipped ? fact('Clipped', clipped) : null,
    ];
  }

  /** @param {AlbumDetail} album @param {Edition[]} editions @param {Edition} shown */
  editions({ album_id: id }, editions, shown) {
    if (editions.length < 2) return null;
    return section('Editions of this album', h('ul', { class: 'editions' }, editions.map((edition) => {
      const isShown = edition === shown;
      const link = h('a', { href: addressOfAlbum(id, edition.number) }, edition.name);
      attribute(link, 'aria-current', isShown ? 'true' : null);
      return h('li', {}, link, h('span', {}, count(trackCount(edition.rows), 'track')),
        h('span', { class: 'difference' }, edition.difference || (isShown ? 'here' : '')));
    })));
  }

  /** @param {AlbumDetail} album @param {Edition} edition */
  wrong({ wrong }, { rows }) {
    const found = wrongOf(wrong, rows);
    return found.length
      ? section('What is wrong', h('ul', { class: 'wrongs' }, found.map(({ words, isGrave }) =>
        h('li', { class: isGrave ? 'trouble' : '' }, words))))
      : null;
  }

  /**
   * Five albums that sound like it, when they have come.
   * @param {AlbumDetail} album @param {Edition} edition
   */
  alike({ album_id: id }, { rows }) {
    const list = h('ul', { class: 'alike' });
    const element = section('Albums that sound like it', list);
    element.hidden = true;
    likeAlbum(id, rows).then((albums) => {
      element.hidden = albums.length === 0;
      list.replaceChildren(...albums.map(({ id, title }) => h('li', {}, h('a', { href: addressOfAlbum(id), title },
        h('img', { alt: title, src: coverOfAlbum(id, 54), width: 54, height: 54, loading: 'lazy' })))));
    }, () => {});
    return element;
  }

  /**
   * What is not shown, of very many tracks.
   * @param {AlbumDetail} album @param {TrackRow[]} rows
   */
  rest({ files, query }, rows) {
    if (rows.length >= files) return null;
    return h('p', { class: 'second rest' }, `These are the first ${number(rows.length)} of ${count(files, 'file')}. `,
      h('a', { class: 'link', href: '/?' + new URLSearchParams({ q: query }) }, 'Show all as a search'));
  }
}
