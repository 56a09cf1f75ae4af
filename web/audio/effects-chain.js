/** The effects of `render`, compiled to WebAssembly, for the worklets. */

/** @typedef {import('../data/presets.js').Settings} Settings */

/** The most frames of one call of the effects. */
const mostFrames = 1024;

/**
 * The functions of the module, with a memory of their own.
 * @param {WebAssembly.Module} module
 */
export function instantiate(module) {
  /** @type {Record<string, Record<string, () => number>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 52; // ENOSYS
  }
  return /** @type {import('./effects.js').Exports} */ (new WebAssembly.Instance(module, imports).exports);
}

/** The effects of one stream. */
export class Chain {
  /** @param {WebAssembly.Module} module @param {Settings} settings */
  constructor(module, settings) {
    this.effects = instantiate(module);
    this.parameters = this.effects.dw_parameters();
    this.give(settings);
    this.samples = this.effects.dw_start(sampleRate, 2);
    this.effects.dw_update_reverberation(settings.room, settings.mix, settings.rate);
    // At once, instead of fading to it.
    this.effects.dw_reset();
    this.latency = this.effects.dw_latency();
    this.hasRoom = settings.room >= 0;
    this.view = new Float32Array(this.effects.memory.buffer, this.samples, 2 * mostFrames);
    /**
     * The pitch and rate that the frames go through; null where they go as they are.
     * @type {{cents: number, rate: number} | null}
     */
    this.pace = null;
  }

  /** @param {Settings} settings */
  give(settings) {
    new Float64Array(this.effects.memory.buffer, this.parameters, settings.numbers.length).set(settings.numbers);
  }

  /**
   * Moves to other settings without a click.
   * @param {Settings} settings
   */
  update(settings) {
    this.give(settings);
    this.effects.dw_update_equalizer();
    this.effects.dw_update_reverberation(settings.room, settings.mix, settings.rate);
    this.hasRoom = settings.room >= 0;
    if (this.pace && this.canFollow(settings)) {
      this.pace = { cents: settings.cents, rate: settings.rate };
      this.effects.dw_speed_update(settings.cents, settings.rate);
    }
  }

  /**
   * Begins with the pitch and rate of settings at the next frame that is given.
   * @param {Settings} settings
   */
  begin({ cents, rate }) {
    this.effects.dw_speed_begin(cents, rate);
    this.pace = cents || rate !== 1 ? { cents, rate } : null;
  }

  /**
   * Whether the pitch and rate can become those of settings without a new start.
   * @param {Settings} settings
   */
  canFollow({ cents, rate }) {
    return this.pace ? (this.pace.cents ? cents !== 0 : cents === 0 && rate !== 1) : cents === 0 && rate === 1;
  }

  /** Frames of the output until all that was given has come out. */
  get waiting() {
    return this.pace ? Math.max(0, Math.round(this.effects.dw_speed_delay() / this.pace.rate)) : 0;
  }

  /**
   * Gives frames to be played at another pace.
   * @param {Float32Array[]} planes @param {number} count
   */
  feed(planes, count) {
    this.store(planes, 0, count);
    this.effects.dw_speed_give(count);
  }

  /** How many frames can be taken. */
  get ready() {
    return this.effects.dw_speed_ready();
  }

  /**
   * Takes frames that are ready.
   * @param {Float32Array[]} planes @param {number} at where they go to @param {number} count
   */
  take(planes, at, count) {
    this.effects.dw_speed_take(count);
    this.load(planes, at, count);
  }

  reset() {
    this.effects.dw_reset();
  }

  /**
   * In place.
   * @param {Float32Array[]} output @param {number} [at] @param {number} [count]
   */
  run(output, at = 0, count = output[0].length) {
    this.store(output, at, count);
    this.effects.dw_process(count);
    this.load(output, at, count);
  }

  /** Memory that has grown has a new buffer. */
  get memory() {
    if (this.view.buffer !== this.effects.memory.buffer) {
      this.view = new Float32Array(this.effects.memory.buffer, this.samples, 2 * mostFrames);
    }
    return this.view;
  }

  /** @param {Float32Array[]} planes @param {number} at @param {number} count */
  store(planes, at, count) {
    const { memory } = this;
    const [left, right] = [planes[0], planes[1] ?? planes[0]];
    for (let i = 0; i < count; i += 1) {
      memory[2 * i] = left[at + i];
      memory[2 * i + 1] = right[at + i];
    }
  }

  /** @param {Float32Array[]} planes @param {number} at @param {number} count */
  load(planes, at, count) {
    const { memory } = this;
    const [left, right] = [planes[0], planes[1] ?? planes[0]];
    for (let i = 0; i < count; i += 1) {
      left[at + i] = memory[2 * i];
      right[at + i] = memory[2 * i + 1];
    }
  }
}
