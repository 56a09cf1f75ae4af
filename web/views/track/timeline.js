/** Three plots on one time axis: waveform, spectrogram and loudness, with one playhead and one crosshair. */

import { mark, plot } from '../../components/plot.js';
import { partTicks } from '../../components/waveform-marks.js';
import { getJSON } from '../../core/api.js';
import { h, setText } from '../../core/dom.js';
import { frequency, number, time } from '../../core/format.js';
import { spectrogramOf } from '../../data/spectrogram.js';
import { partsOf } from '../../data/tracks.js';
import { waveformFor } from '../../data/waveform-data.js';
import { hertzMark, timeStep } from '../../drawing/axis.js';
import { palette } from '../../drawing/colour.js';
import { drawLoudness, loudnessRange } from '../../drawing/plots.js';
import { drawSpectrogram } from '../../drawing/spectrogram.js';
import { drawWhole } from '../../drawing/waveform.js';
import { player } from '../../player/player.js';

/** Pixels from stroke to stroke. */
const pitch = () => (innerWidth < 800 ? 2 : 3);

/**
 * A time every so often, and the length.
 * @param {number} length in seconds
 */
function timeAxis(length) {
  const axis = h('div', { class: 'time-axis', 'aria-hidden': 'true' });
  const step = timeStep(length, innerWidth < 800 ? 4 : 13);
  for (let at = 0; at < length - step * 0.4; at += step) {
    const label = h('span', {}, time(at));
    label.style.left = `${(100 * at) / length}%`;
    axis.append(label);
  }
  axis.append(h('span', { class: 'end' }, time(length)));
  return axis;
}

