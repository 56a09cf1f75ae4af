/** The equalizer: a preset's curve, its sliders and what they do to what is heard. */

import { Curves } from '../../audio/effects.js';
import { LiveSpectrum } from '../../components/live-spectrum.js';
import { attempt, toast } from '../../components/toast.js';
import { change, getJSON } from '../../core/api.js';
import { attribute, h, setText } from '../../core/dom.js';
import { count, isEtchable, number } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { centres, flat } from '../../data/presets.js';
import { titleOf } from '../../data/tracks.js';
import { hertzMark, placeOf } from '../../drawing/axis.js';
import { css, palette } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { BandFacts } from './band.js';
import { Curve } from './curve.js';
import { Draft } from './draft.js';
import { Effects } from './effects.js';
import { openSaveAs, readFiles, saveFile } from './files.js';
import { Slider } from './slider.js';

/** @typedef {import('../../data/documents.js').AppliedPreset} AppliedPreset */
/** @typedef {import('../../data/presets.js').Preset} Preset */

const scopes = /** @type {const} */ ([
  ['track', 'Track'], ['album', 'Album'], ['artist', 'Artist'], ['library', 'Library'],
]);
const noTrack = 'Play a track to hear your changes.';
const liveCaption = 'Live spectrum, 80 bands, A-weighted \u00b7 the other channel behind each';

/** @param {string} title @param {Element} content */
const group = (title, content) => h('section', { class: 'group' }, h('h2', { class: 'label' }, title), content);

export class EqualizerPage {
  constructor() {
    const draft = (this.draft = new Draft());
    this.curve = new Curve(draft);
    this.live = new LiveSpectrum(placeOf, liveCaption);
    this.band = new BandFacts(draft);
    /**
     * What applies to the track that plays.
     * @type {AppliedPreset | null}
     */
    this.applied = null;
    /** @type {{name: string, built_in: boolean}[]} */
    this.presets = [];
    /** Of the track that plays. */
    this.id = 0;
    this.truePeak = 0;
    this.title = h('h1', { class: 'etch' });
    this.second = h('p', { class: 'second' });
    this.sliders = centres.map((hertz, i) => {
      const colour = () => css(palette.peek().levels(hertz)[180]);
      const look = { left: placeOf(hertz), colour, settle: () => draft.settle() };
      return new Slider(`${hertzMark(Math.round(hertz))} Hz`, (gain) => draft.setSlider(i, gain), look);
    });
    this.scopes = h('div', { class: 'scopes' });
    this.heard = h('dl', {});
    this.effects = new Effects(draft, () => this.automaticGain(), () => this.curve.rate);
    this.save = h('button', { type: 'button', class: 'main', onclick: () => this.store() }, 'Save');
    this.element = h('main', { class: 'track-page equalizer', id: 'main' },
      h('header', { class: 'head-of' }, h('div', {}, this.title, this.second), this.buttons()),
      h('div', { class: 'body' },
        h('div', { class: 'plots' }, this.curve.element,
          h('div', { class: 'sliders', role: 'group', 'aria-label': 'Graphic equalizer' },
            this.sliders.map((slider) => slider.element)), this.live.element),
        h('div', { class: 'side' }, this.band.element, this.effects.element,
          group('Which preset applies', this.scopes), group('Heard now', this.heard))));
    draft.onChange = (settings) => player.shape(settings);
    this.watch();
  }

  /** The gain at which nothing exceeds full scale. */
  automaticGain() {
    const { curves, rate } = this.curve;
    return curves?.automaticGain(this.draft.preset.peek(), rate, this.truePeak) ?? 0;
  }

  buttons() {
    const { draft } = this;
    const button = (/** @type {string} */ name, /** @type {() => void} */ act, props = {}) =>
      h('button', { type: 'button', onclick: act, ...props }, name);
    const sides = ['A', 'B'].map((side) => {
      const one = button(side, () => draft.side.peek() !== side && draft.swap(), { class: 'side-of' });
      effect(() => attribute(one, 'aria-pressed', String(draft.side.value === side)));
      return one;
    });
    const bypass = button('Bypass', () => draft.bypass());
    effect(() => attribute(bypass, 'aria-pressed', String(draft.bypassed.value)));
    const undo = button('Undo', () => draft.undo());
    effect(() => {
      undo.disabled = !draft.steps.value;
    });
    const file = h('input', {
      type: 'file', multiple: true, class: 'unseen', tabIndex: -1, 'aria-label': 'Preset file',
      onchange: () => this.read(file.files),
    });
    return h('div', { class: 'buttons' },
      h('div', { class: 'pair', role: 'group', 'aria-label': 'Compare two' }, sides), bypass, undo,
      button('Reset', () => draft.reset()), button('Open file', () => file.click()), file,
      button('Save file', () => saveFile(draft.preset.peek())), button('Save as', () => this.storeAs()), this.save);
  }

