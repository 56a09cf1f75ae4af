/** One track: what is known about it, and its plots; or two, side by side. */

import { nameLinks } from '../../components/names.js';
import { nothing } from '../../components/nothing.js';
import { mark, plot } from '../../components/plot.js';
import { openSave } from '../../components/save-dialog.js';
import { toast } from '../../components/toast.js';
import { ApiError, getJSON } from '../../core/api.js';
import { h, setText } from '../../core/dom.js';
import { isEtchable, matrixMeaning, matrixNumber, number } from '../../core/format.js';
import { go } from '../../core/router.js';
import { effect } from '../../core/signals.js';
import { coverOfTrack } from '../../data/covers.js';
import { addressOfAlbum, addressOfTags } from '../../data/names.js';
import { rowOf } from '../../data/tracks.js';
import { hertzMark, highest, lowest, marks, placeOf } from '../../drawing/axis.js';
import { palette } from '../../drawing/colour.js';
import { drawSpectrum, spectrumRange } from '../../drawing/plots.js';
import { player } from '../../player/player.js';
import { moreLike } from '../similarity/similar.js';
import { Chapters } from './chapters.js';
import { factsOf } from './fact-list.js';
import { Timeline } from './timeline.js';

/** @typedef {import('../../data/documents.js').SpectrumBand} SpectrumBand */
/** @typedef {import('../../data/documents.js').TrackDetail} TrackDetail */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

const noSound = 'This file contains no audio that can be decoded.';

/** @param {string} title @param {string | (Node | string)[]} second @param {Element[]} more */
function heading(title, second, more) {
  return h('header', { class: 'head-of' },
    h('div', {}, h('h1', { class: `etch ${isEtchable(title) ? '' : 'foreign'}` }, title),
      h('p', { class: 'second' }, second)),
    h('div', { class: 'buttons' }, more));
}

/** @param {TrackRow} row */
const nameOf = (row) => row.title ?? row.filename ?? `Track ${row.id}`;

/**
 * Artist, album, year and genre, as far as they are known, as links.
 * @param {TrackRow} row @param {TrackDetail} detail @param {number | null | undefined} album the number of its album
 */
function secondLine({ artist, album: title }, { tags }, album) {
  const year = tags?.DATE?.[0]?.slice(0, 4);
  /** @type {(Node | string)[][]} */
  const parts = [
    nameLinks('artists', tags?.ARTIST?.join('; ') ?? artist),
    title ? [album ? h('a', { href: addressOfAlbum(album), class: 'name-link' }, title) : title] : [],
    year ? [year] : [], nameLinks('genres', tags?.GENRE?.join('; ')),
  ];
  return parts.filter((part) => part.length).flatMap((part, i) => (i ? [' \u00b7 ', ...part] : part));
}

/**
 * Why a track cannot be heard.
 * @param {TrackDetail} detail
 */
function reasonOf({ files }) {
  const problem = files?.[0]?.problem;
  return (typeof problem === 'string' ? problem : problem?.reason) ?? noSound;
}

/**
 * On an axis from 20 Hz to 20 kHz. The library has stored 100 Hz to 18 kHz; the rest is decoded when that is shown.
 * @param {SpectrumBand[]} stored
 * @param {{id: number, when: Promise<unknown>} | null} whole of which track the rest is asked for, and when; null to
 *   leave it out
 * @param {SpectrumBand[]} [other] @param {string} [caption]
 */
