/** The copies of a group by ear: all in step, and one key changes which is heard. */

import { attribute, effect, h, setText } from '../core/dom.js';
import { number, time } from '../core/format.js';
import { player } from '../player/player.js';
import { Together } from './together.js';

/**
 * The voices of a group, one for each recording, where they belong in time.
 * @param {any} group @returns {import('./together.js').Voice[]}
 */
function voicesOf(group) {
  const seen = new Set();
  const files = group.files.filter((/** @type {any} */ { id }) => !seen.has(id) && seen.add(id));
  return files.map((/** @type {any} */ file, /** @type {number} */ i) => ({
    id: file.id, rate: file.sample_rate_hz, seconds: file.duration_seconds, loudness: file.loudness_lufs,
    start: group.kind === 'same-recording' ? file.offset_seconds ?? 0 : i ? group.offset_seconds ?? 0 : 0,
    letter: String.fromCharCode(65 + group.files.indexOf(file)),
  }));
}

export class Listening {
  /** @param {any} group @param {() => void} closed */
  constructor(group, closed) {
    this.closed = closed;
    const voices = voicesOf(group);
    this.together = new Together(voices);
    const { together } = this;
    const letters = voices.map((voice, i) => h('button', { type: 'button', class: 'letter', 'aria-label': `Hear ${/** @type {any} */ (voice).letter}`, onclick: () => together.hear(i) }, /** @type {any} */ (voice).letter));
    const play = h('button', { type: 'button', class: 'main', onclick: () => together.toggle() }, 'Pause');
    const level = h('button', { type: 'button', class: 'word', onclick: () => together.setLevelled(!together.isLevelled.peek()) }, 'Equal loudness');
    const position = h('input', { type: 'range', class: 'slide', min: 0, max: together.seconds, step: 0.1, value: 0, 'aria-label': 'Position', oninput: () => together.seek(Number(position.value)) });
    const clock = h('span', { class: 'etch clock' });
    const trouble = h('p', { class: 'trouble', role: 'alert' });
    this.element = h('div', { class: 'listening', role: 'group', 'aria-label': 'Listen to them in step' }, play, h('div', { class: 'letters', role: 'group', 'aria-label': 'Which is heard' }, letters), position, clock, level,
      h('span', { class: 'second' }, 'x changes, space pauses'), trouble);
    this.stops = [effect(() => {
      const heard = together.heard.value;
      letters.forEach((letter, i) => attribute(letter, 'aria-pressed', i === heard ? 'true' : 'false'));
      setText(play, together.playing.value ? 'Pause' : 'Play');
      attribute(level, 'aria-pressed', together.isLevelled.value ? 'true' : 'false');
      setText(trouble, together.trouble.value);
      level.title = `Louder ones are turned down to the quietest: ${voices.map((voice) => `${/** @type {any} */ (voice).letter} ${voice.loudness === null ? '?' : number(voice.loudness, 1)}`).join(', ')} LUFS`;
    }), effect(() => {
      // Two at once would be no comparison.
      if (player.playing.value) together.pause();
    })];
    const timer = setInterval(() => {
      position.value = String(together.place());
      position.style.setProperty('--part', `${(100 * together.place()) / together.seconds}%`);
      setText(clock, `${time(together.place(), 1)} / ${time(together.seconds)}`);
      attribute(position, 'aria-valuetext', time(together.place()));
    }, 100);
    this.stops.push(() => clearInterval(timer));
    const keyed = (/** @type {KeyboardEvent} */ event) => this.keyed(event);
    document.addEventListener('keydown', keyed, { capture: true });
    this.stops.push(() => document.removeEventListener('keydown', keyed, { capture: true }));
  }

  begin() {
    if (player.playing.peek()) player.toggle();
    this.together.play(0);
    /** @type {HTMLElement | null} */ (this.element.querySelector('.letter'))?.focus();
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input:not([type=range]), select, textarea, dialog')) return;
    const slides = target.closest('input[type=range]') !== null;
    const presses = target.closest('button:not(.letter), a') !== null;
    if (event.key === 'x') this.together.hear(this.together.heard.peek() + 1);
    else if (event.key === ' ' && !presses) this.together.toggle();
    else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !slides) this.together.seek(this.together.place() + (event.key === 'ArrowLeft' ? -5 : 5));
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    for (const stop of this.stops) stop();
    this.together.close();
    this.element.remove();
    this.closed();
  }
}
