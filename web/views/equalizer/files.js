/** Presets as files, and under other names. */

import { toast } from '../../components/toast.js';
import { change } from '../../core/api.js';
import { h, showModal } from '../../core/dom.js';

/** @typedef {import('../../data/presets.js').Preset} Preset */

/** Where a preset may apply, in words. */
const scopes = [
  ['', 'Nothing yet'], ['track', 'This track'], ['album', 'Its album'], ['artist', 'Its artist'],
  ['library', 'The whole library'],
];

/**
 * Gives a preset to the browser as a file.
 * @param {Preset} preset
 */
export function saveFile(preset) {
  const blob = new Blob([JSON.stringify(preset, null, 2) + '\n'], { type: 'application/json' });
  const link = h('a', {
    href: URL.createObjectURL(blob), download: `${preset.name.replace(/[^\p{L}\p{N} ._-]/gu, '_')}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * The first preset in a file of any format that the command imports; null if there is none.
 * @param {FileList} files @returns {Promise<Preset | null>}
 */
export async function readFiles(files) {
  const [file] = files;
  if (!file) return null;
  if (file.size > 1 << 20) return toast('A preset has at most 1 MiB.'), null;
  try {
    const { presets } = await change('POST', '/presets/read', { name: file.name, text: await file.text() });
    if (presets.length > 1) toast(`The first of ${presets.length} presets is heard.`);
    return presets[0] ?? null;
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
    return null;
  }
}

/**
 * Asks for a name and where the preset is to apply.
 * @param {string} name @param {boolean} hasTrack @param {(name: string, scope: string) => Promise<boolean>} save
 */
export function openSaveAs(name, hasTrack, save) {
  const input = h('input', { type: 'text', value: name, maxLength: 200, required: true, id: 'preset-name' });
  const scope = h('select', { id: 'preset-scope', disabled: !hasTrack },
    scopes.map(([value, text]) => h('option', { value }, text)));
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'save-as-title' },
    h('h2', { class: 'etch', id: 'save-as-title' }, 'Save the preset'),
    h('form', { method: 'dialog', onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (await save(input.value.trim(), scope.value)) dialog.close();
    } },
    h('p', { class: 'choice' }, h('label', { htmlFor: 'preset-name' }, 'Name'), input),
    h('p', { class: 'choice' }, h('label', { htmlFor: 'preset-scope' }, 'It applies to'), scope),
    h('p', { class: 'buttons' }, h('button', { class: 'main' }, 'Save'),
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'))));
  showModal(dialog);
  input.select();
}
