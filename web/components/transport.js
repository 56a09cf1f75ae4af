/** What several places have to play with: the shapes of its buttons, and the volume. */

import { h } from '../core/dom.js';
import { settings } from '../core/settings.js';
import { effect } from '../core/signals.js';

export const shapes = {
  play: 'M8 5v14l11-7z', pause: 'M7 5h3.6v14H7zM13.4 5H17v14h-3.6z', previous: 'M5 5h2v14H5zM19 5v14L8 12z',
  next: 'M17 5h2v14h-2zM5 5v14l11-7z',
};

/** The volume of this browser, as a rail. */
export function volumeSlider() {
  const slider = h('input', {
    type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': 'Volume', class: 'volume slide',
  });
  slider.addEventListener('input', () => (settings.volume.value = Number(slider.value)));
  effect(() => {
    slider.value = String(settings.volume.value);
    slider.style.setProperty('--part', `${settings.volume.value * 100}%`);
    slider.setAttribute('aria-valuetext', `${Math.round(settings.volume.value * 100)} %`);
  });
  return slider;
}
