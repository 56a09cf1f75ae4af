/** Tracks as rows of a page that scrolls as a whole: some hundred at most, with the keys of the large table. */

import { toast } from './toast.js';
import { nameLinks } from './names.js';
import { drawRowSound } from './row-sound.js';
import { sign } from './signs.js';
import { makeStars, rateTrack, setStars, starsOf } from './stars.js';
import { attribute, h, perFrame } from '../core/dom.js';
import { count, length, number } from '../core/format.js';
import { go } from '../core/router.js';
import { settings } from '../core/settings.js';
import { effect } from '../core/signals.js';
import { evidenceOf } from '../data/evidence.js';
import { addressOfAlbum, addressOfTrack } from '../data/names.js';
import { watchers } from '../data/outlines.js';
import { titleOf, troubleOf } from '../data/tracks.js';
import { palette } from '../drawing/colour.js';
import { player } from '../player/player.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */
/**
 * @typedef {{
 *   label: string, width: string, name?: string, isNumber?: boolean, fill: (row: TrackRow, at: number) => any,
 * }} Column
 */
/** @typedef {{title: string, note: string, rows: TrackRow[]}} Section a disc; an empty title has no heading */

/** @param {TrackRow} row */
function rating(row) {
  const element = makeStars((star) => rateTrack(row, star));
  setStars(element, starsOf(row));
  return element;
}

/** @param {TrackRow} row */
const evidence = (row) => evidenceOf(row).slice(0, 1).map(({ kind, words }) =>
  h('span', { class: `evidence ${kind}` }, sign(kind), words));

/** @type {Record<string, Column>} */
const columns = {
  index: { label: '', width: '28px', name: 'index', isNumber: true, fill: (row, at) => String(row.track ?? at + 1) },
  place: { label: '', width: '28px', name: 'index', isNumber: true, fill: (row, at) => String(at + 1) },
  title: {
    label: 'Title', width: 'minmax(0, 1.5fr)', name: 'title',
    fill: (row) => (row.id
      ? h('a', { href: addressOfTrack(row.id), tabIndex: -1 }, titleOf(row)) : h('span', {}, titleOf(row))),
  },
  artist: {
    label: 'Artist', width: 'minmax(0, 1fr)', name: 'artist',
    fill: (row) => {
      const trouble = troubleOf(row);
      return trouble ? h('span', { class: 'trouble' }, trouble) : untabbed(nameLinks('artists', row.artist));
    },
  },
  album: {
    label: 'Album', width: 'minmax(0, 1fr)', name: 'album',
    fill: (row) => (row.album && row['album-id']
      ? h('a', { href: addressOfAlbum(row['album-id']), tabIndex: -1 }, row.album) : row.album ?? ''),
  },
  sound: { label: 'Sound', width: '168px', name: 'sound', fill: () => h('canvas', { 'aria-hidden': 'true' }) },
  length: {
    label: 'Length', width: '56px', name: 'length', isNumber: true,
    fill: (row) => (row.duration ? length(row.duration) : ''),
  },
  lufs: {
    label: 'LUFS', width: '52px', name: 'lufs', isNumber: true,
    fill: (row) => (typeof row.lufs === 'number' ? number(row.lufs, 1) : ''),
  },
  rating: { label: 'Rating', width: '84px', name: 'rating', fill: (row) => (row.id ? rating(row) : '') },
  preset: { label: 'Preset', width: '88px', name: 'preset', fill: (row) => row.preset ?? '' },
  evidence: { label: 'Evidence', width: '176px', name: 'shows', fill: evidence },
  plays: {
    label: 'Heard', width: '80px', name: 'plays', isNumber: true,
    fill: (row) => (row.plays ? count(row.plays, 'time') : ''),
  },
};

/** @param {(Node | string)[]} nodes */
function untabbed(nodes) {
  for (const node of nodes) if (node instanceof HTMLElement) node.tabIndex = -1;
  return nodes;
}

let lists = 0;

