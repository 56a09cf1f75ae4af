/** Identify: a sound from a file or the microphone, and the tracks that it is of. */

import { Recorder, canRecord } from '../../audio/recorder.js';
import { toast } from '../../components/toast.js';
import { getJSON, send } from '../../core/api.js';
import { h, setText } from '../../core/dom.js';
import { number, size, time } from '../../core/format.js';
import { go } from '../../core/router.js';
import { effect } from '../../core/signals.js';
import { rowOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').Match} Match */

const mostBytes = 32 << 20;
/** After so many seconds of listening the library is asked. */
const looks = [5, 9, 14, 20];
const types = 'audio/*,video/*,.flac,.wv,.tta,.mpc,.dsf,.ape,.mod,.xm,.it';

/** @param {number} id @param {number} seconds */
async function openAt(id, seconds) {
  /** @type {import('../../data/documents.js').TrackDetail} */
  const detail = await getJSON(`/tracks/${id}`);
  go(`/track/${id}`);
  await player.begin(rowOf(detail), Math.max(0, Math.round(seconds * (detail.format?.sample_rate_hz ?? 0))), true);
}

/**
 * "2 % faster"; nothing for what is as fast as the track.
 * @param {number} speed
 */
function speedWords(speed) {
  const percent = 100 * (speed - 1);
  if (Math.abs(percent) < 0.3) return '';
  return `${number(Math.abs(percent), 1)} % ${percent > 0 ? 'faster' : 'slower'}`;
}

/** @param {{matches: Match[], too_plain: boolean}} answer */
const verdict = ({ matches, too_plain: isPlain }) =>
  matches.length ? 'heard in'
  : isPlain ? 'too short or too uniform to be recognised.' : 'nothing in the library matches.';

export class IdentifyPage {
  constructor() {
    this.input = h('input', {
      type: 'file', accept: types, hidden: true,
      onchange: () => this.input.files?.[0] && this.look(this.input.files[0]),
    });
    this.choose = h('button', { type: 'button', onclick: () => this.input.click() }, 'Choose a file');
    const act = () => (this.recorder ? this.finish() : this.listen());
    this.microphone = h('button', { type: 'button', class: 'main', onclick: act }, 'Listen');
    this.microphone.disabled = !canRecord();
    if (this.microphone.disabled) {
      this.microphone.title =
        'Browsers allow the microphone only over https, or on the server’s own machine.';
    }
    this.level = h('div', { class: 'part' });
    this.meter = h('div', { class: 'rail', hidden: true }, this.level);
    this.status = h('p', { class: 'second', role: 'status' },
      'Ten seconds are enough, even at low quality, with noise, or slightly too fast.');
    this.results = h('ol', { class: 'similar found' });
    this.element = h('main', { class: 'identify', id: 'main' },
      h('header', { class: 'head-of' },
        h('div', {}, h('h1', { class: 'etch' }, 'Identify'), h('p', { class: 'second' },
          'Which track is this? Drop an audio file anywhere on this page, choose one, '
            + 'or use the microphone.')),
        h('div', { class: 'buttons' }, this.choose, this.input, this.microphone)),
      this.meter, this.status, this.results);
    /** @type {Recorder | null} */
    this.recorder = null;
    this.turn = 0;
  }

  show() {}

  hide() {
    this.turn += 1;
    this.endListening();
  }

  /** @param {File} file */
  async look(file) {
    this.endListening();
    this.input.value = '';
    const part = file.size > mostBytes ? file.slice(0, mostBytes) : file;
    setText(this.status, `“${file.name}” (${size(file.size)}) is being identified\u2026`);
    this.results.replaceChildren();
    await this.ask(part, (seconds) => `“${file.name}”${seconds < 599 && part === file ? '' : ', its start'}`);
  }

  /**
   * Asks the library, and shows what it says.
   * @param {Blob} blob @param {(seconds: number) => string} name
   * @returns {Promise<boolean>} whether something was found
   */
  async ask(blob, name) {
    const turn = (this.turn += 1);
    try {
      const answer = await send('/identify', {}, blob);
      if (turn !== this.turn) return false;
      this.results.replaceChildren(...answer.matches.map((/** @type {Match} */ match) => this.result(match)));
      setText(this.status, `${name(answer.duration_seconds)}: ${verdict(answer)}`);
      return answer.matches.length > 0;
    } catch (error) {
      if (turn === this.turn) setText(this.status, /** @type {Error} */ (error).message);
      return false;
    }
  }

  /** @param {Match} match */
  result({ id, title, artist, path, offset_seconds: offset, speed, confidence }) {
    const name = title || path?.split('/').pop() || `Track ${id}`;
    const place = `${offset < 0 ? '\u2212' : ''}${time(Math.abs(offset), 1)}`;
    const about = [`${number(100 * confidence)} % sure`, speedWords(speed)].filter(Boolean).join(' \u00b7 ');
    return h('li', {},
      h('a', { href: `/track/${id}`, class: 'name' }, name), h('span', { class: 'second' }, artist ?? ''),
      h('span', { class: 'second about' }, about),
      h('button', {
        type: 'button', class: 'word etch', 'aria-label': `Play ${name} from ${place}`,
        onclick: () => openAt(id, offset).catch((error) => toast(error.message)),
      }, `from ${place}`));
  }

  // MARK: Microphone

  async listen() {
    const recorder = new Recorder();
    if (player.playing.peek()) player.toggle();
    this.results.replaceChildren();
    setText(this.status, 'The browser asks for access to the microphone.');
    try {
      await recorder.start();
    } catch {
      recorder.stop();
      return setText(this.status, 'The browser blocks the microphone. Allow it for this page, or choose a file.');
    }
    this.recorder = recorder;
    this.meter.hidden = false;
    setText(this.microphone, 'Stop');
    this.stopMeter = effect(() => {
      this.level.style.width = `${Math.min(100, 100 * recorder.level.value ** 0.5)}%`;
    });
    let shown = -1;
    for (const seconds of looks) {
      while (recorder === this.recorder && recorder.seconds < seconds) {
        await new Promise((done) => setTimeout(done, 100));
        const whole = Math.floor(recorder.seconds);
        if (whole === shown || recorder !== this.recorder) continue;
        shown = whole;
        setText(this.status, `Listening, ${shown} s`);
      }
      if (recorder !== this.recorder) return;
      if (await this.ask(recorder.file(), (seconds) => `${number(seconds)} seconds`)) break;
    }
    if (recorder === this.recorder) this.endListening();
    return undefined;
  }

  /** Ends listening early, and asks with what there is. */
  async finish() {
    const { recorder } = this;
    this.endListening();
    if (recorder && recorder.frames) await this.ask(recorder.file(), (seconds) => `${number(seconds)} seconds`);
  }

  endListening() {
    this.recorder?.stop();
    this.recorder = null;
    this.stopMeter?.();
    this.meter.hidden = true;
    setText(this.microphone, 'Listen');
  }
}
