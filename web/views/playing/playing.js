/** What plays now, as large as the page: its cover, and its lyrics or what comes next. */

import { besideCover, drawers, toggleDrawer } from '../../components/drawer.js';
import { shapes, volumeSlider } from '../../components/transport.js';
import { getJSON } from '../../core/api.js';
import { attribute, h, iconButton, setText } from '../../core/dom.js';
import { isEtchable, length } from '../../core/format.js';
import { effect, signal } from '../../core/signals.js';
import { coverOfTrack } from '../../data/covers.js';
import { titleOf } from '../../data/tracks.js';
import { palette } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { bestOf, lineAt, nameOf, originOf } from './lyrics-model.js';

/** @typedef {import('./lyrics-model.js').Lyrics} Lyrics */

/** So many of what comes next. */
const nextShown = 8;
/** Who scrolls reads somewhere else, for so many milliseconds. */
const readsFor = 5000;

/** @param {string} name @param {() => void} act */
const word = (name, act) => h('button', { type: 'button', class: 'word', onclick: act }, name);

export class PlayingView {
  constructor() {
    this.cover = h('img', { alt: '', class: 'large', width: 440, height: 440 });
    this.caption = h('p', { class: 'second' });
    this.origin = h('span', { class: 'label' });
    this.choices = h('span', { class: 'words' });
    this.lines = h('ol', { class: 'lyrics etch' });
    this.next = h('ol', { class: 'coming' });
    this.scroller = h('div', {
      class: 'scroller', role: 'region', tabIndex: 0, 'aria-label': 'Lyrics and what comes next',
    }, this.lines, this.next);
    this.lyricsWord = word('Lyrics', () => (besideCover.value = 'lyrics'));
    this.nextWord = word('Next', () => (besideCover.value = 'next'));
    this.element = h('section', { class: 'drawer playing', 'aria-label': 'Now playing' },
      h('div', { class: 'bar' }, h('div', { class: 'words' }, this.lyricsWord, this.nextWord),
        h('div', { class: 'words' },
          word('Full screen', () => this.fill()), word('Close', () => toggleDrawer('playing')))),
      h('figure', {}, this.cover, h('figcaption', {}, this.caption)),
      h('div', { class: 'beside' }, h('p', { class: 'origin' }, this.origin, this.choices), this.scroller),
      h('div', { class: 'transport narrow-only' },
        iconButton('Previous', shapes.previous, () => player.back()), volumeSlider(),
        iconButton('Next', shapes.next, () => player.skip())));
    /** @type {import('../../core/signals.js').Signal<Lyrics[] | null>} null: on their way */
    this.texts = signal(/** @type {Lyrics[] | null} */ (null));
    /** @type {import('../../core/signals.js').Signal<Lyrics | null>} */
    this.text = signal(/** @type {Lyrics | null} */ (null));
    this.asked = 0;
    this.sung = -2;
    this.readsUntil = 0;
    for (const name of ['wheel', 'touchmove', 'keydown']) {
      this.scroller.addEventListener(name, () => (this.readsUntil = performance.now() + readsFor), { passive: true });
    }
    effect(() => {
      const track = player.track.value;
      palette.value;
      if (!drawers.playing.value || !track) return;
      const { row } = track;
      this.cover.src = coverOfTrack(track.id, 440);
      setText(this.caption, [row.album, row.artist].filter(Boolean).join(' \u00b7 ') || titleOf(row));
      if (this.asked !== track.id) this.ask(track.id);
    });
    effect(() => this.put());
    effect(() => {
      player.queued.value;
      player.track.value;
      if (drawers.playing.value) this.putNext();
    });
    const run = () => {
      if (!drawers.playing.peek()) return;
      this.follow();
      requestAnimationFrame(run);
    };
    effect(() => void (drawers.playing.value && requestAnimationFrame(run)));
  }

  show() {
    this.scroller.focus({ preventScroll: true });
    this.sung = -2;
    this.follow();
  }

