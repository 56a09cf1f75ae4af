/** What is wrong at the left, the evidence for it at the right. */

import { copyButton } from '../../components/copy-path.js';
import { sign } from '../../components/signs.js';
import { getJSON } from '../../core/api.js';
import { h, pathText, setText } from '../../core/dom.js';
import { channels, count, frequency, length, number, rate, signed, size, time } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { addressOfAlbum, addressOfTrack } from '../../data/names.js';
import { outlineOf, watchers } from '../../data/outlines.js';
import { codecName, rowOf, titleOf } from '../../data/tracks.js';
import { sizeOf } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';
import { drawSpectrum } from '../../drawing/plots.js';
import { drawStrip } from '../../drawing/strip.js';
import { player } from '../../player/player.js';
import { given, problemRows } from './model.js';

/** @typedef {import('./content.js').Content} Content */
/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */
/** @typedef {import('../../data/documents.js').TrackDetail} TrackDetail */

/** Of each kind at most so many are listed. */
const most = 500;
/** Fewer clipped samples are nothing that one hears. */
const fewestClipped = 100;

const fields = 'title,artist,album,album-id,filename,path,codec,lossy_source,cutoff,clipped,truepeak,state';

/** @param {string} q @param {string} terms */
const tracksOf = (q, terms) => getJSON('/tracks', { q: `${q} ${terms}`, limit: most, fields })
  .then(({ rows }) => rows, () => []);

/** @type {import('./panes.js').Kind} */
export const problems = {
  name: 'problems', label: 'Problems', isTall: true,
  async rows({ q }) {
    const [found, lossy, clipped] = await Promise.all([
      getJSON('/problems', { q, limit: most }).then(({ rows }) => rows, () => []),
      tracksOf(q, 'lossy_source:strong cutoff+').then(async (strong) =>
        [...strong, ...(await tracksOf(q, 'lossy_source:weak cutoff+'))]),
      tracksOf(q, `clipped:>=${fewestClipped} clipped-`),
    ]);
    return given(problemRows({ problems: found, lossy, clipped }));
  },
  columns: [
    {
      key: 'title', label: 'File', width: 'minmax(0, 1fr)', name: 'title', make: () => h('span'),
      fill: (cell, row) => {
        const shown = [row.title ?? '', row.codecName ?? ''].join('\u0000');
        if (cell.dataset.shown === shown) return;
        cell.dataset.shown = shown;
        cell.replaceChildren(row.title ?? '', row.codecName ? h('span', { class: 'codec' }, ` ${row.codecName}`) : '');
      },
    },
    {
      key: 'second', label: 'What is wrong', width: '0', name: 'second', make: () => h('span'),
      fill: (cell, row) => {
        setText(cell, row.second ?? '');
        cell.classList.toggle('trouble', Boolean(row.isGrave));
      },
    },
    {
      key: 'figure', label: '', width: '56px', isNumber: true, name: 'figure',
      fill: (cell, row) => setText(cell, row.figure ?? ''),
    },
  ],
  itemOf: (row) => (row.heading ? `heading ${row.title}` : `${row.kind}:${row.file}`),
  rowFor: () => null,
  empty: ['All files could be read.', 'Damaged, missing and unsupported files would be listed here.'],
  async fill(content, row) {
    const isHere = content.begin();
    // The rows of problems name files; their tracks are found through them.
    const id = row.id ?? await idOf(row);
    const detail = id ? await getJSON(`/tracks/${id}`).catch(() => null) : null;
    if (isHere()) await show(content, row, detail);
  },
};

/**
 * The track of a file that has a problem; null of one that could not be decoded.
 * @param {GroupRow} row @returns {Promise<number | null>}
 */
async function idOf({ path, file }) {
  const q = `path:=${JSON.stringify(String(path))}`;
  const { rows } = await getJSON('/tracks', { q, limit: 10, fields: 'path' }).catch(() => ({ rows: [] }));
  return rows.find((/** @type {GroupRow} */ one) => one.file === file)?.id ?? null;
}

/** @type {Record<string, string>} */
const sentences = { lossy: 'claims lossless, is not', clipped: 'is clipped' };

/**
 * @param {Content} content @param {GroupRow} row @param {TrackDetail | null} detail
 */
