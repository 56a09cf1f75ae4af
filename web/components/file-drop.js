/** A file that is dropped anywhere on the page: a sound is identified, a playlist becomes a list. */

import { h } from '../core/dom.js';

const veil = h('div', { class: 'veil', hidden: true },
  h('p', { class: 'etch' }, 'Drop an audio file to identify it, or a playlist to import it'));

/**
 * Other places that take files, such as the equalizer, take them first.
 * @param {(file: File) => void} dropped
 */
export function watchDrops(dropped) {
  document.body.append(veil);
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener('dragleave', (event) => event.relatedTarget === null && (veil.hidden = true));
  document.addEventListener('drop', (event) => {
    veil.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (event.defaultPrevented || !file) return;
    event.preventDefault();
    dropped(file);
  });
}
