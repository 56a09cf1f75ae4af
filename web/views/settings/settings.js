/** Choices of this browser, and what the library is. */

import { canStream } from '../../audio/stream-engine.js';
import { choiceButtons } from '../../components/choice.js';
import { attempt } from '../../components/toast.js';
import { change, getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { count, duration, number, size } from '../../core/format.js';
import { settings } from '../../core/settings.js';

/**
 * @template T
 * @param {string} title @param {import('../../core/signals.js').Signal<T>} chosen @param {[T, string][]} options
 */
const choice = (title, chosen, options) =>
  h('div', { class: 'choice', role: 'group', 'aria-label': title },
    h('span', {}, title), h('div', { class: 'buttons' }, choiceButtons(chosen, options)));

/** @type {[boolean, string][]} */
const yesNo = [[true, 'On'], [false, 'Off']];

/**
 * What the library is, in words. The head of the library counts tracks: files, with all copies of a recording.
 * @param {import('../../data/documents.js').Status} status @param {import('../../data/documents.js').Sums} sums
 * @returns {[string, string][]}
 */
export const factsOf = (status, sums) => [
  ['Tracks (files)', `${number(sums.files)} \u00b7 ${duration(sums.duration_seconds)}`],
  ['Recordings (without copies)', `${number(status.recordings)} \u00b7 ${duration(status.audio_seconds)}`],
  ['Size of the files', size(status.media_bytes)],
  ['Size of the library', size(status.library_bytes)],
  ...status.roots.map(({ path, files }) => /** @type {[string, string]} */ ([path, count(files, 'file')])),
  ['Playing', canStream() ? 'exact, without gaps' : 'by the browser: open the page over https for exact playback'],
];

export class SettingsPage {
  constructor() {
    this.about = h('dl', {});
    const scan = () => attempt(() => change('POST', '/scan', {}), 'The folders are being scanned.', false);
    this.element = h('main', { class: 'settings', id: 'main' },
      h('header', { class: 'head-of' },
        h('div', {}, h('h1', { class: 'etch' }, 'Settings'), h('p', { class: 'second' }, 'For this browser'))),
      h('div', { class: 'columns-of' },
        h('div', {},
          choice('Theme', settings.theme, [['system', 'As the system'], ['dark', 'Dark'], ['light', 'Light']]),
          choice('ReplayGain', settings.replayGain, [['track', 'Track'], ['album', 'Album'], ['off', 'Off']]),
          choice('Keep true peaks below 0 dBTP', settings.protectPeaks, yesNo),
          choice('Play tracks through their presets', settings.presets, yesNo),
          choice('Keys of one letter', settings.letterKeys, yesNo)),
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Library'), this.about,
          h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: scan }, 'Scan the folders')))));
  }

  async show() {
    try {
      const facts = factsOf(...await Promise.all([getJSON('/status'), getJSON('/tracks/count')]));
      this.about.replaceChildren(...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    } catch (error) {
      this.about.replaceChildren(h('div', {}, h('dt', {}, /** @type {Error} */ (error).message)));
    }
  }
}