  hide() {
    if (document.fullscreenElement) document.exitFullscreen();
  }

  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => {});
  }

  /** @param {number} id of the track whose lyrics are wanted */
  async ask(id) {
    this.asked = id;
    [this.texts.value, this.text.value] = [null, null];
    const answer = await getJSON(`/tracks/${id}/lyrics`).catch(() => {
      // Asked again when it is opened again.
      if (this.asked === id) this.asked = 0;
      return { lyrics: [] };
    });
    if (player.track.peek()?.id !== id) return;
    this.texts.value = answer.lyrics;
    this.text.value = bestOf(answer.lyrics);
  }

  put() {
    const [texts, text, beside] = [this.texts.value, this.text.value, besideCover.value];
    const showsLyrics = beside === 'lyrics' && text !== null;
    attribute(this.lyricsWord, 'aria-pressed', String(showsLyrics));
    attribute(this.nextWord, 'aria-pressed', String(!showsLyrics));
    this.lyricsWord.disabled = texts !== null && !texts.length;
    this.lines.hidden = !showsLyrics;
    this.next.hidden = showsLyrics;
    const none = texts === null ? '' : 'Next \u00b7 this track has no lyrics';
    setText(this.origin, showsLyrics ? originOf(text) : beside === 'lyrics' ? none : 'Next');
    const choices = showsLyrics && texts && texts.length > 1 ? texts : [];
    this.choices.replaceChildren(...choices.map((one, i) => {
      const button = word(nameOf(one, i), () => (this.text.value = one));
      attribute(button, 'aria-pressed', String(one === text));
      return button;
    }));
    if (!text) return;
    const isForeign = !text.lines.every((line) => isEtchable(line.text));
    this.lines.classList.toggle('foreign', isForeign);
    this.lines.classList.toggle('plain', !text.synced);
    this.lines.replaceChildren(...text.lines.map((line) => h('li', {}, this.lineOf(line))));
    this.sung = -2;
    this.scroller.scrollTop = 0;
  }

  /** @param {import('./lyrics-model.js').Line} line */
  lineOf({ start_seconds: start, text }) {
    if (start === null) return text || '\u00a0';
    return h('button', { type: 'button', class: 'link', onclick: () => {
      this.readsUntil = 0;
      player.seek(start * (player.track.peek()?.rate ?? 0));
    } }, text || '\u00b7 \u00b7 \u00b7');
  }

  putNext() {
    const { entries, place } = player.queue;
    const coming = entries.slice(place + 1, place + 1 + nextShown).map(({ key, row }) => h('li', {},
      h('img', { alt: '', src: coverOfTrack(row.id, 48), width: 48, height: 48 }),
      h('button', { type: 'button', class: 'word', onclick: () => player.playEntry(key) },
        h('span', { class: 'title' }, titleOf(row)), h('span', { class: 'second' }, row.artist ?? '')),
      h('span', { class: 'length' }, length(row.duration))));
    const nothing = player.track.peek() ? 'Nothing comes next.' : 'Nothing is playing.';
    this.next.replaceChildren(...(coming.length ? coming : [h('li', { class: 'none' }, nothing)]));
  }

  /** Marks the line that is sung, and brings it into view. */
  follow() {
    const [text, track] = [this.text.peek(), player.track.peek()];
    if (!text?.synced || !track || this.lines.hidden) return;
    const index = lineAt(text.lines, player.frame() / track.rate);
    if (index === this.sung && performance.now() < this.readsUntil) return;
    const isOther = index !== this.sung;
    this.sung = index;
    if (isOther) {
      [...this.lines.children].forEach((line, i) => {
        attribute(line, 'aria-current', i === index ? 'true' : null);
        line.classList.toggle('sung', i < index);
      });
    }
    const line = /** @type {HTMLElement | undefined} */ (this.lines.children[Math.max(0, index)]);
    if (!line || performance.now() < this.readsUntil) return;
    const top = Math.max(0, line.offsetTop - this.scroller.clientHeight / 3);
    if (Math.abs(this.scroller.scrollTop - top) > 1 && (isOther || this.readsUntil)) {
      this.readsUntil = 0;
      this.scroller.scrollTop = top;
    }
  }
}
