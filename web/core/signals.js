/** Values that tell who reads them when they change. */

/**
 * A value that effects are run again for when it changes.
 * @template T
 */
export class Signal {
  /** @param {T} value */
  constructor(value) {
    this.held = value;
    /** @type {Set<Effect>} */
    this.readers = new Set();
  }

  /** @returns {T} */
  get value() {
    if (current) {
      this.readers.add(current);
      current.sources.add(this);
    }
    return this.held;
  }

  set value(next) {
    if (Object.is(next, this.held)) return;
    this.held = next;
    for (const reader of [...this.readers]) reader.run();
  }

  /** The value, without becoming a reader of it. */
  peek() {
    return this.held;
  }
}

/** @type {Effect | null} */
let current = null;

class Effect {
  /** @param {() => void} body */
  constructor(body) {
    this.body = body;
    /** @type {Set<Signal<any>>} */
    this.sources = new Set();
    this.run();
  }

  run() {
    this.stop();
    const outer = current;
    current = this;
    try {
      this.body();
    } finally {
      current = outer;
    }
  }

  stop() {
    for (const source of this.sources) source.readers.delete(this);
    this.sources.clear();
  }
}

/** @template T @param {T} value */
export const signal = (value) => new Signal(value);

/**
 * Runs `body` now, and again whenever a signal changes that it read.
 * @param {() => void} body
 * @returns {() => void} ends it
 */
export function effect(body) {
  const made = new Effect(body);
  return () => made.stop();
}
