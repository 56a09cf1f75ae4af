/** Dialogs that ask what is to be done with many tracks: an attribute, a preset, a playlist file. */

import { ask, labelled } from '../../components/ask.js';
import { getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { assignPreset, playlistFormats, savePlaylist, setAttribute } from '../../data/selected.js';

/** @typedef {import('../../data/selected.js').Selected} Selected */
/** @typedef {import('../../data/selected.js').Changed} Changed */

/**
 * "12 tracks", and how many of them were so before.
 * @param {Changed} changed
 */
export const countOf = ({ tracks, changed }) =>
  count(tracks, 'track') + (changed < tracks ? `, ${number(tracks - changed)} of them before` : '');

/** @param {Selected} selected @param {string} what such as "12 tracks" */
export function openAttribute(selected, what) {
  const names = h('datalist', { id: 'attribute-names' });
  getJSON('/fields').then(({ attributes }) =>
    names.append(...attributes.map((/** @type {string} */ name) => h('option', { value: name }))), () => {});
  const name = h('input', { type: 'text', class: 'name', required: true, maxLength: 100, autocapitalize: 'off' });
  name.setAttribute('list', names.id);
  const value = h('input', { type: 'text', class: 'name', maxLength: 1000 });
  const fields = [labelled('Name', name, names), labelled('Value; none takes it away', value)];
  ask(`An attribute of ${what}`, 'Set', fields, async () => {
    const key = name.value.trim().toLowerCase();
    const text = value.value.trim();
    const words = countOf(await setAttribute(selected, key, text || null));
    return text ? `${key}:${text} for ${words}.` : `${key} is gone from ${words}.`;
  });
}

/** @param {Selected} selected @param {string} what */
export async function openPreset(selected, what) {
  const { presets } = await getJSON('/presets').catch(() => ({ presets: [] }));
  const choice = h('select', {}, h('option', { value: '' }, 'None of their own'),
    presets.map((/** @type {{name: string}} */ { name }) => h('option', { value: name }, name)));
  if (presets[0]) choice.value = presets[0].name;
  ask(`A preset for ${what}`, 'Assign', [labelled('Preset', choice)], async () => {
    const words = countOf(await assignPreset(selected, choice.value || null));
    return choice.value ? `“${choice.value}” for ${words}.` : `No preset of their own for ${words}.`;
  });
}

/**
 * @param {Selected} selected @param {string} what @param {string} [title] of the playlist
 */
export function openExport(selected, what, title = 'Playlist') {
  const name = h('input', { type: 'text', class: 'name', required: true, maxLength: 200, value: title });
  const format = h('select', {}, playlistFormats.map(([value, words]) => h('option', { value }, words)));
  ask(`Export ${what}`, 'Export', [labelled('Name', name), labelled('Format', format)], async () => {
    await savePlaylist(selected, format.value, name.value.trim());
    return `“${name.value.trim()}.${format.value}” is saved, with the paths of the files.`;
  }, false);
  name.select();
}