async function show(content, row, detail) {
  const isHere = content.isStill();
  const path = String(row.path ?? detail?.files?.[0]?.path ?? '');
  const track = detail ? rowOf(detail) : null;
  const hasSound = (detail?.format?.decoded_frames ?? 0) > 0;
  const begin = () => track && player.begin(track, 0, true);
  const play = h('button', { type: 'button', class: 'main', onclick: begin }, 'Play');
  play.disabled = !hasSound;
  const words = sentences[row.kind] ?? `is ${String(row.state).replace('unsupported', 'without a decoder')}`;
  content.head(`${row.title} ${words}`, [], [
    play, ...(detail ? [h('a', { class: 'button', href: addressOfTrack(detail.id) }, 'Details')] : []),
    ...(row['album-id'] ? [h('a', { class: 'button', href: addressOfAlbum(row['album-id']) }, 'Album')] : []),
  ]);
  const format = detail?.format;
  content.element.append(h('p', { class: 'edition-line' }, pathText(path), ' \u00b7 ', [
    format?.codec && codecName(format.codec), format?.bits && `${format.bits} bits`,
    format && rate(format.sample_rate_hz), format && channels(format.channels),
    detail?.files?.[0]?.size_bytes && size(detail.files[0].size_bytes),
  ].filter(Boolean).join(', '), format ? ' \u00b7 ' : '', copyButton(path)));
  content.part('Evidence', h('div', { class: 'evidence-text' }, evidence(row, detail)));
  if (!detail || !hasSound) return;
  const canvas = h('canvas', { class: 'evidence-wave', 'aria-hidden': 'true' });
  content.part(`Whole track \u00b7 ${length(track?.duration)}`, canvas);
  const drawings = [() => drawWave(canvas, detail)];
  const spectrum = await getJSON(`/tracks/${detail.id}/spectrum`).catch(() => null);
  if (!isHere()) return;
  if (spectrum) {
    const plot = h('canvas', { class: 'evidence-spectrum', role: 'img', 'aria-label': 'Mean spectrum' });
    const cut = h('div', { class: 'cut', hidden: true }, h('span', {}));
    const cutoff = detail.measures?.cutoff_hz;
    if (row.kind === 'lossy' && cutoff) {
      cut.hidden = false;
      cut.style.left = `${(100 * Math.log(cutoff / 100)) / Math.log(180)}%`;
      /** @type {HTMLElement} */ (cut.firstElementChild).textContent = frequency(cutoff);
    }
    content.part('Spectrum, average and maximum \u00b7 dBFS', h('div', { class: 'evidence-plot' }, plot, cut));
    drawings.push(() => drawSpectrum(plot, spectrum.bands, palette.peek()));
  }
  const all = () => drawings.forEach((draw) => draw());
  const observer = new ResizeObserver(all);
  observer.observe(content.element);
  watchers.add(all);
  content.stops.push(() => observer.disconnect(), () => watchers.delete(all), effect(() => {
    palette.value;
    all();
  }));
  requestAnimationFrame(all);
}

/** @param {HTMLCanvasElement} canvas @param {TrackDetail} detail */
function drawWave(canvas, detail) {
  const { width } = sizeOf(canvas);
  if (!width) return;
  drawStrip(canvas, [{ left: 0, width, outline: outlineOf(detail.id), played: 0 }], palette.peek(),
    { pitch: 3, coloured: true });
}

/**
 * A figure and sentences.
 * @param {GroupRow} row @param {TrackDetail | null} detail
 */
function evidence(row, detail) {
  const m = detail?.measures ?? {};
  const figure = (/** @type {string} */ value, /** @type {string} */ unit) =>
    h('p', { class: 'etch large' }, value, h('span', { class: 'unit' }, unit));
  if (row.kind === 'lossy') {
    return [
      m.cutoff_hz ? figure(number(m.cutoff_hz / 1000, 1), 'kHz') : '',
      h('p', {}, sign('lossy'), ' Nothing above it throughout the track, typical of a lossy format. ',
        `The evidence is ${row.lossy_source}.`),
    ];
  }
  if (row.kind === 'clipped') {
    return [
      figure(number(row.clipped), 'samples at full scale'),
      h('p', {}, sign('clipped'), typeof m.true_peak_dbtp === 'number'
        ? ` The true peak is ${signed(m.true_peak_dbtp, 2)} dBTP: most converters clip everything above 0.`
        : ' Several in a row are at full scale.'),
    ];
  }
  const { position_seconds: position, attempts } = row;
  return [
    h('p', { class: 'trouble' }, sign(row.state === 'damaged' ? 'damaged' : 'missing'),
      ` ${row.reason ?? 'It cannot be read.'}`),
    typeof position === 'number' ? h('p', {}, `It begins at ${time(position, 1)}.`) : '',
    attempts > 1 ? h('p', { class: 'second' }, `Tried ${count(attempts, 'time')}.`) : '',
    h('p', { class: 'second' },
      detail ? `In the library it is “${titleOf(rowOf(detail))}”.` : 'None of it could be decoded.'),
  ];
}
