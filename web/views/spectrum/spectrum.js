/** What is heard, as mastering people look at it: spectrum, waterfall, phase and loudness. */

import { volumeFactor } from '../../audio/gain.js';
import { choiceButtons } from '../../components/choice.js';
import { LiveSpectrum } from '../../components/live-spectrum.js';
import { attribute, h, setText } from '../../core/dom.js';
import { frequency, isEtchable, number } from '../../core/format.js';
import { isStill, settings } from '../../core/settings.js';
import { effect } from '../../core/signals.js';
import { spectrogramOf } from '../../data/spectrogram.js';
import { titleOf } from '../../data/tracks.js';
import { waveformFor } from '../../data/waveform-data.js';
import { hertzMark } from '../../drawing/axis.js';
import { palette } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { LoudnessReadings } from './loudness-readings.js';
import { Scope } from './scope.js';
import { Waterfall } from './waterfall.js';

const marks = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];
const weightings = /** @type {const} */ ([['a', 'A'], ['c', 'C'], ['z', 'Z']]);
const ranges = /** @type {const} */ ([
  ['usual', '100 Hz\u201318 kHz', 100, 18_000], ['full', '20 Hz\u201320 kHz', 20, 20_000],
]);
const silence = new Float32Array(8820);

/**
 * @template T
 * @param {string} name @param {import('../../core/signals.js').Signal<T>} chosen
 * @param {readonly (readonly [T, string, ...unknown[]])[]} options
 */
const choice = (name, chosen, options) =>
  h('div', { class: 'pair', role: 'group', 'aria-label': name }, choiceButtons(chosen, options));

/**
 * @param {string} name @param {import('../../core/signals.js').Signal<boolean>} flag
 * @param {(isOn: boolean) => void} act
 */
function flagButton(name, flag, act) {
  const button = h('button', { type: 'button', onclick: () => (flag.value = !flag.peek()) }, name);
  effect(() => {
    attribute(button, 'aria-pressed', String(flag.value));
    act(flag.value);
  });
  return button;
}

