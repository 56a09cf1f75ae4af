/** What stands around a plot: its caption and its axis. */

import { h } from '../core/dom.js';

/** @param {string} text @param {number} part 0…1 from the top */
export function mark(text, part) {
  const element = h('span', {}, text);
  element.style.top = `${part * 100}%`;
  return element;
}

/**
 * @param {string} caption none if empty @param {string} name its class @param {HTMLCanvasElement} canvas
 * @param {Element[]} marks of its axis @param {string} description for those who do not see it
 */
export function plot(caption, name, canvas, marks, description) {
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', description);
  return h('figure', { class: `plot ${name}` }, caption ? h('figcaption', { class: 'label' }, caption) : '',
    h('div', { class: 'frame' }, canvas, h('div', { class: 'axis', 'aria-hidden': 'true' }, marks)));
}
