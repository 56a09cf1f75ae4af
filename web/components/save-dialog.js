/** Saves a part of the playing track as a sound file: the loop, or what is typed. */

import { address } from '../core/api.js';
import { h, showModal } from '../core/dom.js';
import { time } from '../core/format.js';
import { titleOf } from '../data/tracks.js';
import { player } from '../player/player.js';

/**
 * Seconds of "1:02:03.5", "62.5" and the like; NaN for anything else.
 * @param {string} text
 */
export function seconds(text) {
  const parts = text.trim().split(':');
  const isNumber = (/** @type {string} */ part, /** @type {number} */ i) =>
    (i === parts.length - 1 ? /^\d+(\.\d+)?$/ : /^\d+$/).test(part);
  if (parts.length > 3 || !parts.every(isNumber)) return NaN;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** @param {string} label @param {string} value */
function field(label, value) {
  const input = h('input', { type: 'text', value, inputMode: 'decimal' });
  return { input, element: h('label', {}, h('span', { class: 'label' }, label), input) };
}

/**
 * @param {{id: number, row: import('../data/documents.js').TrackRow, rate: number, frames: number} | null} [track]
 *   what plays, unless it is named
 */
export function openSave(track = player.track.peek()) {
  if (!track) return;
  const { id } = track;
  const length = track.frames / track.rate;
  const loop = player.track.peek()?.id === track.id ? player.loop.peek() : null;
  const start = field('From', time((loop?.start ?? 0) / track.rate, 3));
  const end = field('To', time(loop ? loop.end / track.rate : length, 3));
  const format = h('select', {}, h('option', { value: 'flac' }, 'FLAC'), h('option', { value: 'wav' }, 'WAV'));
  const fault = h('p', { class: 'trouble', role: 'alert' });
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'save-title' },
    h('form', { method: 'dialog', onsubmit: (/** @type {Event} */ event) => save(event) },
      h('h2', { class: 'etch', id: 'save-title' }, 'Save a part'), h('p', {}, titleOf(track.row)),
      h('div', { class: 'fields' }, start.element, end.element,
        h('label', {}, h('span', { class: 'label' }, 'Format'), format)), fault,
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { class: 'main' }, 'Save'))));
  /** @param {Event} event */
  function save(event) {
    const [from, to] = [seconds(start.input.value), Math.min(seconds(end.input.value), length)];
    if (!(from >= 0 && to > from)) {
      event.preventDefault();
      fault.textContent = 'Write both times as minutes and seconds, such as 2:15.5, the first before the second.';
      return;
    }
    const href = address(`/tracks/${id}/sound`, { start: from, end: to, format: format.value });
    const link = h('a', { href, download: '' });
    document.body.append(link);
    link.click();
    link.remove();
  }
  showModal(dialog);
}
