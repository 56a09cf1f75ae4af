/** Three plots on one time axis: waveform, spectrogram and loudness, with one playhead and one crosshair. */

import { getJSON } from '../core/api.js';
import { palette } from '../core/colour.js';
import { h, setText } from '../core/dom.js';
import { frequency, number, time } from '../core/format.js';
import { player } from '../player/player.js';
import { drawWhole } from '../wave/draw.js';
import { soundOf } from '../wave/sound.js';
import { partTicks, partsOf } from '../wave/parts.js';
import { spectrogramOf } from '../wave/spectrogram.js';
import { drawLoudness, hertzMark, loudnessRange, timeStep } from './plots.js';

/** @param {string} text @param {number} part 0…1 from the top */
export function mark(text, part) {
  const element = h('span', {}, text);
  element.style.top = `${part * 100}%`;
  return element;
}

/** @param {string} caption @param {string} name @param {HTMLCanvasElement} canvas @param {Element[]} marks @param {string} description */
export function plot(caption, name, canvas, marks, description) {
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', description);
  return h('figure', { class: `plot ${name}` }, caption ? h('figcaption', { class: 'label' }, caption) : '', h('div', { class: 'frame' }, canvas, h('div', { class: 'axis', 'aria-hidden': 'true' }, marks)));
}

export class Timeline {
  /** @param {any} detail @param {any} row what a row of a table says about the track */
  constructor(detail, row) {
    this.detail = detail;
    this.row = row;
    this.rate = detail.format.sample_rate_hz;
    this.frames = detail.format.decoded_frames;
    this.wave = h('canvas');
    this.picture = h('canvas');
    this.course = h('canvas');
    this.head = h('div', { class: 'playhead', hidden: true });
    this.cross = h('div', { class: 'cross', hidden: true });
    this.level = h('div', { class: 'level' });
    this.chip = h('div', { class: 'chip' });
    this.cross.append(this.level, this.chip);
    const length = this.frames / this.rate;
    const hertz = [100, 200, 500, 1000, 2000, 5000, 10_000].map((f) => mark(hertzMark(f), 1 - Math.log(f / 100) / Math.log(180)));
    const [low, high] = loudnessRange;
    const levels = [-10, -20, -30].map((level) => mark(number(level), (high - level) / (high - low)));
    this.times = h('div', { class: 'time-axis', 'aria-hidden': 'true' });
    const step = timeStep(length, innerWidth < 800 ? 4 : 13);
    for (let at = 0; at < length - step * 0.4; at += step) {
      const label = h('span', {}, time(at));
      label.style.left = `${(100 * at) / length}%`;
      this.times.append(label);
    }
    const end = h('span', { class: 'end' }, time(length));
    this.times.append(end);
    const loudness = plot('Loudness is being measured\u2026', 'course', this.course, levels, `Loudness over time, ${number(detail.measures?.loudness_lufs, 1)} LUFS on the whole`);
    this.caption = /** @type {Element} */ (loudness.querySelector('figcaption'));
    this.area = h('div', { class: 'area' },
      plot('', 'wave', this.wave, [], 'Waveform of the whole track'),
      plot('Spectrogram', 'picture', this.picture, hertz, 'Spectrogram of the whole track, 100 Hz to 18 kHz'),
      loudness,
      h('div', { class: 'marks' }, partTicks(partsOf(detail), this.frames)), this.head, this.cross);
    this.element = h('div', { class: 'timeline' }, this.area, this.times);
    this.area.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.tell(event));
    this.area.addEventListener('pointerleave', () => (this.cross.hidden = true));
    this.area.addEventListener('click', (/** @type {MouseEvent} */ event) => this.clicked(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.area);
    this.load();
  }

  async load() {
    this.sound = await soundOf(this.detail.id, this.rate, this.frames);
    this.spectrogram = spectrogramOf(this.sound);
    this.spectrogram.watcher = () => this.draw();
    this.draw();
    this.loudness = await getJSON(`/tracks/${this.detail.id}/loudness`).catch(() => null);
    setText(this.caption, this.loudness ? 'Loudness, 3 s \u00b7 LUFS \u00b7 integrated dotted' : 'The loudness cannot be measured.');
    this.draw();
  }

  get isPlaying() {
    return player.track.peek()?.id === this.detail.id;
  }

  draw() {
    if (!this.sound || !this.element.isConnected) return;
    const colours = palette.peek();
    drawWhole(this.wave, this.sound, colours, { pitch: innerWidth < 800 ? 2 : 3, played: this.isPlaying ? player.frame() : -1 });
    this.spectrogram?.draw(this.picture, colours, { start: 0, zoom: this.frames / Math.max(1, this.picture.clientWidth) });
    if (this.loudness) drawLoudness(this.course, this.loudness, colours);
    this.column = -1;
    this.tick();
  }

  /** Moves the playhead; draws the strokes again when it has passed one. */
  tick() {
    this.head.hidden = !this.isPlaying;
    if (!this.isPlaying || !this.sound) return;
    const part = player.frame() / this.frames;
    const x = part * this.wave.clientWidth;
    this.head.style.transform = `translateX(${x.toFixed(2)}px)`;
    if (Math.floor(x / 3) === this.column) return;
    this.column = Math.floor(x / 3);
    drawWhole(this.wave, this.sound, palette.peek(), { pitch: innerWidth < 800 ? 2 : 3, played: player.frame() });
  }

  /** @param {PointerEvent} event */
  tell(event) {
    const wave = this.wave.getBoundingClientRect();
    const picture = this.picture.getBoundingClientRect();
    const part = (event.clientX - wave.left) / wave.width;
    this.cross.hidden = part < 0 || part > 1;
    if (this.cross.hidden) return;
    const frame = part * this.frames;
    const words = [time(frame / this.rate, 1)];
    const isInPicture = event.clientY >= picture.top && event.clientY <= picture.bottom;
    const hertz = 100 * 180 ** ((picture.bottom - event.clientY) / picture.height);
    const level = isInPicture ? this.spectrogram?.levelAt(frame, hertz) : null;
    if (isInPicture) words.push(frequency(hertz));
    if (typeof level === 'number') words.push(`${number(level)} dB`);
    const course = event.clientY > picture.bottom ? this.loudness?.short_term_lufs[Math.floor(frame / this.rate / 0.1)] : null;
    if (typeof course === 'number') words.push(`${number(course, 1)} LUFS`);
    setText(this.chip, words.join('\u2002'));
    const top = event.clientY - this.area.getBoundingClientRect().top;
    this.cross.style.transform = `translateX(${Math.round(part * wave.width)}px)`;
    this.level.hidden = !isInPicture;
    this.level.style.width = `${Math.round(wave.width)}px`;
    this.level.style.transform = `translate(${-Math.round(part * wave.width)}px, ${Math.round(top)}px)`;
    const room = this.chip.offsetWidth + 8;
    this.chip.style.transform = `translate(${part * wave.width + room + 8 > wave.width ? -room : 8}px, ${Math.round(Math.max(0, top - 34))}px)`;
  }

  /** @param {MouseEvent} event */
  async clicked(event) {
    const wave = this.wave.getBoundingClientRect();
    const frame = Math.max(0, Math.min(1, (event.clientX - wave.left) / wave.width)) * this.frames;
    if (this.isPlaying) player.seek(frame);
    else player.begin(this.row, Math.round(frame), true);
  }
}
