/** A vertical slider of ±12 dB, moved by pointer and keys. */

import { h, setText } from '../../core/dom.js';
import { signed } from '../../core/format.js';
import { sliderRange } from '../../data/presets.js';

/** @param {number} gain */
const place = (gain) => `${50 - (50 * gain) / sliderRange}%`;

export class Slider {
  /**
   * @param {string} name what it moves, as it is spoken @param {(gain: number) => void} move
   * @param {{left: number, colour: () => string, settle: () => void}} look `left`: 0…1 of the axis; `settle`: the end
   *   of a movement
   */
  constructor(name, move, { left, colour, settle }) {
    this.move = move;
    this.colour = colour;
    this.settle = settle;
    this.gain = 0;
    this.bar = h('div', { class: 'bar' });
    this.handle = h('div', {
      class: 'handle', role: 'slider', tabIndex: 0, 'aria-label': name, 'aria-orientation': 'vertical',
      'aria-valuemin': -sliderRange, 'aria-valuemax': sliderRange,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
    });
    this.value = h('span', { class: 'value', 'aria-hidden': 'true' });
    this.rail = h('div', { class: 'rail' }, h('i'), h('i'), h('i'), h('i'), h('i'), this.bar, this.handle);
    this.element = h('div', { class: 'slider' }, this.rail, this.value);
    this.element.style.left = `${left * 100}%`;
    this.rail.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => this.grab(event));
    this.rail.addEventListener('dblclick', () => this.move(0));
    this.show(0, false);
  }

  /** @param {number} gain in dB @param {boolean} isSelected */
  show(gain, isSelected) {
    this.gain = gain;
    this.handle.style.top = place(gain);
    this.bar.style.top = place(Math.max(0, gain));
    this.bar.style.height = `${(50 * Math.abs(gain)) / sliderRange}%`;
    this.bar.style.background = this.colour();
    this.handle.setAttribute('aria-valuenow', String(gain));
    this.handle.setAttribute('aria-valuetext', `${signed(gain)} dB`);
    setText(this.value, signed(gain));
    this.element.classList.toggle('chosen', isSelected);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = event.shiftKey ? 0.1 : 0.5;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowUp: this.gain + step, ArrowRight: this.gain + step, ArrowDown: this.gain - step,
      ArrowLeft: this.gain - step, PageUp: this.gain + 3, PageDown: this.gain - 3, Home: sliderRange, End: -sliderRange,
      Delete: 0, Backspace: 0,
    };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(moves[event.key]);
  }

  /** @param {PointerEvent} event */
  grab(event) {
    if (event.button) return;
    const box = this.rail.getBoundingClientRect();
    const follow = (/** @type {PointerEvent} */ at) => {
      const gain = sliderRange * (1 - (2 * (at.clientY - box.top)) / box.height);
      this.move(Math.round(gain * (at.shiftKey ? 10 : 2)) / (at.shiftKey ? 10 : 2));
    };
    this.rail.setPointerCapture(event.pointerId);
    this.element.classList.add('moving');
    const stop = () => {
      this.rail.removeEventListener('pointermove', follow);
      this.element.classList.remove('moving');
      this.settle();
    };
    this.rail.addEventListener('pointermove', follow);
    this.rail.addEventListener('lostpointercapture', stop, { once: true });
    this.handle.focus({ preventScroll: true });
    follow(event);
  }
}
