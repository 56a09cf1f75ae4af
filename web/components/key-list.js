/** The dialog that lists the keys of the page. */

import { h, showModal } from '../core/dom.js';

const list = [
  ['Space, k', 'Play or pause'], ['j, l', '10 seconds back or ahead'], ['\u2190, \u2192', '5 seconds back or ahead'],
  [', .', 'One frame back or ahead'],
  ['n, p', 'Next or previous track'], ['m', 'Silence, and back'], ['+, \u2212, 0', 'Zoom in, out, whole track'],
  ['o', 'Loop on or off'], ['g', 'Spectrogram'],
  ['f', 'Follow the playhead'], ['e', 'Equalizer'], ['s', 'Spectrum'], ['/', 'Search'],
  ['\u2191, \u2193', 'Rows, in the table'], ['Enter', 'Play the row'], ['Alt+Enter', 'Open the track'],
  ['q, Shift+Q', 'Play the row next, or last'], ['a', 'Add the row to a list'],
  ['1\u20135', 'Rate the row, or all that are selected'],
  ['Shift+\u2191, \u2193', 'Select rows'], ['Ctrl+A', 'Select all'], ['Ctrl+Space', 'Select the row, or not'],
  ['Escape', 'Select none'],
  ['t, T', 'Tags of the row, of all rows'],
  ['Alt+\u2191, \u2193', 'Move the row in its list or the queue'],
  ['Delete', 'Take it out'], ['u', 'Queue'], ['v', 'Now playing'], ['y', 'Lyrics'],
  ['Ctrl+Z', 'Take back a change of the queue'], ['x', 'Next copy, while they are compared'], ['?', 'This list'],
];

export function showKeys() {
  const dialog = h('dialog', { class: 'dialog keys', 'aria-labelledby': 'keys-title' },
    h('h2', { class: 'etch', id: 'keys-title' }, 'Keys'),
    h('dl', {}, list.map(([keys, what]) => h('div', {}, h('dt', {}, keys), h('dd', {}, what)))),
    h('p', { class: 'second' }, 'Single letters can be turned off in the settings.'),
    h('form', { method: 'dialog', class: 'buttons' }, h('button', {}, 'Close')));
  showModal(dialog);
}
