/** The first run: asks where the music is, shows how it is read, and plays what is there already. */

import { fillTile, makeTile } from '../../components/album-tile.js';
import { FolderChooser } from '../../components/folder-chooser.js';
import { nothing } from '../../components/nothing.js';
import { RootList } from '../../components/root-list.js';
import { attempt, toast } from '../../components/toast.js';
import { change, getJSON, hasCredentials } from '../../core/api.js';
import { attribute, h, keyed, setText } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { scan, scanWords } from '../../data/scan.js';
import { player } from '../../player/player.js';
import { Step, problemsOf, stepOf, wordsOf } from './model.js';

/** @typedef {import('../../data/documents.js').AlbumRow} AlbumRow */

/** So many albums are shown while they come. */
const mostTiles = 60;
const side = 176;
const promise = 'Deadwax only reads. Nothing in these folders is changed, moved or sent anywhere.';

export class StartPage {
  constructor() {
    this.title = h('h1', { class: 'etch' });
    this.detail = h('p', { class: 'second' });
    this.count = h('span', {});
    this.pace = h('span', { class: 'second' });
    this.parts = h('span', { class: 'second' });
    this.problems = h('a', { class: 'trouble', href: '/?view=problems' });
    this.reading = h('span', { class: 'start-reading second' });
    this.part = h('div', { class: 'part' });
    this.rail = h('div', {
      class: 'rail', role: 'progressbar', 'aria-label': 'Reading files', 'aria-valuemin': 0, 'aria-valuemax': 100,
    }, this.part);
    this.stop = h('button', { type: 'button', class: 'link', onclick: () => this.end() }, 'Stop');
    this.again = h('button', { type: 'button', class: 'link', onclick: () => this.begin() }, 'Scan again');
    this.now = h('p', {}, this.count, this.pace);
    this.progress = h('section', { class: 'start-progress', 'aria-label': 'Scan' }, this.now, this.rail,
      h('p', {}, h('span', { class: 'start-counts' }, this.parts, this.problems), this.stop, this.again), this.reading);
    this.play = h('button', { type: 'button', class: 'main', onclick: () => this.playAll() });
    this.ways = h('div', { class: 'buttons' }, this.play,
      h('a', { class: 'button', href: '/?view=albums' }, 'Albums'), h('a', { class: 'button', href: '/' }, 'Tracks'));
    this.tiles = h('div', { class: 'start-tiles' });
    this.chooser = new FolderChooser(() => this.refresh());
    this.roots = new RootList(() => {
      void this.chooser.again();
      this.refresh();
    });
    this.rootsPart = h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Folders of this library'),
      this.roots.element);
    this.choosing = h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Also on this computer'),
      this.chooser.element);
    this.kept = h('section', { class: 'group' }, h('h2', { class: 'label' }, 'What is stored for each track'),
      h('p', { class: 'second' }, 'Waveform, spectrum, loudness, tempo, key and an acoustic fingerprint: about 5 MB '
        + 'for each hour of music, in one file on this computer.'));
    this.folders = h('div', { class: 'start-folders' }, this.rootsPart, this.choosing, this.kept);
    this.shown = h('div', {}, h('header', { class: 'start-head' },
      h('div', {}, this.title, this.detail), this.progress), this.ways, this.tiles, this.folders);
    this.element = h('main', { class: 'start', id: 'main' });
    /** @type {Step} */
    this.step = Step.asking;
    this.isShown = false;
    /** @type {import('../../data/documents.js').Status | null} */
    this.status = null;
    this.refreshing = 0;
    effect(() => this.showScan(scan.value));
    document.addEventListener('keydown', (event) => {
      const isFree = event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== 'Enter' || !isFree || !this.isShown || this.ways.hidden) return;
      event.preventDefault();
      this.playAll();
    });
  }

  async show() {
    this.isShown = true;
    if (!hasCredentials()) {
      this.element.replaceChildren(nothing('Only the owner chooses folders.',
        'Open the address that \u201cdeadwax serve\u201d prints: it ends in a token, which this browser keeps.',
        [['Tracks', '/'], ['Albums', '/?view=albums']]));
      return;
    }
    this.element.replaceChildren(this.shown);
    await this.refresh();
    if (!this.chooser.listing) await this.chooser.show(null);
    if (this.step === Step.asking) this.chooser.input.focus();
  }

  hide() {
    this.isShown = false;
  }

  /** The library has changed. */
  async refresh() {
    if (!this.isShown || !hasCredentials()) return;
    const asked = (this.refreshing += 1);
    const answers = await Promise.all([
      getJSON('/status'), getJSON('/albums', { sort: 'added', limit: mostTiles }), this.roots.show(),
    ]).catch((error) => toast(error.message));
    if (!answers || asked !== this.refreshing) return;
    const [status, { rows, total }] = answers;
    this.status = status;
    scan.value = status.scan;
    this.showTiles(rows);
    this.showStep(total);
  }

  /** @param {number} albums how many there are */
  showStep(albums) {
    const { status } = this;
    if (!status) return;
    this.step = stepOf(status);
    const { title, detail } = wordsOf(this.step, status);
    setText(this.title, title);
    setText(this.detail, detail ?? promise);
    const isAsking = this.step === Step.asking;
    this.element.classList.toggle('asking', isAsking);
    this.progress.hidden = isAsking;
    this.rootsPart.hidden = isAsking;
    setText(/** @type {Element} */ (this.choosing.firstElementChild),
      isAsking ? 'Folders of this computer' : 'Also on this computer');
    this.ways.hidden = !status.files;
    setText(this.play, this.step === Step.reading ? 'Play what is there already' : 'Play all');
    this.play.title = 'Enter';
    this.tiles.hidden = !albums;
  }

  /** @param {import('../../data/documents.js').ScanProgress | null} progress */
  showScan(progress) {
    const { status } = this;
    const isRunning = Boolean(progress?.running);
    this.stop.hidden = !isRunning || progress?.mine === false;
    this.again.hidden = isRunning;
    this.rail.hidden = !isRunning;
    this.now.hidden = this.reading.hidden = !isRunning;
    if (!progress || !isRunning) {
      setText(this.parts, '');
      this.showProblems(status ? problemsOf(status) : 0);
      if (progress?.error) toast(progress.error);
      // The end of a scan is no change of the library, if it has found nothing.
      if (progress && status?.scan?.running) this.refresh();
      return;
    }
    const words = scanWords(progress);
    setText(this.count, words.count);
    setText(this.pace, words.pace);
    setText(this.parts, words.parts);
    this.showProblems(progress.problems ?? 0);
    setText(this.reading, words.reading);
    this.part.style.width = `${100 * (words.share ?? 0)}%`;
    attribute(this.rail, 'aria-valuenow', words.share === null ? null : Math.round(100 * words.share));
    if (status && !status.scan?.running) this.refresh();
  }

  /** @param {number} problems */
  showProblems(problems) {
    this.problems.hidden = !problems;
    setText(this.problems, `${number(problems)} with problems`);
  }

  /** @param {AlbumRow[]} rows */
  showTiles(rows) {
    keyed(this.tiles, rows, (row) => row.album_id, () => makeTile());
    for (const [index, row] of rows.entries()) {
      const tile = /** @type {HTMLElement} */ (this.tiles.children[index]);
      // Another size for each number of files, for the same picture: an engraved cover changes with them, and a browser
      // asks for an address once.
      fillTile(tile, row, side - (row.files % 8), { note: row.artist ?? '', isFocusable: true });
      setText(/** @type {Element} */ (tile.querySelector('.tile-year')), count(row.tracks, 'track'));
    }
  }

  async playAll() {
    const { rows, total } = await getJSON('/tracks', { q: '', limit: 50 }).catch(() => ({ rows: [], total: 0 }));
    const index = rows.findIndex((/** @type {import('../../data/documents.js').TrackRow} */ row) => row.id);
    if (index < 0) return toast('Nothing that can be heard is there yet.');
    await player.playFrom(rows[index], { q: '', sort: '', total: total ?? rows.length }, index);
  }

  end() {
    return attempt(() => change('DELETE', '/scan'), 'The scan ends. What was read is kept.', false);
  }

  async begin() {
    if (await attempt(() => change('POST', '/scan', {}), 'The folders are being scanned.', false)) await this.refresh();
  }
}
