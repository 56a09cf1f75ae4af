/** The equalizer: a preset's curve, its sliders and what they do to what is heard. */

import { change, getJSON } from '../core/api.js';
import { css, palette } from '../core/colour.js';
import { attribute, effect, h, setText } from '../core/dom.js';
import { count, isEtchable, number, titleOf } from '../core/format.js';
import { toast } from '../page/toast.js';
import { player } from '../player/player.js';
import { Curves } from '../sound/module.js';
import { centres, flat } from '../sound/preset.js';
import { hertzMark } from '../track/plots.js';
import { placeOf } from './axis.js';
import { BandFacts } from './band.js';
import { Curve } from './curve.js';
import { Draft } from './draft.js';
import { Effects } from './effects.js';
import { LiveSpectrum } from '../spectrum/live.js';
import { openSaveAs, readFiles, saveFile } from './files.js';
import { Slider } from './slider.js';

const scopes = /** @type {const} */ ([['track', 'Track'], ['album', 'Album'], ['artist', 'Artist'], ['library', 'Library']]);

export class EqualizerPage {
  constructor() {
    this.draft = new Draft();
    this.curve = new Curve(this.draft);
    this.live = new LiveSpectrum(placeOf, 'Live spectrum, 80 bands, A-weighted \u00b7 the other channel behind each');
    this.band = new BandFacts(this.draft);
    /** What applies to the track that plays. @type {any} */
    this.applied = null;
    /** @type {any[]} */
    this.presets = [];
    this.id = 0;
    this.truePeak = 0;
    this.title = h('h1', { class: 'etch' });
    this.second = h('p', { class: 'second' });
    this.sliders = centres.map((hertz, i) => new Slider(`${hertzMark(Math.round(hertz))} Hz`, (gain) => this.draft.setSlider(i, gain), {
      left: placeOf(hertz), colour: () => css(palette.peek().levels(hertz)[180]), settle: () => this.draft.settle(),
    }));
    this.scopes = h('div', { class: 'scopes' });
    this.heard = h('dl', {});
    this.effects = new Effects(this.draft, () => this.curve.curves?.automaticGain(this.draft.preset.peek(), this.curve.rate, this.truePeak) ?? 0, () => this.curve.rate);
    this.element = h('main', { class: 'track-page equalizer', id: 'main' },
      h('header', { class: 'head-of' }, h('div', {}, this.title, this.second), this.buttons()),
      h('div', { class: 'body' },
        h('div', { class: 'plots' }, this.curve.element,
          h('div', { class: 'sliders', role: 'group', 'aria-label': 'Graphic equalizer' }, this.sliders.map((slider) => slider.element)), this.live.element),
        h('div', { class: 'side' }, this.band.element,
          this.effects.element,
          h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Which preset applies'), this.scopes),
          h('section', { class: 'group' }, h('h2', { class: 'label' }, 'Heard now'), this.heard))));
    this.draft.onChange = (settings) => player.shape(settings);
    this.watch();
  }

  /** @param {string} name @param {() => void} act @param {Record<string, any>} [more] */
  button(name, act, more = {}) {
    return h('button', { type: 'button', onclick: act, ...more }, name);
  }

  buttons() {
    const { draft } = this;
    const sides = ['A', 'B'].map((side) => {
      const button = this.button(side, () => draft.side.peek() !== side && draft.swap(), { class: 'side-of' });
      effect(() => attribute(button, 'aria-pressed', String(draft.side.value === side)));
      return button;
    });
    const bypass = this.button('Bypass', () => draft.bypass());
    effect(() => attribute(bypass, 'aria-pressed', String(draft.bypassed.value)));
    const undo = this.button('Undo', () => draft.undo());
    effect(() => (undo.disabled = !draft.steps.value));
    this.save = this.button('Save', () => this.store(), { class: 'main' });
    const file = h('input', { type: 'file', multiple: true, class: 'unseen', tabIndex: -1, 'aria-label': 'Preset file', onchange: () => this.read(file.files) });
    return h('div', { class: 'buttons' }, h('div', { class: 'pair', role: 'group', 'aria-label': 'Compare two' }, sides), bypass, undo,
      this.button('Reset', () => draft.reset()), this.button('Open file', () => file.click()), file, this.button('Save file', () => saveFile(draft.preset.peek())),
      this.button('Save as', () => this.storeAs()), this.save);
  }

