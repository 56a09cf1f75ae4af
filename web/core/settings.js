/** What this browser remembers: choices of the person in front of it, not of the library. */

import { effect, signal } from './signals.js';

/**
 * A signal that is kept in the browser under `deadwax.NAME`; a value that is not allowed is replaced by the first
 * choice.
 * @template T
 * @param {string} name @param {T} first @param {(value: unknown) => boolean} isAllowed
 */
export function kept(name, first, isAllowed) {
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

/**
 * One of some words, at first the first of them.
 * @template {string} T
 * @param {string} name @param {T[]} choices
 */
const oneOf = (name, ...choices) =>
  kept(name, choices[0], (value) => choices.some((choice) => choice === value));

/** @param {string} name @param {boolean} first */
const flag = (name, first) => kept(name, first, (value) => typeof value === 'boolean');

const firstColumns = ['title', 'artist', 'album', 'sound', 'duration', 'lufs', 'lra', 'truepeak', 'preset'];

export const settings = {
  /** Linear on the slider; the gain is its cube. */
  volume: kept('volume', 0.8, (value) => typeof value === 'number' && value >= 0 && value <= 1),
  replayGain: oneOf('replayGain', 'track', 'album', 'off'),
  /** Whether gains are reduced so that true peaks stay below 0 dBTP. */
  protectPeaks: flag('protectPeaks', true),
  /** Whether tracks are heard through their presets. */
  presets: flag('presets', true),
  /** How tracks lead to each other. */
  transitions: oneOf('transitions', 'gapless', 'silence', 'smart'),
  shuffle: flag('shuffle', false),
  repeat: oneOf('repeat', 'off', 'all', 'one'),
  follow: flag('follow', true),
  spectrogram: flag('spectrogram', false),
  /** Of the live spectrum. */
  weighting: oneOf('weighting', 'a', 'c', 'z'),
  range: oneOf('range', 'full', 'usual'),
  peaks: flag('peaks', true),
  waterfall: flag('waterfall', true),
  /** What the colours of the map mean. */
  mapColour: oneOf('mapColour', 'tempo', 'centroid'),
  theme: oneOf('theme', 'system', 'dark', 'light'),
  /** Whether single letters are commands (WCAG 2.1.4 asks that they can be turned off). */
  letterKeys: flag('letterKeys', true),
  columns: kept('columns', firstColumns, (value) =>
    Array.isArray(value) && value.every((key) => typeof key === 'string')),
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

const chosenLight = () =>
  (settings.theme.peek() === 'system' ? prefersLight.matches : settings.theme.peek() === 'light');

effect(() => {
  const theme = settings.theme.value;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  isLight.value = chosenLight();
});
