/** Choices of this browser, and what the library is. */

import { canStream } from '../../audio/stream-engine.js';
import { choiceButtons } from '../../components/choice.js';
import { FolderChooser } from '../../components/folder-chooser.js';
import { showKeys } from '../../components/key-list.js';
import { RootList } from '../../components/root-list.js';
import { SessionList } from '../../components/session-list.js';
import { attempt, toast } from '../../components/toast.js';
import { change, getJSON, hasCredentials } from '../../core/api.js';
import { attribute, h } from '../../core/dom.js';
import { duration, number, size } from '../../core/format.js';
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
  ['Playing', canStream() ? 'exact, without gaps' : 'by the browser: open the page over https for exact playback'],
];

export class SettingsPage {
  constructor() {
    this.about = h('dl', {});
    const changed = () => this.showAbout();
    this.roots = new RootList(changed);
    this.sessions = new SessionList();
    this.chooser = new FolderChooser(changed);
    this.choosing = h('div', { class: 'settings-chooser', hidden: true }, this.chooser.element);
    const choose = h('button', {
      type: 'button', 'aria-expanded': 'false', onclick: () => this.openChooser(choose),
    }, 'Choose folders');
    this.folders = h('div', { class: 'settings-folders' }, h('h2', { class: 'label' }, 'Folders'), this.roots.element);
    const scan = () => attempt(() => change('POST', '/scan', {}), 'The folders are being scanned.', false);
    /** What is the owner's. */
    this.ways = h('div', { class: 'buttons', hidden: !hasCredentials() }, choose,
      h('button', { type: 'button', onclick: scan }, 'Scan the folders'));
    this.element = h('main', { class: 'settings', id: 'main' },
      h('header', { class: 'head-of' },
        h('div', {}, h('h1', { class: 'etch' }, 'Settings'), h('p', { class: 'second' }, 'For this browser'))),
      h('div', { class: 'columns-of' },
        h('div', {},
          choice('Theme', settings.theme, [['system', 'As the system'], ['dark', 'Dark'], ['light', 'Light']]),
          choice('ReplayGain', settings.replayGain, [['track', 'Track'], ['album', 'Album'], ['off', 'Off']]),
          choice('Keep true peaks below 0 dBTP', settings.protectPeaks, yesNo),
          choice('Transitions', settings.transitions,
            [['gapless', 'Gapless'], ['silence', 'Short silences'], ['smart', 'Smart']]),
          choice('Play tracks through their presets', settings.presets, yesNo),
          choice('Keys of one letter', settings.letterKeys, yesNo),
          h('div', { class: 'buttons settings-keys' },
            h('button', { type: 'button', onclick: showKeys }, 'Show all keys')),
          this.sessions.element),
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Library'), this.about,
          this.folders, this.ways, this.choosing)));
  }

  /** @param {HTMLButtonElement} button */
  openChooser(button) {
    this.choosing.hidden = !this.choosing.hidden;
    attribute(button, 'aria-expanded', String(!this.choosing.hidden));
    if (this.choosing.hidden) return;
    this.chooser.show(null).then(() => this.chooser.input.focus());
  }

  show() {
    this.folders.hidden = !hasCredentials();
    if (hasCredentials()) this.roots.show().catch((error) => toast(error.message));
    this.sessions.show().catch((error) => toast(error.message));
    return this.showAbout();
  }

  refresh() {
    this.show();
  }

  async showAbout() {
    try {
      const facts = factsOf(...await Promise.all([getJSON('/status'), getJSON('/tracks/count')]));
      this.about.replaceChildren(...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    } catch (error) {
      this.about.replaceChildren(h('div', {}, h('dt', {}, /** @type {Error} */ (error).message)));
    }
  }
}
