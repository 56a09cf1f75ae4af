/** Works and their recordings, one below the other on one axis of time: tempi are seen. */

import { getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { count, length, number } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { coverOfAlbum } from '../../data/covers.js';
import { addressOfAlbum, addressOfName, quoted } from '../../data/names.js';
import { outlineOf, watchers } from '../../data/outlines.js';
import { Rows } from '../../data/rows.js';
import { titleOf } from '../../data/tracks.js';
import { sizeOf } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';
import { drawStrip } from '../../drawing/strip.js';
import { figureColumn, nameColumn } from './columns.js';
import { onceEach } from './content.js';
import { worksOf } from './model.js';

/** @typedef {import('./content.js').Content} Content */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

const fields = 'title,artist,album,album-id,work,conductor,duration,codec,rate,bits,year,state,lossy_source';

/**
 * The works of the tracks that a query finds; nothing if their tags name none.
 * @param {Content} content @param {string} q
 */
export async function worksBy(content, q) {
  const isHere = content.isStill();
  const { rows } = await getJSON('/tracks', { q: `${q} -work:""`, limit: 500, fields }).catch(() => ({ rows: [] }));
  if (!isHere() || !rows.length) return;
  for (const work of worksOf(rows)) show(content, work, true);
}

/**
 * @param {Content} content @param {ReturnType<typeof worksOf>[number]} work @param {boolean} isLinked
 */
function show(content, { work, recordings, longest }, isLinked) {
  /** @type {(() => void)[]} */
  const draws = [];
  const lines = recordings.map(({ album, rows, seconds }) => {
    const canvas = h('canvas', { 'aria-hidden': 'true' });
    draws.push(() => draw(canvas, rows, longest));
    const [first] = rows;
    return h('li', { class: 'recording' },
      h('a', { href: addressOfAlbum(album), tabIndex: -1, 'aria-hidden': 'true' }, h('img', {
        alt: '', loading: 'lazy', src: coverOfAlbum(album, 40), width: 40, height: 40,
      })),
      h('div', { class: 'who' },
        h('a', { href: addressOfAlbum(album) }, first.artist ?? first.album ?? '[Unknown Artist]'),
        h('p', { class: 'second' }, [first.conductor, first.year].filter(Boolean).join(' \u00b7 '))),
      canvas, h('span', { class: 'length' }, length(seconds)),
      h('span', { class: 'second format' }, [first.codec?.toUpperCase(), first.bits && `${first.bits} bits`]
        .filter(Boolean).join(' ')));
  });
  const title = isLinked ? h('h3', { class: 'etch' }, h('a', { href: addressOfName('works', work) }, work))
    : h('h3', { class: 'label' }, 'Recordings');
  content.element.append(h('section', { class: 'part work' }, h('header', {}, title,
    h('span', { class: 'label' }, count(recordings.length, 'recording'))),
  h('p', { class: 'label movements' }, recordings[0].rows.map(titleOf).join(', ')), h('ul', {}, lines)));
  const all = () => draws.forEach((one) => one());
  watchers.add(all);
  const observer = new ResizeObserver(all);
  observer.observe(content.element);
  content.stops.push(() => watchers.delete(all), () => observer.disconnect(), effect(() => {
    palette.value;
    all();
  }));
  requestAnimationFrame(all);
}

/**
 * @param {HTMLCanvasElement} canvas @param {TrackRow[]} rows @param {number} longest of all recordings, in seconds
 */
function draw(canvas, rows, longest) {
  const { width } = sizeOf(canvas);
  if (!width) return;
  const scale = (width - 6 * Math.max(0, rows.length - 1)) / Math.max(1, longest);
  let left = 0;
  drawStrip(canvas, rows.map(({ id, duration }) => {
    const piece = { left, width: (duration ?? 0) * scale, outline: outlineOf(id), played: 0 };
    left += piece.width + 6;
    return piece;
  }), palette.peek(), { pitch: 2, coloured: true });
}

/** @type {import('./panes.js').Kind} */
export const works = {
  name: 'works', label: 'Works', rows: ({ q }) => new Rows('/works', { q }).begin(),
  columns: [nameColumn((row) => row.name), figureColumn((row) => number(row.files))],
  itemOf: (row) => row.name, rowFor: (item) => ({ name: item }),
  empty: ['No matching works.', 'Works come from the tags of the files.'],
  async fill(content, { name }) {
    const isHere = content.begin();
    const order = `${await onceEach(`work:=${quoted(name)}`)} album+ album-disc+ track+`;
    if (!isHere()) return;
    content.head(name, [], content.acts(order));
    const { rows } = await getJSON('/tracks', { q: order, limit: 500, fields }).catch(() => ({ rows: [] }));
    if (!isHere()) return;
    for (const work of worksOf(rows).filter((one) => one.work === name)) show(content, work, false);
    await content.tracks('Tracks', order);
  },
};