  watch() {
    const { draft } = this;
    effect(() => {
      const preset = draft.preset.value;
      const selected = draft.selected.value;
      setText(this.title, preset.name);
      this.title.classList.toggle('foreign', !isEtchable(preset.name));
      this.sliders.forEach((slider, i) => slider.show(draft.sliderGain(i), preset.bands[selected]?.frequency_hz === centres[i]));
      this.tellSecond();
      this.effects.show();
      this.save.disabled = !draft.isChanged;
    });
    effect(() => {
      const id = player.track.value?.id;
      if (id && this.element.isConnected) this.load(id);
    });
    this.element.addEventListener('dragover', (/** @type {DragEvent} */ event) => event.preventDefault());
    this.element.addEventListener('drop', (/** @type {DragEvent} */ event) => {
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
    this.curve.curves ??= await Curves.load().catch((error) => (toast(error.message), null));
    this.curve.draw();
    this.live.draw();
    const id = player.track.peek()?.id;
    if (id) await this.load(id);
    else {
      if (!this.draft.isChanged) this.draft.open(flat('Flat'));
      setText(this.second, 'Play a track to hear what you do.');
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
      const [applied, spectrum] = await Promise.all([getJSON(`/tracks/${id}/preset`), getJSON(`/tracks/${id}/spectrum`).catch(() => null), this.loadPresets()]);
      if (id !== this.id) return;
      const { track } = player;
      this.applied = applied;
      this.curve.bands = spectrum?.bands ?? [];
      this.curve.rate = track.peek()?.rate ?? 44_100;
      this.truePeak = track.peek()?.detail?.measures?.true_peak_dbtp ?? 0;
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

  tellSecond() {
    const { draft } = this;
    const track = player.track.peek();
    const where = this.applied?.from && this.applied.preset?.name === draft.preset.peek().name ? `It applies to the ${this.applied.from}` : track ? `On ${titleOf(track.row)}` : 'Play a track to hear what you do.';
    setText(this.second, draft.isChanged ? `${where} \u00b7 ${count(Math.max(1, draft.steps.value), 'change')} not saved` : where);
  }

  tellScopes() {
    const assigned = new Map((this.applied?.assignments ?? []).map((/** @type {any} */ one) => [one.scope, one]));
    this.scopes.replaceChildren(...scopes.map(([scope, name]) => {
      const now = assigned.get(scope)?.preset ?? '';
      const names = this.presets.map((preset) => preset.name);
      const select = h('select', { 'aria-label': `Preset of the ${scope}`, onchange: () => this.assign(scope, select.value || null) },
        h('option', { value: '' }, '\u2013'), names.map((preset) => h('option', { value: preset, selected: preset === now }, preset)));
      return h('label', { class: this.applied?.from === scope ? 'scope applies' : 'scope' }, h('span', {}, name), select);
    }));
  }

  tellHeard() {
    const [left, right] = this.live.heard;
    const delay = player.delay();
    const rows = [['Left', `${number(left, 1)} dBFS`], ['Right', `${number(right, 1)} dBFS`], ['Delay of the output', `${Math.round(delay * 1000)} ms`]];
    if (this.heard.children.length !== rows.length) this.heard.replaceChildren(...rows.map(([name]) => h('div', {}, h('dt', {}, name), h('dd', {}))));
    rows.forEach(([, value], i) => setText(this.heard.children[i].lastElementChild, value));
  }

  // What is stored.

  /** @param {string} scope @param {string | null} preset */
  async assign(scope, preset) {
    try {
      await change('PUT', `/tracks/${this.id}/preset`, { scope, preset });
      this.id = 0;
      await this.load(player.track.peek()?.id ?? 0);
      player.refreshSound();
      toast(preset ? `${preset} applies to the ${scope}.` : `The ${scope} has no preset now.`);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  async store() {
    const preset = this.draft.preset.peek();
    const known = this.presets.find((one) => one.name === preset.name);
    if (!known || known.built_in) return this.storeAs();
    return this.put(preset.name);
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
    try {
      await change('PUT', `/presets/${encodeURIComponent(name)}`, document);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      return false;
    }
    this.draft.open(document);
    await this.loadPresets();
    this.tellScopes();
    toast(`${name} is saved.`);
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
