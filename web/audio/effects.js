/** The effects of `render`, compiled to WebAssembly: for curves on the page, and for the worklet. */

import { settingsOf } from '../data/presets.js';

/** @typedef {import('../data/presets.js').Preset} Preset */
/** @typedef {Record<string, (...values: number[]) => number>} Functions */
/** @typedef {Functions & {memory: WebAssembly.Memory}} Exports of effects.wasm (Sources/WebEffects) */

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;

/** The module, loaded and compiled once. */
export function loadEffects() {
  loading ??= fetch('/effects.wasm').then(async (response) => {
    if (!response.ok) throw new Error(`The effects cannot be loaded (${response.status}).`);
    return WebAssembly.compile(await response.arrayBuffer());
  });
  loading.catch(() => (loading = null));
  return loading;
}

/**
 * The imports of the module, none of which is called but by a failing assertion.
 * @param {WebAssembly.Module} module
 */
function importsOf(module) {
  /** @type {Record<string, Record<string, () => number>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 52; // ENOSYS
  }
  return imports;
}

/** The functions of the module, with a memory of their own. */
export async function makeEffects() {
  const module = await loadEffects();
  const { exports } = await WebAssembly.instantiate(module, importsOf(module));
  return /** @type {Exports} */ (exports);
}

/** Curves of presets, computed by the code that filters. */
export class Curves {
  /** @param {Exports} effects */
  constructor(effects) {
    this.effects = effects;
    this.capacity = 2048;
    this.parameters = this.effects.dw_parameters();
    this.values = this.effects.dw_allocate(8 * this.capacity);
  }

  static async load() {
    return new Curves(await makeEffects());
  }

  /** @param {Preset} preset */
  give(preset) {
    const { numbers } = settingsOf(preset);
    new Float64Array(this.effects.memory.buffer, this.parameters, numbers.length).set(numbers);
  }

  /**
   * Decibels at frequencies.
   * @param {Preset} preset @param {Float64Array} frequencies in Hz @param {number} rate of the sound, in Hz
   * @param {number} [band] one band alone; the total else @param {number} [channel] 0 left, 1 right
   */
  response(preset, frequencies, rate, band = -1, channel = 0) {
    this.give(preset);
    const count = Math.min(frequencies.length, this.capacity);
    new Float64Array(this.effects.memory.buffer, this.values, count).set(frequencies.subarray(0, count));
    const status = this.effects.dw_response(this.values, count, rate, band, channel);
    if (status !== 0) throw new Error('The preset has a number that is out of range.');
    return new Float64Array(this.effects.memory.buffer, this.values, count).slice();
  }

  /**
   * The gain at which nothing exceeds full scale.
   * @param {Preset} preset @param {number} rate @param {number} truePeak in dBTP
   */
  automaticGain(preset, rate, truePeak) {
    this.give(preset);
    return this.effects.dw_automatic_gain(rate, truePeak);
  }
}

/**
 * What effects take of a processor core, measured on a twentieth of a second of noise: 0.1 is a tenth.
 * @param {import('../data/presets.js').Settings} settings @param {number} rate of the sound, in Hz
 */
export async function measureCost(settings, rate) {
  const effects = await makeEffects();
  new Float64Array(effects.memory.buffer, effects.dw_parameters(), settings.numbers.length).set(settings.numbers);
  const samples = effects.dw_start(rate, 2);
  effects.dw_update_reverberation(settings.room, settings.mix, settings.rate);
  effects.dw_reset();
  effects.dw_speed_begin(settings.cents, settings.rate);
  const hasPace = settings.cents !== 0 || settings.rate !== 1;
  const noise = Float32Array.from({ length: 256 }, () => Math.random() / 5 - 0.1);
  const give = () => new Float32Array(effects.memory.buffer, samples, 256).set(noise);
  const play = () => {
    give();
    while (hasPace && effects.dw_speed_ready() < 128) {
      effects.dw_speed_give(128);
      give();
    }
    if (hasPace) effects.dw_speed_take(128);
    effects.dw_process(128);
  };
  const blocks = Math.ceil(rate / 20 / 128);
  for (let i = 0; i < blocks; i += 1) play();
  const began = performance.now();
  for (let i = 0; i < blocks; i += 1) play();
  return (performance.now() - began) / 1000 / ((blocks * 128) / rate);
}
