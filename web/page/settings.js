/** Choices of this browser, and what the library is. */

import { change, getJSON } from '../core/api.js';
import { effect, h } from '../core/dom.js';
import { count, duration, number, size } from '../core/format.js';
import { settings } from '../core/settings.js';
import { canStream } from '../player/stream.js';
import { toast } from './toast.js';

/** @param {string} title @param {import('../core/dom.js').Signal<any>} chosen @param {[any, string][]} options */
function choice(title, chosen, options) {
  const buttons = options.map(([value, words]) => {
    const button = h('button', { type: 'button', onclick: () => (chosen.value = value) }, words);
    effect(() => button.setAttribute('aria-pressed', String(chosen.value === value)));
    return button;
  });
  return h('div', { class: 'choice', role: 'group', 'aria-label': title }, h('span', {}, title), h('div', { class: 'buttons' }, buttons));
}

const yesNo = /** @type {[any, string][]} */ ([[true, 'On'], [false, 'Off']]);

export class SettingsPage {
  constructor() {
    this.about = h('dl', {});
    this.element = h('main', { class: 'settings', id: 'main' },
      h('header', { class: 'head-of' }, h('div', {}, h('h1', { class: 'etch' }, 'Settings'), h('p', { class: 'second' }, 'For this browser'))),
      h('div', { class: 'columns-of' },
        h('div', {},
          choice('Theme', settings.theme, [['system', 'As the system'], ['dark', 'Dark'], ['light', 'Light']]),
          choice('ReplayGain', settings.replayGain, [['track', 'Track'], ['album', 'Album'], ['off', 'Off']]),
          choice('Keep true peaks below 0 dBTP', settings.protectPeaks, yesNo),
          choice('Play tracks through their presets', settings.presets, yesNo),
          choice('Keys of one letter', settings.letterKeys, yesNo)),
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Library'), this.about,
          h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => this.scan() }, 'Scan the folders')))));
  }

  async show() {
    const status = await getJSON('/status').catch((error) => ({ failure: error.message }));
    if (status.failure) return this.about.replaceChildren(h('div', {}, h('dt', {}, status.failure)));
    const rows = [
      ['Files', number(status.files)], ['Recordings', number(status.recordings)], ['Sound', duration(status.audio_seconds)], ['Size of the files', size(status.media_bytes)],
      ['Size of the library', size(status.library_bytes)], ...status.roots.map((/** @type {any} */ root) => [root.path, count(root.files, 'file')]),
      ['Playing', canStream() ? 'exact, without gaps' : 'by the browser: open the page by https for exact playing'],
    ];
    return this.about.replaceChildren(...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  async scan() {
    try {
      await change('POST', '/scan', {});
      toast('The folders are being scanned.');
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }
}
