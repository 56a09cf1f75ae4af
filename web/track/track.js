/** One track: what is known about it, and its plots; or two, side by side. */

import { address, getJSON } from '../core/api.js';
import { palette } from '../core/colour.js';
import { effect, h, setText } from '../core/dom.js';
import { isEtchable, matrixNumber, number } from '../core/format.js';
import { go } from '../core/router.js';
import { toast } from '../page/toast.js';
import { player } from '../player/player.js';
import { openSave } from '../player/save.js';
import { Chapters } from './chapters.js';
import { drawSpectrum, hertzMark, spectrumRange } from './plots.js';
import { factsOf } from './facts.js';
import { Timeline, mark, plot } from './timeline.js';

/**
 * What a row of a table would say.
 * @param {any} detail
 */
export function rowOf(detail) {
  const first = (/** @type {string} */ name) => detail.tags?.[name]?.[0] ?? null;
  const filename = detail.files?.[0]?.path?.split('/').pop() ?? null;
  return {
    id: detail.id, file: detail.files?.[0]?.id, title: first('TITLE'), artist: first('ARTIST'), album: first('ALBUM'), filename,
    duration: detail.format?.duration_seconds ?? null, rate: detail.format?.sample_rate_hz, state: detail.state,
  };
}

/** @param {string} title @param {string} second @param {any[]} more */
function heading(title, second, more) {
  return h('header', { class: 'head-of' },
    h('div', {}, h('h1', { class: `etch ${isEtchable(title) ? '' : 'foreign'}` }, title), h('p', { class: 'second' }, second)), h('div', { class: 'buttons' }, more));
}