export class Timeline {
  /**
   * @param {import('../../data/documents.js').TrackDetail} detail of a track that has sound
   * @param {import('../../data/documents.js').TrackRow} row what a row of a table says about it
   */
  constructor(detail, row) {
    this.detail = detail;
    this.row = row;
    const format = /** @type {NonNullable<typeof detail.format>} */ (detail.format);
    this.rate = format.sample_rate_hz;
    this.frames = format.decoded_frames;
    this.wave = h('canvas');
    this.picture = h('canvas');
    this.course = h('canvas');
    this.head = h('div', { class: 'playhead', hidden: true });
    this.cross = h('div', { class: 'cross', hidden: true });
    this.level = h('div', { class: 'level' });
    this.chip = h('div', { class: 'chip' });
    this.cross.append(this.level, this.chip);
    this.column = -1;
    const hertz = [100, 200, 500, 1000, 2000, 5000, 10_000].map((f) =>
      mark(hertzMark(f), 1 - Math.log(f / 100) / Math.log(180)));
    const [low, high] = loudnessRange;
    const levels = [-10, -20, -30].map((level) => mark(number(level), (high - level) / (high - low)));
    const loudness = plot('Loudness is being measured\u2026', 'course', this.course, levels,
      `Loudness over time, ${number(detail.measures?.loudness_lufs, 1)} LUFS on the whole`);
    this.caption = /** @type {Element} */ (loudness.querySelector('figcaption'));
    this.area = h('div', { class: 'area' },
      plot('', 'wave', this.wave, [], 'Waveform of the whole track'),
      plot('Spectrogram', 'picture', this.picture, hertz, 'Spectrogram of the whole track, 100 Hz to 18 kHz'),
      loudness, h('div', { class: 'marks' }, partTicks(partsOf(detail), this.frames)), this.head, this.cross);
    this.element = h('div', { class: 'timeline' }, this.area, timeAxis(this.frames / this.rate));
    this.area.addEventListener('pointermove', (event) => this.tell(event));
    this.area.addEventListener('pointerleave', () => (this.cross.hidden = true));
    this.area.addEventListener('click', (event) => this.clicked(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.area);
    /** Ends when all has come. */
    this.loaded = this.load();
  }

  async load() {
    const waveform = await waveformFor(this.detail.id, this.rate, this.frames);
    this.waveform = waveform;
    this.spectrogram = spectrogramOf(waveform);
    this.spectrogram.watcher = () => this.draw();
    this.draw();
    /** @type {import('../../data/documents.js').LoudnessCourse | null} */
    this.loudness = await getJSON(`/tracks/${this.detail.id}/loudness`).catch(() => null);
    setText(this.caption, this.loudness
      ? 'Loudness, 3 s \u00b7 LUFS \u00b7 integrated dotted' : 'The loudness cannot be measured.');
    this.draw();
  }

  stop() {
    this.observer.disconnect();
  }

  get isPlaying() {
    return player.track.peek()?.id === this.detail.id;
  }

  draw() {
    if (!this.waveform || !this.element.isConnected) return;
    const colours = palette.peek();
    const played = this.isPlaying ? player.frame() : -1;
    drawWhole(this.wave, this.waveform, colours, { pitch: pitch(), played });
    const zoom = this.frames / Math.max(1, this.picture.clientWidth);
    if (this.spectrogram) drawSpectrogram(this.picture, this.spectrogram, colours, { start: 0, zoom });
    if (this.loudness) drawLoudness(this.course, this.loudness, colours);
    this.column = -1;
    this.tick();
  }

  /** Moves the playhead; draws the strokes again when it has passed one. */
  tick() {
    this.head.hidden = !this.isPlaying;
    if (!this.isPlaying || !this.waveform) return;
    const x = (player.frame() / this.frames) * this.wave.clientWidth;
    this.head.style.transform = `translateX(${x.toFixed(2)}px)`;
    if (Math.floor(x / 3) === this.column) return;
    this.column = Math.floor(x / 3);
    drawWhole(this.wave, this.waveform, palette.peek(), { pitch: pitch(), played: player.frame() });
  }

  /**
   * What is at a frame, in words.
   * @param {number} frame @param {number | null} hertz in the spectrogram @param {boolean} isBelow it
   */
  words(frame, hertz, isBelow) {
    const words = [time(frame / this.rate, 1)];
    const level = hertz === null ? null : this.spectrogram?.levelAt(frame, hertz);
    if (hertz !== null) words.push(frequency(hertz));
    if (typeof level === 'number') words.push(`${number(level)} dB`);
    const loudness = isBelow ? this.loudness?.short_term_lufs[Math.floor(frame / this.rate / 0.1)] : null;
    if (typeof loudness === 'number') words.push(`${number(loudness, 1)} LUFS`);
    return words.join('\u2002');
  }

  /** @param {PointerEvent} event */
  tell(event) {
    const wave = this.wave.getBoundingClientRect();
    const picture = this.picture.getBoundingClientRect();
    const part = (event.clientX - wave.left) / wave.width;
    this.cross.hidden = part < 0 || part > 1;
    if (this.cross.hidden) return;
    const isInPicture = event.clientY >= picture.top && event.clientY <= picture.bottom;
    const hertz = isInPicture ? 100 * 180 ** ((picture.bottom - event.clientY) / picture.height) : null;
    setText(this.chip, this.words(part * this.frames, hertz, event.clientY > picture.bottom));
    const x = part * wave.width;
    const top = event.clientY - this.area.getBoundingClientRect().top;
    this.cross.style.transform = `translateX(${Math.round(x)}px)`;
    this.level.hidden = !isInPicture;
    this.level.style.width = `${Math.round(wave.width)}px`;
    this.level.style.transform = `translate(${-Math.round(x)}px, ${Math.round(top)}px)`;
    const room = this.chip.offsetWidth + 8;
    const aside = x + room + 8 > wave.width ? -room : 8;
    this.chip.style.transform = `translate(${aside}px, ${Math.round(Math.max(0, top - 34))}px)`;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const wave = this.wave.getBoundingClientRect();
    const frame = Math.max(0, Math.min(1, (event.clientX - wave.left) / wave.width)) * this.frames;
    if (this.isPlaying) player.seek(frame);
    else player.begin(this.row, Math.round(frame), true);
  }
}
