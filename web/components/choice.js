/** Buttons of which one is on: the value of a signal. */

import { attribute, h } from '../core/dom.js';
import { effect } from '../core/signals.js';

/**
 * @template T
 * @param {import('../core/signals.js').Signal<T>} chosen
 * @param {readonly (readonly [T, string, ...unknown[]])[]} options values and their words
 * @param {Record<string, string>} [props] of each button
 */
export const choiceButtons = (chosen, options, props = {}) => options.map(([value, words]) => {
  const button = h('button', { type: 'button', ...props, onclick: () => (chosen.value = value) }, words);
  effect(() => attribute(button, 'aria-pressed', String(chosen.value === value)));
  return button;
});
