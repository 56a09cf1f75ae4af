/** Keys of the whole page. */

import { toggleDrawer, toggleLyrics } from '../components/drawer.js';
import { go } from '../core/router.js';
import { settings } from '../core/settings.js';
import { player } from '../player/player.js';
import { editTags } from './tags.js';

/** Shows which keys there are. */
export const openKeys = () => import('../components/key-list.js').then(({ showKeys }) => showKeys());

let loudness = 0;

/** @param {import('../components/waveform-zoom.js').Zoom} zoom @returns {Record<string, () => void>} */
const letters = (zoom) => ({
  k: () => player.toggle(), j: () => player.seekBy(-10), l: () => player.seekBy(10),
  ',': () => stepFrame(-1), '.': () => stepFrame(1), n: () => player.skip(), p: () => player.back(),
  m: () => {
    const now = settings.volume.peek();
    settings.volume.value = now ? 0 : loudness || 0.8;
    loudness = now;
  },
  '+': () => zoom.zoomBy(0.5), '=': () => zoom.zoomBy(0.5), '-': () => zoom.zoomBy(2), 0: () => zoom.zoomBy(1e9),
  o: () => (player.loop.peek() ? player.setLoop(null) : (zoom.selecting.value = !zoom.selecting.peek())),
  g: () => (settings.spectrogram.value = !settings.spectrogram.peek()),
  f: () => (settings.follow.value = !settings.follow.peek()),
  u: () => toggleDrawer('queue'), v: () => toggleDrawer('playing'), y: () => toggleLyrics(),
  e: () => go('/equalizer'), s: () => go('/spectrum'),
  t: () => editTags(false), T: () => editTags(true),
  '/': () => document.getElementById('query')?.focus(), '?': () => openKeys(),
});

/** @param {number} step */
function stepFrame(step) {
  if (player.playing.peek()) player.toggle();
  player.seek(player.frame() + step);
}

/** @param {import('../components/waveform-zoom.js').Zoom} zoom */
export function watchKeys(zoom) {
  const commands = letters(zoom);
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const types = target.closest('input:not([type=range]), select, textarea, dialog') !== null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || types) return;
    const presses = target.closest('button, a, label') !== null;
    const slides = target.closest('[role=slider], input[type=range]') !== null;
    const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
    if (event.key === ' ' && !presses) player.toggle();
    else if (step && !slides) player.seekBy(step);
    else if (settings.letterKeys.peek() && commands[event.key]) commands[event.key]();
    else return;
    event.preventDefault();
  });
}
