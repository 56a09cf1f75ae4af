/** The copies of a group by ear: all in step, and one key changes which is heard. */

import { SyncedPlayback } from '../../audio/synced-playback.js';
import { attribute, h, setText } from '../../core/dom.js';
import { number, time } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { player } from '../../player/player.js';
import { formatOf, nameOf, voicesOf } from './copies.js';

export class Listening {
  /** @param {import('../../data/documents.js').CopyGroup} group @param {() => void} closed */
  constructor(group, closed) {
    this.closed = closed;
    this.group = group;
    const voices = voicesOf(group);
    const playback = (this.playback = new SyncedPlayback(voices));
    const letters = voices.map(({ letter }, i) => h('button', {
      type: 'button', class: 'letter', 'aria-label': `Hear ${letter}`, onclick: () => playback.hear(i),
    }, letter));
    const play = h('button', { type: 'button', class: 'main', onclick: () => playback.toggle() }, 'Pause');
    const level = h('button', {
      type: 'button', class: 'word', onclick: () => playback.setLevelled(!playback.isLevelled.peek()),
    }, 'Equal loudness');
    const figures = voices.map(({ letter, loudness }) => `${letter} ${loudness === null ? '?' : number(loudness, 1)}`);
    level.title = `Louder ones are turned down to the quietest: ${figures.join(', ')} LUFS`;
    const position = h('input', {
      type: 'range', class: 'slide', min: 0, max: playback.seconds, step: 0.1, value: 0, 'aria-label': 'Position',
      oninput: () => playback.seek(Number(position.value)),
    });
    const clock = h('span', { class: 'etch clock' });
    const heard = h('p', { class: 'second heard', role: 'status' });
    const trouble = h('p', { class: 'trouble', role: 'alert' });
    this.element = h('div', { class: 'listening', role: 'group', 'aria-label': 'Listen in sync' }, play,
      h('div', { class: 'letters', role: 'group', 'aria-label': 'Which one plays' }, letters), position, clock, level,
      h('span', { class: 'second' }, 'x changes, space pauses'), heard, trouble);
    this.stops = [effect(() => {
      const which = playback.heard.value;
      letters.forEach((letter, i) => attribute(letter, 'aria-pressed', i === which ? 'true' : 'false'));
      const { letter, id } = voices[which];
      const file = group.files.find((one) => one.id === id);
      setText(heard, [`${playback.playing.value ? 'Playing' : 'Stopped at'} ${letter}`,
        file && `${nameOf(file)}, ${formatOf(file)}`].filter(Boolean).join(': '));
      this.mark(id);
      setText(play, playback.playing.value ? 'Pause' : 'Play');
      attribute(level, 'aria-pressed', playback.isLevelled.value ? 'true' : 'false');
      setText(trouble, playback.trouble.value);
    }), effect(() => {
      // Two at once would be no comparison.
      if (player.playing.value) playback.pause();
    })];
    const timer = setInterval(() => {
      const place = playback.place();
      position.value = String(place);
      position.style.setProperty('--part', `${(100 * place) / playback.seconds}%`);
      setText(clock, `${time(place, 1)} / ${time(playback.seconds)}`);
      attribute(position, 'aria-valuetext', time(place));
    }, 100);
    this.stops.push(() => clearInterval(timer));
    const keyed = (/** @type {KeyboardEvent} */ event) => this.keyed(event);
    document.addEventListener('keydown', keyed, { capture: true });
    this.stops.push(() => document.removeEventListener('keydown', keyed, { capture: true }));
  }

  /**
   * Marks the row of what is heard, and that of files with the same samples.
   * @param {number | null} id of the recording; null for none
   */
  mark(id) {
    const rows = this.element.parentElement?.querySelectorAll('tbody tr') ?? [];
    rows.forEach((row, i) => row.classList.toggle('heard', this.group.files[i]?.id === id));
  }

  begin() {
    if (player.playing.peek()) player.toggle();
    this.playback.play(0);
    this.mark(this.group.files[0].id);
    /** @type {HTMLElement | null} */ (this.element.querySelector('.letter'))?.focus();
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const { playback } = this;
    const target = /** @type {HTMLElement} */ (event.target);
    const types = target.closest('input:not([type=range]), select, textarea, dialog') !== null;
    if (event.ctrlKey || event.metaKey || event.altKey || types) return;
    const slides = target.closest('input[type=range]') !== null;
    const presses = target.closest('button:not(.letter), a') !== null;
    const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
    if (event.key === 'x') playback.hear(playback.heard.peek() + 1);
    else if (event.key === ' ' && !presses) playback.toggle();
    else if (step && !slides) playback.seek(playback.place() + step);
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    for (const stop of this.stops) stop();
    this.playback.close();
    this.mark(null);
    this.element.remove();
    this.closed();
  }
}
