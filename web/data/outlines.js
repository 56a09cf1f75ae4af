/** The small waveforms of rows: asked for together, up to two hundred, and one answer after the other. */

import { getBytes } from '../core/api.js';

/** Strokes of a row, pitch 2 in 216 pixels. */
export const points = 108;
const kept = 3000;
/** @type {Map<number, Uint8Array | 'asked'>} */
const outlines = new Map();
/** @type {Set<number>} */
const wanted = new Set();
/** @type {Set<() => void>} Called when outlines have come. */
export const watchers = new Set();
let isAsking = false;

/**
 * Four steps a stroke; null until it is here.
 * @param {number | null | undefined} id none of a file that could not be decoded: there is nothing to ask for
 * @returns {Uint8Array | null}
 */
export function outlineOf(id) {
  if (!id) return null;
  const found = outlines.get(id);
  if (found === undefined) {
    wanted.add(id);
    if (!isAsking) setTimeout(ask, 30);
    isAsking = true;
  }
  return found instanceof Uint8Array ? found : null;
}

async function ask() {
  const ids = [...wanted].slice(-200).sort((a, b) => a - b);
  for (const id of ids) outlines.set(id, 'asked');
  try {
    const { buffer } = await getBytes('/tracks/outlines', { ids: ids.join(','), points });
    ids.forEach((id, i) => outlines.set(id, new Uint8Array(buffer, i * points * 4, points * 4)));
  } catch {
    setTimeout(() => ids.forEach((id) => outlines.delete(id)), 5000);
  }
  for (const old of outlines.keys()) {
    if (outlines.size <= kept) break;
    outlines.delete(old);
  }
  // Who still shows others asks for them again.
  wanted.clear();
  isAsking = false;
  for (const watcher of watchers) watcher();
}