  watch() {
    const { draft } = this;
    effect(() => {
      const preset = draft.preset.value;
      const selected = draft.selected.value;
      setText(this.title, preset.name);
      this.title.classList.toggle('foreign', !isEtchable(preset.name));
      this.sliders.forEach((slider, i) =>
        slider.show(draft.sliderGain(i), preset.bands[selected]?.frequency_hz === centres[i]));
      this.tellSecond();
      this.effects.show();
      this.save.disabled = !draft.isChanged;
    });
    effect(() => {
      const id = player.track.value?.id;
      if (id && this.element.isConnected) this.load(id);
    });
    this.element.addEventListener('dragover', (event) => event.preventDefault());
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      this.read(event.dataTransfer?.files ?? null);
    });
    const step = () => {
      if (this.element.isConnected) {
        const meter = player.meter();
        if (meter !== this.live.meter) this.live.listen(meter);
        if (player.playing.peek() && !document.hidden) {
          this.live.draw();
          this.tellHeard();
        }
      }
      requestAnimationFrame(step);
    };
    step();
  }

  async show() {
    this.curve.curves ??= await Curves.load().catch((error) => {
      toast(error.message);
      return null;
    });
    this.curve.draw();
    this.live.draw();
    const id = player.track.peek()?.id;
    if (id) await this.load(id);
    else {
      if (!this.draft.isChanged) this.draft.open(flat('Flat'));
      setText(this.second, noTrack);
      await this.loadPresets();
    }
  }

  async loadPresets() {
    this.presets = (await getJSON('/presets').catch(() => ({ presets: [] }))).presets;
  }

  /**
   * What applies to a track, and its spectrum.
   * @param {number} id
   */
  async load(id) {
    const isOther = id !== this.id;
    this.id = id;
    try {
      const [applied, spectrum] = await Promise.all([
        getJSON(`/tracks/${id}/preset`), getJSON(`/tracks/${id}/spectrum`).catch(() => null), this.loadPresets(),
      ]);
      if (id !== this.id) return;
      const track = player.track.peek();
      this.applied = applied;
      this.curve.bands = spectrum?.bands ?? [];
      this.curve.rate = track?.rate ?? 44_100;
      this.truePeak = track?.detail.measures?.true_peak_dbtp ?? 0;
      // What is being shaped stays, until the preset of another track applies.
      if (isOther && !this.draft.isChanged) this.draft.open(applied.preset?.document ?? flat('New preset'));
      else this.draft.emit();
      this.tellScopes();
      this.tellSecond();
      this.effects.show();
      this.curve.draw();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** Where the preset applies, and how much of it is not saved. */
  tellSecond() {
    const { applied, draft } = this;
    const track = player.track.peek();
    const isApplied = applied?.from && applied.preset?.name === draft.preset.peek().name;
    const where = isApplied ? `It applies to the ${applied.from}` : track ? `On ${titleOf(track.row)}` : noTrack;
    const steps = count(Math.max(1, draft.steps.value), 'change');
    setText(this.second, draft.isChanged ? `${where} \u00b7 ${steps} not saved` : where);
  }

  tellScopes() {
    const assigned = new Map((this.applied?.assignments ?? []).map(({ scope, preset }) => [scope, preset]));
    this.scopes.replaceChildren(...scopes.map(([scope, name]) => {
      const now = assigned.get(scope) ?? '';
      const select = h('select', {
        'aria-label': `Preset of the ${scope}`, onchange: () => this.assign(scope, select.value || null),
      }, h('option', { value: '' }, '\u2013'),
      this.presets.map(({ name }) => h('option', { value: name, selected: name === now }, name)));
      return h('label', { class: this.applied?.from === scope ? 'scope applies' : 'scope' },
        h('span', {}, name), select);
    }));
  }

  tellHeard() {
    const [left, right] = this.live.heard.map((level) => `${number(level, 1)} dBFS`);
    const rows = [['Left', left], ['Right', right], ['Delay of the output', `${Math.round(player.delay() * 1000)} ms`]];
    if (this.heard.children.length !== rows.length) {
      this.heard.replaceChildren(...rows.map(([name]) => h('div', {}, h('dt', {}, name), h('dd', {}))));
    }
    rows.forEach(([, value], i) => setText(/** @type {Element} */ (this.heard.children[i].lastElementChild), value));
  }

  // What is stored.

  /** @param {string} scope @param {string | null} preset */
  assign(scope, preset) {
    return attempt(async () => {
      await change('PUT', `/tracks/${this.id}/preset`, { scope, preset });
      this.id = 0;
      await this.load(player.track.peek()?.id ?? 0);
      player.prepare();
    }, preset ? `${preset} applies to the ${scope}.` : `The ${scope} has no preset now.`, false);
  }

  async store() {
    const { name } = this.draft.preset.peek();
    const known = this.presets.find((one) => one.name === name);
    if (!known || known.built_in) this.storeAs();
    else await this.put(name);
  }

  storeAs() {
    openSaveAs(this.draft.preset.peek().name, Boolean(this.id), async (name, scope) => {
      if (!(await this.put(name))) return false;
      if (scope) await this.assign(scope, name);
      return true;
    });
  }

  /** @param {string} name */
  async put(name) {
    const document = { ...this.draft.preset.peek(), name };
    const store = () => change('PUT', `/presets/${encodeURIComponent(name)}`, document);
    if (!(await attempt(store, `${name} is saved.`, false))) return false;
    this.draft.open(document);
    await this.loadPresets();
    this.tellScopes();
    return true;
  }

  /** @param {FileList | null} files */
  async read(files) {
    const found = files && (await readFiles(files));
    if (!found) return;
    this.draft.edit('file', (preset) => Object.assign(preset, found));
    this.draft.settle();
    toast(`${found.name} is heard, and not saved yet.`);
  }
}
