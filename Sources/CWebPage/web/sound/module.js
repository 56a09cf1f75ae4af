/** The effects of `render`, compiled to WebAssembly: for curves on the page, and as bytes for the worklet. */

import { settingsOf } from './preset.js';

/** @typedef {import('./preset.js').Preset} Preset */

/** @type {Promise<ArrayBuffer> | null} */
let loading = null;

/** The module's bytes, loaded once. */
export function effectsBytes() {
  loading ??= fetch('/effects.wasm').then((response) => {
    if (!response.ok) throw new Error(`The effects cannot be loaded (${response.status}).`);
    return response.arrayBuffer();
  });
  return loading;
}

/**
 * The imports of the module, none of which is called but by a failing assertion.
 * @param {WebAssembly.Module} module
 */
export function importsOf(module) {
  /** @type {Record<string, Record<string, () => number>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 52; // ENOSYS
  return imports;
}

/** Curves of presets, computed by the code that filters. */
export class Curves {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.effects = /** @type {any} */ (instance.exports);
    this.capacity = 2048;
    this.parameters = this.effects.dw_parameters();
    this.values = this.effects.dw_allocate(8 * this.capacity);
  }

  static async load() {
    const module = await WebAssembly.compile(await effectsBytes());
    return new Curves(await WebAssembly.instantiate(module, importsOf(module)));
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