/** @param {any[]} bands @param {any[]} [other] @param {string} [caption] */
function spectrumPlot(bands, other, caption = 'Spectrum, average and maximum \u00b7 dBFS') {
  const canvas = h('canvas');
  const [low, high] = spectrumRange;
  const levels = [-20, -40, -60, -80].map((level) => mark(number(level), (high - level) / (high - low)));
  const loudest = bands.reduce((best, band) => (band.mean_db > best.mean_db ? band : best), bands[0]);
  const element = plot(caption, 'spectrum', canvas, levels, `Mean spectrum, strongest near ${Math.round(loudest?.low_hz ?? 0)} Hz`);
  const axis = h('div', { class: 'time-axis hertz-axis', 'aria-hidden': 'true' });
  for (const hertz of [100, 200, 500, 1000, 2000, 5000, 10_000]) {
    const label = h('span', {}, hertz === 100 ? '100 Hz' : hertzMark(hertz));
    label.style.left = `${(100 * Math.log(hertz / 100)) / Math.log(180)}%`;
    axis.append(label);
  }
  new ResizeObserver(() => drawSpectrum(canvas, bands, palette.peek(), other)).observe(canvas);
  const stop = effect(() => {
    const colours = palette.value;
    if (canvas.isConnected) drawSpectrum(canvas, bands, colours, other);
  });
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
   * @param {import('../core/router.js').Place} place
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
      const detail = await getJSON(`/tracks/${id}`);
      if (this.wanted !== String(id)) return;
      this.fill(detail);
    } catch (error) {
      this.element.replaceChildren(h('h1', { class: 'etch' }, /** @type {Error} */ (error).message), h('p', {}, h('a', { href: '/' }, 'Back to the library')));
    }
  }

  /** @param {any} detail */
  async fill(detail) {
    const row = rowOf(detail);
    const genres = [detail.tags?.DATE?.[0]?.slice(0, 4), detail.tags?.GENRE?.[0]];
    const second = [row.artist, row.album, ...genres].filter(Boolean).join(' \u00b7 ');
    const hasSound = detail.format?.decoded_frames > 0;
    const other = player.track.peek()?.id;
    const compare = h('button', { type: 'button', disabled: !hasSound || !other || other === detail.id, onclick: () => go(`/compare/${detail.id}/${other}`) }, 'Compare');
    if (compare.disabled) compare.title = 'Plays another track beside this one: play the other track first.';
    const play = h('button', { type: 'button', class: 'main', disabled: !hasSound, onclick: () => (player.track.peek()?.id === row.id ? player.toggle() : player.begin(row, 0, true)) }, 'Play');
    this.stops.push(effect(() => setText(play, player.track.value?.id === row.id && player.playing.value ? 'Pause' : 'Play')));
    const buttons = [
      h('span', { class: 'matrix' }, matrixNumber(detail.hash)), compare,
      h('button', { type: 'button', disabled: !hasSound, onclick: () => openSave({ id: detail.id, row, rate: detail.format.sample_rate_hz, frames: detail.format.decoded_frames }) }, 'Save a part'),
      h('button', { type: 'button', disabled: !hasSound, onclick: () => (player.ask(row), toast('It plays next.')) }, 'Queue'), play,
    ];
    const side = h('div', { class: 'side' }, detail.artwork?.length ? h('img', { class: 'artwork', alt: 'Cover', src: address(`/tracks/${detail.id}/artwork`) }) : null, factsOf(detail));
    const plots = h('div', { class: 'plots' });
    this.element.replaceChildren(heading(row.title ?? row.filename ?? `Track ${row.id}`, second, buttons), h('div', { class: 'body' }, side, plots));
    if (!hasSound) {
      const reason = detail.files?.[0]?.problem?.reason ?? detail.files?.[0]?.problem ?? 'There is no sound in this file that can be decoded.';
      plots.append(h('p', { class: 'trouble' }, typeof reason === 'string' ? reason : 'There is no sound in this file that can be decoded.'));
      return;
    }
    const timeline = new Timeline(detail, row);
    this.add(timeline, plots);
    if (detail.parts?.length) this.addChapters(detail, row, plots);
    const spectrum = await getJSON(`/tracks/${detail.id}/spectrum`).catch(() => null);
    if (spectrum && plots.isConnected) {
      const made = spectrumPlot(spectrum.bands);
      this.stops.push(made.stop);
      plots.append(made.element);
    }
    const { moreLike } = await import('../alike/similar.js');
    const alike = await moreLike(detail.id);
    if (!plots.isConnected) return alike.stop();
    this.stops.push(alike.stop);
    plots.append(alike.element);
  }

  /** @param {any} detail @param {any} row @param {Element} place */
  addChapters(detail, row, place) {
    const chapters = new Chapters(detail, row);
    const timer = setInterval(() => chapters.tick(), 250);
    this.stops.push(chapters.stop, () => clearInterval(timer));
    place.append(chapters.element);
  }

  /** @param {Timeline} timeline @param {Element} place */
  add(timeline, place) {
    this.timelines.push(timeline);
    this.stops.push(() => timeline.observer.disconnect());
    place.append(timeline.element);
  }

  /**
   * Two tracks side by side.
   * @param {number} first @param {number} second
   */
  async compare(first, second) {
    this.clear();
    this.wanted = `${first} ${second}`;
    const wanted = this.wanted;
    try {
      const details = await Promise.all([first, second].map((id) => getJSON(`/tracks/${id}`)));
      const spectra = await Promise.all([first, second].map((id) => getJSON(`/tracks/${id}/spectrum`)));
      if (this.wanted !== wanted) return;
      const rows = details.map(rowOf);
      const name = (/** @type {number} */ i) => rows[i].title ?? rows[i].filename ?? String(rows[i].id);
      const both = h('div', { class: 'both' });
      this.element.replaceChildren(heading('Compare', `${name(0)} \u00b7 ${name(1)}`, []), both);
      details.forEach((detail, i) => {
        const side = h('section', { class: 'compared' }, h('h2', { class: 'etch now' }, h('a', { href: `/track/${detail.id}` }, name(i))), h('p', { class: 'second' }, rows[i].artist ?? ''));
        both.append(side);
        this.add(new Timeline(detail, rows[i]), side);
        const made = spectrumPlot(spectra[i].bands, spectra[1 - i].bands, 'Spectrum \u00b7 dBFS \u00b7 the other as a line');
        this.stops.push(made.stop);
        side.append(made.element, factsOf(detail));
      });
    } catch (error) {
      this.element.replaceChildren(h('h1', { class: 'etch' }, 'They cannot be compared.'), h('p', {}, /** @type {Error} */ (error).message));
    }
  }
}
