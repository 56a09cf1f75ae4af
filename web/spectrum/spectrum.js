/** What is heard, as mastering people look at it: spectrum, waterfall, phase and loudness. */

import { palette } from '../core/colour.js';
import { attribute, effect, h, setText } from '../core/dom.js';
import { frequency, isEtchable, number, signed, titleOf } from '../core/format.js';
import { isStill, settings } from '../core/settings.js';
import { volumeFactor } from '../player/gain.js';
import { player } from '../player/player.js';
import { hertzMark } from '../track/plots.js';
import { soundOf } from '../wave/sound.js';
import { spectrogramOf } from '../wave/spectrogram.js';
import { LiveSpectrum } from './live.js';
import { Scope } from './scope.js';
import { Waterfall } from './waterfall.js';

const marks = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];
const weightings = /** @type {const} */ ([['a', 'A'], ['c', 'C'], ['z', 'Z']]);
const ranges = /** @type {const} */ ([['usual', '100 Hz\u201318 kHz', 100, 18_000], ['full', '20 Hz\u201320 kHz', 20, 20_000]]);

/**
 * Buttons of which one is on.
 * @param {string} name @param {import('../core/dom.js').Signal<any>} chosen @param {readonly (readonly [any, string, ...any[]])[]} options
 */
function choice(name, chosen, options) {
  return h('div', { class: 'pair', role: 'group', 'aria-label': name }, options.map(([value, words]) => {
    const button = h('button', { type: 'button', onclick: () => (chosen.value = value) }, words);
    effect(() => attribute(button, 'aria-pressed', String(chosen.value === value)));
    return button;
  }));
}

export class SpectrumPage {
  constructor() {
    const placeOf = (/** @type {number} */ hertz) => this.placeOf(hertz);
    this.low = 100;
    this.high = 18_000;
    /** @type {import('../wave/spectrogram.js').Spectrogram | null} */
    this.spectrogram = null;
    /** @type {import('../core/colour.js').Palette | null} */
    this.drawn = null;
    this.live = new LiveSpectrum(placeOf, '');
    this.waterfall = new Waterfall(placeOf);
    this.scope = new Scope();
    this.live.measured = (levels, seconds) => this.live.bands && settings.waterfall.peek() && this.waterfall.step(this.live.bands, levels, seconds);
    this.hertz = h('div', { class: 'hertz', 'aria-hidden': 'true' });
    this.facts = h('dl', {});
    this.figure = h('p', { class: 'figure etch' });
    this.second = h('p', { class: 'second' });
    this.most = { momentary: -Infinity, shortTerm: -Infinity };
    this.plots = h('div', { class: 'plots' }, this.live.element, this.hertz, this.waterfall.element);
    const peaks = h('button', { type: 'button', onclick: () => (settings.peaks.value = !settings.peaks.peek()) }, 'Peaks');
    const flow = h('button', { type: 'button', onclick: () => (settings.waterfall.value = !settings.waterfall.peek()) }, 'Waterfall');
    this.element = h('main', { class: 'track-page equalizer spectrum-page', id: 'main' },
      h('header', { class: 'head-of' }, h('div', {}, h('h1', { class: 'etch' }, 'Spectrum'), this.second),
        h('div', { class: 'buttons' }, choice('Weighting', settings.weighting, weightings), choice('Range', settings.range, ranges), peaks, flow,
          h('button', { type: 'button', onclick: () => this.fill() }, 'Full screen'))),
      h('div', { class: 'body' }, this.plots, h('div', { class: 'side' },
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Loudness, before the volume'), this.figure, this.facts),
        h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Phase'), this.scope.element))));
    effect(() => attribute(peaks, 'aria-pressed', String((this.live.holdsPeaks = settings.peaks.value))));
    effect(() => {
      attribute(flow, 'aria-pressed', String(settings.waterfall.value));
      this.waterfall.element.hidden = !settings.waterfall.value;
    });
    effect(() => this.choose(settings.weighting.value, settings.range.value));
    effect(() => this.open(player.track.value));
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
    this.hertz.replaceChildren(...marks.filter((hertz) => hertz >= low && hertz <= high).map((hertz, i) => {
      const label = h('span', {}, i ? hertzMark(hertz) : frequency(hertz));
      label.style.left = `${100 * this.placeOf(hertz)}%`;
      return label;
    }));
  }

  /** @param {import('../player/player.js').Loaded | null} track */
  async open(track) {
    setText(this.second, track ? titleOf(track.row) : 'Play a track to see what you hear.');
    this.second.classList.toggle('foreign', !isEtchable(this.second.textContent ?? ''));
    this.spectrogram = null;
    this.most = { momentary: -Infinity, shortTerm: -Infinity };
    if (!track) return;
    const spectrogram = spectrogramOf(await soundOf(track.id, track.rate, track.frames));
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
      else if (palette.peek() !== this.drawn) this.scope.draw(new Float32Array(8820), new Float32Array(8820));
      this.drawn = palette.peek();
    };
    requestAnimationFrame(step);
  }

  /** @param {import('../sound/meter.js').Meter | null} meter */
  join(meter) {
    this.live.listen(meter);
    this.most = { momentary: -Infinity, shortTerm: -Infinity };
    meter?.measure((measured) => player.playing.peek() && this.tell(measured));
    this.tell({ momentary: null, shortTerm: null, truePeaks: [NaN, NaN] });
  }

  /** Nobody looks any more: what costs time rests. */
  leave() {
    if (!this.live.meter) return;
    this.live.meter.rest();
    this.live.meter = null;
  }

  /** @param {import('../sound/meter.js').Measured} measured */
  tell({ momentary, shortTerm, truePeaks }) {
    const volume = 20 * Math.log10(Math.max(volumeFactor(settings.volume.peek()), 1e-6));
    const [now, soon] = [momentary, shortTerm].map((value) => (value === null || value < -70 ? NaN : value - volume));
    if (now > this.most.momentary) this.most.momentary = now;
    if (soon > this.most.shortTerm) this.most.shortTerm = soon;
    const loudness = (/** @type {number} */ value) => `${number(value, 1)} LUFS`;
    const peak = (/** @type {number} */ value) => `${signed(value - volume, 1)} dBTP`;
    this.figure.replaceChildren(number(soon, 1), h('span', { class: 'unit' }, 'LUFS, 3 s'));
    const rows = [['Momentary, 400 ms', loudness(now)], ['Momentary max', loudness(this.most.momentary)], ['Short-term max', loudness(this.most.shortTerm)],
      ['True peak, left', peak(truePeaks[0])], ['True peak, right', peak(truePeaks[1])]];
    if (!this.facts.children.length) this.facts.replaceChildren(...rows.map(([name]) => h('div', {}, h('dt', {}, name), h('dd', {}))));
    rows.forEach(([, value], i) => setText(this.facts.children[i].lastElementChild, value));
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
