/** What this browser remembers: choices of the person in front of it, not of the library. */

import { effect, signal } from './dom.js';

/**
 * A signal that is kept in the browser under `deadwax.NAME`; a value that is not allowed is replaced by the first choice.
 * @template T
 * @param {string} name @param {T} first @param {(value: any) => boolean} isAllowed
 */
function kept(name, first, isAllowed) {
  let value = first;
  try {
    const stored = JSON.parse(localStorage.getItem('deadwax.' + name) ?? 'null');
    if (stored !== null && isAllowed(stored)) value = stored;
  } catch {
    // Unreadable, or no storage: the first choice.
  }
  const made = signal(value);
  effect(() => {
    const value = JSON.stringify(made.value);
    try {
      localStorage.setItem('deadwax.' + name, value);
    } catch {
      // No storage: the choice lasts as long as the page.
    }
  });
  return made;
}

/** @param {any[]} values */
const oneOf = (...values) => (/** @type {any} */ value) => values.includes(value);
const isFlag = oneOf(true, false);

export const settings = {
  /** Linear on the slider; the gain is its cube. */
  volume: kept('volume', 0.8, (value) => typeof value === 'number' && value >= 0 && value <= 1),
  /** @type {import('./dom.js').Signal<'track' | 'album' | 'off'>} */
  replayGain: kept('replayGain', /** @type {any} */ ('track'), oneOf('track', 'album', 'off')),
  /** Whether gains are reduced so that true peaks stay below 0 dBTP. */
  protectPeaks: kept('protectPeaks', true, isFlag),
  /** Whether tracks are heard through their presets. */
  presets: kept('presets', true, isFlag),
  shuffle: kept('shuffle', false, isFlag),
  /** @type {import('./dom.js').Signal<'off' | 'all' | 'one'>} */
  repeat: kept('repeat', /** @type {any} */ ('off'), oneOf('off', 'all', 'one')),
  follow: kept('follow', true, isFlag),
  spectrogram: kept('spectrogram', false, isFlag),
  /** @type {import('./dom.js').Signal<'a' | 'c' | 'z'>} Of the live spectrum. */
  weighting: kept('weighting', /** @type {any} */ ('a'), oneOf('a', 'c', 'z')),
  /** @type {import('./dom.js').Signal<'usual' | 'full'>} */
  range: kept('range', /** @type {any} */ ('usual'), oneOf('usual', 'full')),
  peaks: kept('peaks', true, isFlag),
  waterfall: kept('waterfall', true, isFlag),
  /** @type {import('./dom.js').Signal<'tempo' | 'centroid'>} What the colours of the map mean. */
  mapColour: kept('mapColour', /** @type {any} */ ('tempo'), oneOf('tempo', 'centroid')),
  /** @type {import('./dom.js').Signal<'system' | 'dark' | 'light'>} */
  theme: kept('theme', /** @type {any} */ ('system'), oneOf('system', 'dark', 'light')),
  /** Whether single letters are commands (WCAG 2.1.4 asks that they can be turned off). */
  letterKeys: kept('letterKeys', true, isFlag),
  columns: kept('columns', ['title', 'artist', 'sound', 'duration', 'lufs', 'lra', 'truepeak', 'preset'], (value) => Array.isArray(value) && value.every((key) => typeof key === 'string')),
};

const prefersLight = matchMedia('(prefers-color-scheme: light)');
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether the page is drawn light. */
export const isLight = signal(prefersLight.matches);
/** Whether nothing but the playhead should move. */
export const isStill = signal(prefersStill.matches);

const lowScreen = matchMedia('(max-height: 559.9px)');
/** Whether rows and waveforms have no room one above the other. */
export const isLow = signal(lowScreen.matches);

lowScreen.addEventListener('change', () => (isLow.value = lowScreen.matches));
prefersStill.addEventListener('change', () => (isStill.value = prefersStill.matches));
prefersLight.addEventListener('change', () => (isLight.value = chosenLight()));

const chosenLight = () => (settings.theme.peek() === 'system' ? prefersLight.matches : settings.theme.peek() === 'light');

effect(() => {
  const theme = settings.theme.value;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  isLight.value = chosenLight();
});