export class SpectrumPage {
  constructor() {
    const placeOf = (/** @type {number} */ hertz) => this.placeOf(hertz);
    this.low = 100;
    this.high = 18_000;
    /** @type {import('../../data/spectrogram.js').Spectrogram | null} */
    this.spectrogram = null;
    /** @type {import('../../drawing/colour.js').Palette | null} */
    this.drawn = null;
    this.live = new LiveSpectrum(placeOf, '');
    this.waterfall = new Waterfall(placeOf);
    this.scope = new Scope();
    this.live.measured = (levels, seconds) => {
      const { bands } = this.live;
      if (bands && settings.waterfall.peek()) this.waterfall.step(bands, levels, seconds);
    };
    this.readings = new LoudnessReadings();
    this.hertz = h('div', { class: 'hertz', 'aria-hidden': 'true' });
    this.facts = h('dl', {});
    this.figure = h('p', { class: 'figure etch' });
    this.second = h('p', { class: 'second' });
    this.plots = h('div', { class: 'plots' }, this.live.element, this.hertz, this.waterfall.element);
    this.element = h('main', { class: 'track-page equalizer spectrum-page', id: 'main' },
      h('header', { class: 'head-of' }, h('div', {}, h('h1', { class: 'etch' }, 'Spectrum'), this.second),
        h('div', { class: 'buttons' },
          choice('Weighting', settings.weighting, weightings), choice('Range', settings.range, ranges),
          flagButton('Peaks', settings.peaks, (isOn) => (this.live.holdsPeaks = isOn)),
          flagButton('Waterfall', settings.waterfall, (isOn) => (this.waterfall.element.hidden = !isOn)),
          h('button', { type: 'button', onclick: () => this.fill() }, 'Full screen'))),
      h('div', { class: 'body' }, this.plots, h('div', { class: 'side' },
        h('section', { class: 'group' },
          h('h2', { class: 'label' }, 'Loudness, before the volume'), this.figure, this.facts),
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Phase'), this.scope.element))));
    effect(() => this.choose(settings.weighting.value, settings.range.value));
    effect(() => {
      this.open(player.track.value);
    });
    this.watch();
  }

  /** @param {number} hertz */
  placeOf(hertz) {
    return Math.log(hertz / this.low) / Math.log(this.high / this.low);
  }

  /** @param {'a' | 'c' | 'z'} weighting @param {string} range */
  choose(weighting, range) {
    const [, , low, high] = ranges.find(([name]) => name === range) ?? ranges[0];
    [this.low, this.high] = [low, high];
    this.live.choose({ low, high, weighting });
    setText(this.live.caption, `80 bands, weighting ${weighting.toUpperCase()} \u00b7 left up, right down`);
    const shown = marks.filter((hertz) => hertz >= low && hertz <= high);
    this.hertz.replaceChildren(...shown.map((hertz, i) => {
      const label = h('span', {}, i ? hertzMark(hertz) : frequency(hertz));
      label.style.left = `${100 * this.placeOf(hertz)}%`;
      // 10 kHz stands next to the last mark, where a small screen has no room for both.
      label.classList.toggle('roomy', hertz < high && this.placeOf(hertz) > 0.88);
      return label;
    }));
  }

  /** @param {import('../../player/player.js').Loaded | null} track */
  async open(track) {
    const text = track ? titleOf(track.row) : 'Play a track to see what you hear.';
    setText(this.second, text);
    this.second.classList.toggle('foreign', !isEtchable(text));
    this.spectrogram = null;
    this.readings.reset();
    if (!track) return;
    const spectrogram = spectrogramOf(await waveformFor(track.id, track.rate, track.frames));
    if (player.track.peek()?.id === track.id) this.spectrogram = spectrogram;
  }

  /** Looks as long as the page is shown. */
  watch() {
    let last = 0;
    const step = (/** @type {number} */ time) => {
      requestAnimationFrame(step);
      if (!this.element.isConnected) return this.leave();
      if (document.hidden || (isStill.peek() && time - last < 100)) return;
      last = time;
      const meter = player.meter();
      if (meter !== this.live.meter) this.join(meter);
      const playing = player.playing.peek();
      this.live.stored = playing ? null : this.spectrogram?.columnAt(player.frame()) ?? null;
      this.live.paint(time);
      if (meter && playing) this.scope.draw(meter.latest(0), meter.latest(1));
      else if (palette.peek() !== this.drawn) this.scope.draw(silence, silence);
      this.drawn = palette.peek();
    };
    requestAnimationFrame(step);
  }

  /** @param {import('../../audio/meter.js').Meter | null} meter */
  join(meter) {
    this.live.listen(meter);
    this.readings.reset();
    meter?.measure((measured) => player.playing.peek() && this.tell(measured));
    this.tell({ momentary: null, shortTerm: null, truePeaks: [NaN, NaN] });
  }

  /** Nobody looks any more: what costs time rests. */
  leave() {
    if (!this.live.meter) return;
    this.live.meter.rest();
    this.live.meter = null;
  }

  /** @param {import('../../audio/meter.js').Measured} measured */
  tell(measured) {
    this.readings.take(measured, volumeFactor(settings.volume.peek()));
    const rows = this.readings.words();
    this.figure.replaceChildren(number(this.readings.shortTerm, 1), h('span', { class: 'unit' }, 'LUFS, 3 s'));
    if (!this.facts.children.length) {
      this.facts.replaceChildren(...rows.map(([name]) => h('div', {}, h('dt', {}, name), h('dd', {}))));
    }
    rows.forEach(([, value], i) => setText(/** @type {Element} */ (this.facts.children[i].lastElementChild), value));
  }

  /** The plots on the whole screen, and back. */
  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.plots.requestFullscreen().catch(() => {});
  }

  show() {
    this.join(player.meter());
  }
}