function spectrumPlot(stored, whole, other, caption = 'Spectrum, average and maximum \u00b7 dBFS') {
  let bands = stored;
  const canvas = h('canvas');
  const [low, high] = spectrumRange;
  const levels = [-20, -40, -60, -80].map((level) => mark(number(level), (high - level) / (high - low)));
  const level = (/** @type {SpectrumBand} */ band) => band.mean_db ?? -Infinity;
  const loudest = bands.reduce((best, band) => (level(band) > level(best) ? band : best), bands[0]);
  const description = `Mean spectrum, strongest near ${Math.round(loudest?.low_hz ?? 0)} Hz`;
  const element = plot(caption, 'spectrum', canvas, levels, description);
  const axis = h('div', { class: 'time-axis hertz-axis', 'aria-hidden': 'true' });
  for (const hertz of marks) {
    const label = h('span', {}, hertz === marks[0] ? `${hertz} Hz` : hertzMark(hertz));
    label.style.left = `${100 * placeOf(hertz)}%`;
    axis.append(label);
  }
  const draw = () => drawSpectrum(canvas, bands, palette.peek(), other, placeOf);
  new ResizeObserver(draw).observe(canvas);
  const stopDrawing = effect(() => {
    palette.value;
    if (canvas.isConnected) draw();
  });
  const rest = new AbortController();
  if (whole) {
    const words = element.querySelector('figcaption');
    const say = (/** @type {string} */ more) => words && setText(words, caption + more);
    say(' \u00b7 reading 20\u2013100 Hz');
    whole.when.then(() => {
      rest.signal.throwIfAborted();
      return getJSON(`/tracks/${whole.id}/spectrum`, { low: lowest, high: highest }, rest.signal);
    }).then((answer) => {
      bands = answer.bands;
      draw();
    }).catch(() => {}).finally(() => say(''));
  }
  const stop = () => {
    stopDrawing();
    rest.abort();
  };
  return { element: h('div', {}, element, axis), stop };
}

export class TrackPage {
  constructor() {
    this.element = h('main', { class: 'track-page', id: 'main' });
    /** @type {Timeline[]} */
    this.timelines = [];
    /** @type {(() => void)[]} */
    this.stops = [];
    effect(() => {
      palette.value;
      player.track.value;
      player.sought.value;
      for (const timeline of this.timelines) timeline.draw();
    });
    const step = () => {
      for (const timeline of this.timelines) if (player.playing.peek()) timeline.tick();
      requestAnimationFrame(step);
    };
    step();
  }

  clear() {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.timelines = [];
    this.element.replaceChildren();
  }

  /**
   * Shows what the address says.
   * @param {import('../../core/router.js').Place} place
   */
  show({ page, ids }) {
    if (page === 'track') this.showOne(ids[0]);
    else this.compare(ids[0], ids[1]);
  }

  /** @param {number} id */
  async showOne(id) {
    this.clear();
    this.wanted = String(id);
    try {
      const [detail, { rows: [known] }] = await Promise.all([
        getJSON(`/tracks/${id}`),
        getJSON('/tracks', { q: `id:${id}`, fields: 'album-id', limit: 1 }).catch(() => ({ rows: [] })),
      ]);
      if (this.wanted !== String(id)) return;
      this.known = JSON.stringify(detail);
      this.fill(detail, known?.['album-id']);
    } catch (error) {
      if (this.wanted !== String(id)) return;
      const isGone = error instanceof ApiError && error.status === 404;
      const { message } = /** @type {Error} */ (error);
      this.element.replaceChildren(nothing(isGone ? 'There is no such track.' : 'This track cannot be shown.',
        isGone ? `There is no track ${id}; its file may be gone.` : message,
        [['All tracks', '/'], ['Albums', '/?view=albums']]));
    }
  }

  /** The library has changed: facts and the heading are made again, the plots stay as they are. */
  async refresh() {
    const { wanted } = this;
    const id = Number(wanted);
    const side = this.element.querySelector('.side .facts-of');
    if (!side || !Number.isInteger(id)) return;
    const detail = await getJSON(`/tracks/${id}`).catch(() => null);
    if (!detail || this.wanted !== wanted || JSON.stringify(detail) === this.known) return;
    this.known = JSON.stringify(detail);
    const hadFocus = side.contains(document.activeElement);
    const facts = factsOf(detail);
    side.replaceWith(facts);
    if (hadFocus) /** @type {HTMLElement | null} */ (facts.querySelector('[role=slider]'))?.focus();
    const title = this.element.querySelector('h1');
    if (title) setText(title, nameOf(rowOf(detail)));
  }

