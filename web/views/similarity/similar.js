/** "More like this": the tracks that sound most like one. */

import { toast } from '../../components/toast.js';
import { ApiError, getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { length, number } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { keyText, titleOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

const shownFirst = 8;

/**
 * Plays one of them; the others follow as the query finds them.
 * @param {number} id of the track that they are like @param {TrackRow} row
 */
async function play(id, row) {
  const q = `similar:${id}`;
  const [{ files }, { row: index }] = await Promise.all([
    getJSON('/tracks/count', { q }), getJSON('/tracks/rank', { q, id: row.id }),
  ]);
  await player.playFrom(row, { q, sort: '', total: files }, index ?? 0);
}

/** @param {number} id @param {TrackRow} row */
function item(id, row) {
  const title = titleOf(row);
  const act = (/** @type {string} */ word, /** @type {() => void} */ body) =>
    h('button', { type: 'button', class: 'word', 'aria-label': `${word} ${title}`, onclick: body }, word);
  const facts = [row.bpm ? `${number(row.bpm, 0)} BPM` : '', keyText(row)].filter(Boolean).join(' \u00b7 ');
  const element = h('li', {},
    h('span', { class: 'likeness', title: 'Similarity: 0 for a random track, 1 for the same sound' },
      number(row.likeness, 2)),
    h('a', { href: `/track/${row.id}`, class: 'name' }, title), h('span', { class: 'second' }, row.artist ?? ''),
    h('span', { class: 'second about' }, facts), h('span', { class: 'figure' }, length(row.duration)),
    act('Play', () => play(id, row).catch((error) => toast(error.message))), act('Queue', () => {
      player.ask(row);
      toast(`“${title}” plays next.`);
    }));
  return { element, row };
}

/**
 * Why there are none.
 * @param {unknown} error
 */
const sentenceOf = (error) =>
  error instanceof ApiError && error.status === 404
    ? 'This track was scanned by an older version. “deadwax reanalyze --missing” compares it.'
    : /** @type {Error} */ (error).message;

/**
 * The list for a track; what it listens to ends with `stop`.
 * @param {number} id
 * @returns {Promise<{element: HTMLElement, stop: () => void}>}
 */
export async function moreLike(id) {
  const list = h('ol', { class: 'similar' });
  const note = h('p', { class: 'second' });
  const more = h('button', { type: 'button', class: 'word', hidden: true }, 'All of them');
  const others = h('button', { type: 'button', class: 'word', 'aria-pressed': 'false' }, 'Other artists only');
  const tools = h('div', { class: 'tools' }, others,
    h('a', { href: `/?q=similar%3A${id}`, class: 'word' }, 'As a search'));
  const element = h('section', { class: 'more-like', 'aria-label': 'More like this' },
    h('header', {}, h('h2', { class: 'label' }, 'More like this'), tools), list, note, more);
  /** @type {{element: HTMLElement, row: TrackRow}[]} */
  let items = [];
  const mark = () => {
    const playing = player.track.value?.id;
    for (const { element, row } of items) element.toggleAttribute('aria-current', row.id === playing);
  };
  const fill = async () => {
    const parameters = { limit: 40, other_artists: others.ariaPressed === 'true' ? 1 : null };
    /** @type {{tracks: TrackRow[], error?: unknown}} */
    const { tracks, error } = await getJSON(`/tracks/${id}/similar`, parameters)
      .catch((error) => ({ error, tracks: [] }));
    note.textContent = error ? sentenceOf(error)
      : tracks.length ? '' : 'No other track in the library can be compared with it.';
    items = tracks.map((row) => item(id, row));
    items.forEach(({ element }, i) => (element.hidden = i >= shownFirst));
    list.replaceChildren(...items.map(({ element }) => element));
    more.hidden = items.length <= shownFirst;
    mark();
  };
  others.addEventListener('click', () => {
    others.setAttribute('aria-pressed', String(others.ariaPressed !== 'true'));
    fill();
  });
  more.addEventListener('click', () => {
    for (const { element } of items) element.hidden = false;
    more.hidden = true;
    /** @type {HTMLElement | null} */ (items[shownFirst]?.element.querySelector('a'))?.focus();
  });
  await fill();
  return { element, stop: effect(mark) };
}
