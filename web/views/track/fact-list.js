/** What is known about a track, beside its plots; its rating can be changed there. */

import { copyButton } from '../../components/copy-path.js';
import { starSlider } from '../../components/star-slider.js';
import { h, pathText } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { addressOfName } from '../../data/names.js';
import { rowOf } from '../../data/tracks.js';
import { addressOf } from '../library/model.js';
import { groupsOf } from './facts.js';

/** @typedef {import('../../data/documents.js').TrackDetail} TrackDetail */

const nothing = { q: '', sort: '', view: 'tracks', folder: '', item: '' };

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
    h('dd', {}, query ? h('a', { href: addressFor(name, value, query) }, value) : value)));
  return h('section', { class: 'group' }, h('h2', { class: 'label' }, title), figure, h('dl', {}, rows));
}

/** Credits that have a view of their own. */
const views = new Map([['Composer', 'composers'], ['Work', 'works']]);

/**
 * Where a credit leads.
 * @param {string} name @param {string | Element | null | undefined} value @param {string} query
 */
function addressFor(name, value, query) {
  const view = views.get(name);
  return view && typeof value === 'string' ? addressOfName(view, value) : addressOf(nothing, { q: query });
}

/** More copies of a recording are only counted. */
const mostFiles = 10;

/**
 * Where its files lie, and what is wrong with each.
 * @param {TrackDetail} detail
 */
function files({ files = [] }) {
  const known = files.filter(({ path }) => path);
  if (!known.length) return null;
  const items = known.slice(0, mostFiles).map(({ path = '', problem }) => {
    const reason = typeof problem === 'string' ? problem : problem?.reason;
    return h('li', {}, h('span', { class: 'path' }, pathText(path)), ' ', copyButton(path),
      reason ? h('p', { class: 'trouble' }, reason) : '');
  });
  const more = known.length - items.length;
  const title = known.length > 1 ? 'Its files' : 'Its file';
  return h('section', { class: 'group files' }, h('h2', { class: 'label' }, title), h('ul', {}, items),
    more > 0 ? h('p', { class: 'second' }, `and ${count(more, 'more copy', 'more copies')}`) : '');
}

/** @param {TrackDetail} detail */
function rating(detail) {
  const { attributes } = detail;
  const value = attributes?.rating?.value ?? attributes?.rating ?? null;
  return starSlider({ ...rowOf(detail), rating: value });
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
  return h('div', { class: 'facts-of' }, groups, files(detail));
}