  /** @param {TrackDetail} detail @param {number | null | undefined} album the number of its album */
  async fill(detail, album) {
    const { id } = detail;
    const row = rowOf(detail);
    const hasSound = (detail.format?.decoded_frames ?? 0) > 0;
    const cover = h('img', {
      class: 'artwork', alt: 'Cover', src: coverOfTrack(id, 400),
      onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).remove(),
    });
    const side = h('div', { class: 'side' }, cover, factsOf(detail));
    const plots = h('div', { class: 'plots' });
    const buttons = this.buttons(detail, row, hasSound);
    this.element.replaceChildren(heading(nameOf(row), secondLine(row, detail, album), buttons),
      h('div', { class: 'body' }, side, plots));
    if (!hasSound) return plots.append(h('p', { class: 'trouble' }, reasonOf(detail)));
    const timeline = new Timeline(detail, row);
    this.add(timeline, plots);
    if (detail.parts?.length) this.addChapters(detail, row, plots);
    const spectrum = await getJSON(`/tracks/${id}/spectrum`).catch(() => null);
    if (spectrum && plots.isConnected) this.addPart(spectrumPlot(spectrum.bands, { id, when: timeline.loaded }), plots);
    const similar = await moreLike(id);
    if (!plots.isConnected) return similar.stop();
    return this.addPart(similar, plots);
  }

  /** @param {TrackDetail} detail @param {TrackRow} row @param {boolean} hasSound */
  buttons(detail, row, hasSound) {
    const { id } = detail;
    const other = player.track.peek()?.id;
    const button = (/** @type {string} */ name, /** @type {() => void} */ act, isDisabled = !hasSound) =>
      h('button', { type: 'button', disabled: isDisabled, onclick: act }, name);
    const isAlone = !hasSound || !other || other === id;
    const compare = button('Compare', () => go(`/compare/${id}/${other}`), isAlone);
    if (isAlone) compare.title = 'Plays another track beside this one: play the other track first.';
    const part = { id, row, rate: detail.format?.sample_rate_hz ?? 0, frames: detail.format?.decoded_frames ?? 0 };
    const play = button('Play', () =>
      (player.track.peek()?.id === id ? player.toggle() : player.begin(row, 0, true)));
    play.className = 'main';
    this.stops.push(effect(() => {
      setText(play, player.track.value?.id === id && player.playing.value ? 'Pause' : 'Play');
    }));
    return [
      h('span', { class: 'matrix', title: matrixMeaning }, matrixNumber(detail.hash)), compare,
      h('a', { class: 'button', href: addressOfTags(`id:${id}`) }, 'Tags'),
      button('Save a part', () => openSave(part)),
      button('Queue', () => {
        player.ask(row);
        toast('It plays next.');
      }), play,
    ];
  }

  /** @param {TrackDetail} detail @param {TrackRow} row @param {Element} place */
  addChapters(detail, row, place) {
    const chapters = new Chapters(detail, row);
    const timer = setInterval(() => chapters.tick(), 250);
    this.stops.push(() => clearInterval(timer));
    this.addPart(chapters, place);
  }

  /** @param {{element: HTMLElement, stop: () => void}} part @param {Element} place */
  addPart(part, place) {
    this.stops.push(() => part.stop());
    place.append(part.element);
  }

  /** @param {Timeline} timeline @param {Element} place */
  add(timeline, place) {
    this.timelines.push(timeline);
    this.addPart(timeline, place);
  }

  /**
   * Two tracks side by side.
   * @param {number} first @param {number} second
   */
  async compare(first, second) {
    this.clear();
    const wanted = (this.wanted = `${first} ${second}`);
    const ask = (/** @type {string} */ what) =>
      Promise.all([first, second].map((id) => getJSON(`/tracks/${id}${what}`)));
    try {
      /** @type {[TrackDetail[], {bands: SpectrumBand[]}[]]} */
      const [details, spectra] = [await ask(''), await ask('/spectrum')];
      if (this.wanted !== wanted) return;
      const rows = details.map(rowOf);
      const names = rows.map((row) => row.title ?? row.filename ?? String(row.id));
      const both = h('div', { class: 'both' });
      this.element.replaceChildren(heading('Compare', names.join(' \u00b7 '), []), both);
      details.forEach((detail, i) => {
        const side = h('section', { class: 'compared' },
          h('h2', { class: 'etch now' }, h('a', { href: `/track/${detail.id}` }, names[i])),
          h('p', { class: 'second' }, rows[i].artist ?? ''));
        both.append(side);
        this.add(new Timeline(detail, rows[i]), side);
        const caption = 'Spectrum \u00b7 dBFS \u00b7 the other as a line';
        this.addPart(spectrumPlot(spectra[i].bands, null, spectra[1 - i].bands, caption), side);
        side.append(factsOf(detail));
      });
    } catch (error) {
      this.element.replaceChildren(h('h1', { class: 'etch' }, 'They cannot be compared.'),
        h('p', {}, /** @type {Error} */ (error).message));
    }
  }
}
