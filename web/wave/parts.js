/** Parts of a track: chapters, and the tracks of a CUE sheet. */

import { h } from '../core/dom.js';

/** @typedef {{number: number, start: number, end: number, title: string, artist: string | null}} Part frames; the end is not part of it */

/**
 * The parts of a track, in order; none for most.
 * @param {any} detail the document of a track @returns {Part[]}
 */
export const partsOf = (detail) =>
  (detail?.parts ?? []).map((/** @type {any} */ part) =>
    ({ number: part.number, start: part.start_frame, end: part.end_frame, title: part.title ?? `Part ${part.number}`, artist: part.artist }));

/**
 * The part that a frame lies in.
 * @param {Part[]} parts @param {number} frame
 */
export const partAt = (parts, frame) => parts.find(({ start, end }) => frame >= start && frame < end) ?? null;

/**
 * A tick where each part begins, in percent of the whole.
 * @param {Part[]} parts @param {number} frames of the track
 */
export const partTicks = (parts, frames) =>
  parts.filter(({ start }) => start > 0).map(({ start }) => {
    const tick = h('i', { class: 'tick' });
    tick.style.left = `${(100 * start) / frames}%`;
    return tick;
  });

/**
 * A row of a table that stands for one part, as the queue takes it.
 * @param {any} row the row of the track @param {Part} part
 */
export const rowOfPart = (row, part) => ({ ...row, title: part.title, artist: part.artist ?? row.artist, part });
