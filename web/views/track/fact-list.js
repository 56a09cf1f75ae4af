/** What is known about a track, beside its plots; its rating can be changed there. */

import { attempt } from '../../components/toast.js';
import { change } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { number } from '../../core/format.js';
import { addressOf } from '../library/model.js';
import { groupsOf } from './facts.js';

/** @typedef {import('../../data/documents.js').TrackDetail} TrackDetail */

const nothing = { q: '', sort: '', view: 'tracks', folder: '' };

/**
 * @param {string} title
 * @param {[string, string | Element | null | undefined, string?][]} facts those that are not known are left out; with a
 *   query they lead to what it finds
 * @param {Element} [figure]
 */
function section(title, facts, figure) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  if (!known.length && !figure) return null;
  const rows = known.map(([name, value, query]) => h('div', {}, h('dt', {}, name),
    h('dd', {}, query ? h('a', { href: addressOf(nothing, { q: query }) }, value) : value)));
  return h('section', { class: 'group' }, h('h2', { class: 'label' }, title), figure, h('dl', {}, rows));
}

/** @param {TrackDetail} detail */
function rating({ id, attributes }) {
  const value = Number(attributes?.rating?.value ?? attributes?.rating ?? NaN);
  const select = h('select', { 'aria-label': 'Rating' }, h('option', { value: '' }, 'none'), [1, 2, 3, 4, 5].map(
    (stars) => h('option', { value: String(stars * 20) }, stars === 1 ? '1 star' : `${stars} stars`)));
  if (Number.isFinite(value)) select.value = String(Math.round(value / 20) * 20);
  select.addEventListener('change', () => attempt(
    () => change('PUT', `/tracks/${id}/rating`, { rating: select.value ? Number(select.value) : null }),
    select.value ? 'The rating is kept.' : 'The rating is gone.'));
  return select;
}

/** @param {TrackDetail} detail @returns {HTMLElement} */
export function factsOf(detail) {
  const loudness = detail.measures?.loudness_lufs;
  const figure = typeof loudness !== 'number' ? undefined
    : h('p', { class: 'figure etch' }, number(loudness, 1), h('span', { class: 'unit' }, 'LUFS'));
  const groups = groupsOf(detail).map(({ title, facts }) => {
    if (title === 'Yours') return section(title, [['Rating', rating(detail)], ...facts]);
    return section(title, facts, title === 'Loudness' ? figure : undefined);
  });
  return h('div', { class: 'facts-of' }, groups);
}