export class TrackList {
  /**
   * @param {{label: string, columns: string[], open: (row: TrackRow, at: number) => void}} options `at`: where the row
   *   stands among all rows that are shown
   */
  constructor({ label, columns: names, open }) {
    this.open = open;
    this.name = `tracks${(lists += 1)}`;
    this.columns = names.map((name) => columns[name]);
    this.active = 0;
    this.over = -1;
    /** @type {TrackRow[]} */
    this.rows = [];
    /** @type {HTMLElement[]} */
    this.lines = [];
    /** @type {Set<Element>} */
    this.seen = new Set();
    this.element = h('div', { class: 'track-list', role: 'grid', tabIndex: 0, 'aria-label': label });
    this.element.style.setProperty('--columns', this.columns.map(({ width }) => width).join(' '));
    this.draw = perFrame(() => this.render());
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.target === this.element) this.keyed(event);
    });
    for (const kind of ['click', 'dblclick']) {
      this.element.addEventListener(kind, (event) => this.clicked(/** @type {MouseEvent} */ (event)));
    }
    this.element.addEventListener('pointerover', (event) => this.hover(this.indexOf(event)));
    this.element.addEventListener('pointerleave', () => this.hover(-1));
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.seen.add(target);
        else this.seen.delete(target);
      }
      this.draw();
    });
    watchers.add(this.draw);
    const stop = effect(() => {
      palette.value;
      player.track.value;
      this.draw();
    });
    const timer = setInterval(() => player.playing.peek() && this.draw(), 500);
    this.stop = () => {
      stop();
      clearInterval(timer);
      watchers.delete(this.draw);
      this.observer.disconnect();
    };
  }

  /** @param {Section[]} sections */
  show(sections) {
    this.observer.disconnect();
    this.seen.clear();
    this.rows = sections.flatMap(({ rows }) => rows);
    this.active = Math.max(0, Math.min(this.active, this.rows.length - 1));
    this.lines = [];
    const cell = (/** @type {Column} */ column, /** @type {string} */ role, /** @type {any} */ content) =>
      h('div', { class: `cell ${column.isNumber ? 'number' : ''} ${column.name ?? ''}`, role }, content);
    const head = h('div', { class: 'line head', role: 'row' }, this.columns.map((column) =>
      cell(column, 'columnheader', column.label || h('span', { class: 'unseen' }, 'Number'))));
    let at = 0;
    const groups = sections.map(({ title, note, rows }) => {
      const heading = title && h('div', { class: 'line section', role: 'row' },
        h('div', { class: 'cell', role: 'gridcell', 'aria-colspan': this.columns.length },
          h('span', {}, title), h('span', {}, note)));
      const lines = rows.map((row, i) => {
        const index = at;
        at += 1;
        const element = h('div', {
          class: `line ${troubleOf(row) ? 'off' : ''}`, role: 'row', id: `${this.name}-${index}`,
          'data-index': index, 'data-track': row.id,
        }, this.columns.map((column) => cell(column, 'gridcell', column.fill(row, i))));
        this.lines.push(element);
        this.observer.observe(element);
        return element;
      });
      return h('div', { role: 'rowgroup' }, heading || null, lines);
    });
    this.element.replaceChildren(h('div', { role: 'rowgroup' }, head), ...groups);
    this.draw();
  }

  render() {
    const playing = player.track.peek()?.id;
    this.lines.forEach((line, i) => {
      const row = this.rows[i];
      line.classList.toggle('active', i === this.active);
      line.classList.toggle('playing', row.id === playing);
      attribute(line, 'aria-selected', String(i === this.active));
      if (!this.seen.has(line)) return;
      const canvas = line.querySelector('canvas');
      if (canvas) drawRowSound(canvas, row, i === this.over);
    });
    attribute(this.element, 'aria-activedescendant', this.rows.length ? `${this.name}-${this.active}` : null);
  }

  /** @param {Event} event */
  indexOf(event) {
    const line = /** @type {HTMLElement} */ (event.target).closest?.('[data-index]');
    return line instanceof HTMLElement ? Number(line.dataset.index) : -1;
  }

  /** @param {number} index */
  hover(index) {
    if (index === this.over) return;
    this.over = index;
    this.draw();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const index = this.indexOf(event);
    if (index < 0) return;
    this.active = index;
    this.draw();
    const isTouch = /** @type {PointerEvent} */ (event).pointerType === 'touch';
    if (isTouch) event.preventDefault();
    const isLink = !isTouch && /** @type {Element} */ (event.target).closest('a');
    const isIndex = /** @type {Element} */ (event.target).closest('.index');
    if (!isLink && (event.type === 'dblclick' || (isIndex && event.detail < 2) || isTouch)) this.act(index);
  }

  /** @param {number} index */
  act(index) {
    const row = this.rows[index];
    if (row?.id) this.open(row, index);
    else if (row) toast(`“${titleOf(row)}” cannot be played: ${troubleOf(row) ?? 'it contains no audio'}.`);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || !this.rows.length) return;
    const last = this.rows.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -last, End: last };
    const step = event.altKey ? undefined : steps[/** @type {keyof typeof steps} */ (event.key)];
    const row = this.rows[this.active];
    const isLetter = settings.letterKeys.peek() && !event.altKey;
    if (step !== undefined) this.moveActive(Math.max(0, Math.min(last, this.active + step)));
    else if (event.key === 'Enter' && event.altKey && row.id) go(addressOfTrack(row.id));
    else if (event.key === 'Enter' && !event.altKey) this.act(this.active);
    else if (isLetter && event.key === 'q' && row.id) {
      player.ask(row);
      toast(`“${titleOf(row)}” plays next.`);
    } else if (isLetter && /^[1-5]$/.test(event.key)) rateTrack(row, Number(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  moveActive(index) {
    this.active = index;
    this.lines[index]?.scrollIntoView({ block: 'nearest' });
    this.draw();
  }
}

