/** What an artist sounds like: a mean spectrum, and other artists that are near. */

import { getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { spread } from '../../data/albums.js';
import { addressOfName, valuesOf } from '../../data/names.js';
import { palette } from '../../drawing/colour.js';
import { drawSpectrum } from '../../drawing/plots.js';
import { hertzMark } from '../../drawing/axis.js';
import { fold } from '../../core/fold.js';
import { meanSpectrum } from './model.js';

/** @typedef {import('./content.js').Content} Content */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/** So many tracks stand for an artist. */
const compared = 8;

/**
 * Some tracks of a query, evenly spread over the first two hundred.
 * @param {string} q @returns {Promise<TrackRow[]>}
 */
async function examples(q) {
  const { rows } = await getJSON('/tracks', { q, limit: 200, fields: 'title,state' }).catch(() => ({ rows: [] }));
  return spread(rows.filter((/** @type {TrackRow} */ { id, state }) => id && state === 'ok'), compared);
}

/**
 * The mean spectrum, with what it is the mean of.
 * @param {Content} content @param {string} name @param {string} q @param {Element} place
 */
export async function soundOf(content, name, q, place) {
  const isHere = content.isStill();
  const rows = await examples(q);
  const asked = rows.map(({ id }) => getJSON(`/tracks/${id}/spectrum`).catch(() => null));
  const spectra = (await Promise.all(asked)).flatMap((answer) => (answer ? [answer.bands] : []));
  if (!isHere() || !spectra.length) return;
  const bands = meanSpectrum(spectra);
  const canvas = h('canvas', { role: 'img', 'aria-label': `Mean spectrum of ${name}` });
  const axis = h('div', { class: 'sound-axis', 'aria-hidden': 'true' });
  const [low, high] = [bands[0].low_hz, bands[bands.length - 1].high_hz];
  for (const hertz of [100, 200, 500, 1000, 2000, 5000, 10_000]) {
    if (hertz < low * 0.99 || hertz > high) continue;
    const label = h('span', {}, hertz === 100 ? '100 Hz' : hertzMark(hertz));
    label.style.left = `${(100 * Math.log(hertz / low)) / Math.log(high / low)}%`;
    axis.append(label);
  }
  content.part(`Sound \u00b7 mean of ${count(spectra.length, 'track')} at equal loudness`,
    h('div', { class: 'artist-sound' }, canvas, axis), undefined, place);
  const moved = raised(bands);
  const draw = () => drawSpectrum(canvas, moved, palette.peek());
  const observer = new ResizeObserver(draw);
  observer.observe(canvas);
  content.stops.push(effect(() => {
    palette.value;
    if (canvas.isConnected) draw();
  }), () => observer.disconnect());
}

/**
 * The loudest band at the top of the plot, which is made for levels of full scale.
 * @param {ReturnType<typeof meanSpectrum>} bands
 */
function raised(bands) {
  const loudest = Math.max(...bands.map(({ mean_db: level }) => level ?? -Infinity));
  return bands.map((band) => ({ ...band, mean_db: band.mean_db === null ? null : band.mean_db - loudest - 12 }));
}

/**
 * Other artists, by their most alike track.
 * @param {Content} content @param {string} name @param {string} q @param {Element} place
 */
export async function similarArtists(content, name, q, place) {
  const isHere = content.isStill();
  const rows = (await examples(q)).slice(0, 4);
  /** @type {Map<string, number>} */
  const likeness = new Map();
  await Promise.all(rows.map(async ({ id }) => {
    const { tracks } = await getJSON(`/tracks/${id}/similar`, { limit: 20, other_artists: 1 })
      .catch(() => ({ tracks: [] }));
    for (const { artist, likeness: alike } of tracks) {
      for (const other of valuesOf(artist)) {
        if (fold(other) !== fold(name)) likeness.set(other, Math.max(likeness.get(other) ?? -1, alike));
      }
    }
  }));
  const best = [...likeness].sort(([, a], [, b]) => b - a).slice(0, 5);
  if (!isHere() || !best.length) return;
  content.part('Similar by sound', h('ul', { class: 'names' }, best.map(([other, alike]) => h('li', {},
    h('a', { href: addressOfName('artists', other) }, other), h('span', { class: 'second' }, number(alike, 2))))),
  undefined, place);
}
