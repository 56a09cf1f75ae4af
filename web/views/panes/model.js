/** What two panes show, as far as it is no element: rows, kinds of problems, works, mean spectra. */

import { codecName } from '../../data/tracks.js';
import { frequency, count, number, signed } from '../../core/format.js';

/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */
/** @typedef {{total: number, at: (index: number) => GroupRow | null, end: () => void, changed: () => void}} ListRows */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/**
 * Rows of an array, as a table takes them.
 * @param {GroupRow[]} rows @returns {ListRows}
 */
export const given = (rows) => ({ total: rows.length, at: (index) => rows[index] ?? null, end() {}, changed() {} });

/**
 * The query of all that an artist has to do with.
 * @param {string} quotedName
 */
export const queryOfArtist = (quotedName) => `(album-artist:=${quotedName} OR artist:=${quotedName})`;

/** @type {[string, string][]} States of files, with the heading of their section. */
const sections = [
  ['damaged', 'Damaged'], ['missing', 'Missing'], ['unreadable', 'Unreadable'], ['empty', 'Empty'],
  ['crashed', 'Made a decoder crash'], ['timeout', 'Too slow'], ['oversize', 'Too large'],
  ['unsupported', 'Without a decoder'], ['pending', 'Not read yet'],
];

/**
 * One list of all that is wrong: sections with their headings, the worst first.
 * @param {{problems: GroupRow[], lossy: TrackRow[], clipped: TrackRow[]}} found @returns {GroupRow[]}
 */
export function problemRows({ problems, lossy, clipped }) {
  /** @type {[string, GroupRow[]][]} */
  const parts = [];
  for (const [state, heading] of sections) {
    parts.push([heading, problems.filter((problem) => problem.state === state).map((problem) => ({
      ...problem, kind: 'file', title: nameOf(problem.path), second: problem.reason ?? heading, isGrave: true,
    }))]);
  }
  parts.push(['Lossy sources', lossy.map((row) => ({
    ...row, kind: 'lossy', title: row.title ?? row.filename, codecName: row.codec ? codecName(row.codec) : '',
    second: row.cutoff ? `nothing above ${frequency(row.cutoff)}` : 'a lossless file', figure: row.lossy_source,
  }))]);
  parts.push(['Clipped', clipped.map((row) => ({
    ...row, kind: 'clipped', title: row.title ?? row.filename, codecName: row.codec ? codecName(row.codec) : '',
    second: [`${count(row.clipped ?? 0, 'sample')}`,
      typeof row.truepeak === 'number' ? `true peak ${signed(row.truepeak)} dBTP` : ''].filter(Boolean).join(', '),
  }))]);
  return parts.filter(([, rows]) => rows.length)
    .flatMap(([heading, rows]) => [{ heading: true, title: heading, figure: number(rows.length) }, ...rows]);
}

/** @param {string} path */
export const nameOf = (path) => path.split('/').pop() ?? path;

/**
 * Recordings of works: the tracks of each work, those of one album together, in the order of their movements.
 * @param {TrackRow[]} rows with `work`
 * @returns {{work: string, recordings: {album: number, rows: TrackRow[], seconds: number}[], longest: number}[]}
 */
export function worksOf(rows) {
  /** @type {Map<string, Map<number, TrackRow[]>>} */
  const works = new Map();
  for (const row of rows) {
    for (const work of (row.work ?? '').split('; ').filter(Boolean)) {
      const recordings = works.get(work) ?? new Map();
      const album = row['album-id'] ?? 0;
      recordings.set(album, [...(recordings.get(album) ?? []), row]);
      works.set(work, recordings);
    }
  }
  return [...works].map(([work, recordings]) => {
    const all = [...recordings].map(([album, rows]) => ({
      album, rows, seconds: rows.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
    }));
    return { work, recordings: all, longest: Math.max(...all.map(({ seconds }) => seconds)) };
  });
}

/**
 * Mean of spectra at equal loudness: each is moved so that its power is that of the others.
 * @param {{low_hz: number, high_hz: number, mean_db: number | null, max_db: number | null}[][]} spectra
 */
export function meanSpectrum(spectra) {
  const first = spectra[0] ?? [];
  const power = (/** @type {number | null} */ decibels) => (decibels === null ? 0 : 10 ** (decibels / 10));
  const fitting = spectra.filter((bands) => bands.length === first.length);
  const shares = fitting.map((bands) => {
    const sum = bands.reduce((all, { mean_db: level }) => all + power(level), 0);
    return bands.map(({ mean_db: level }) => (sum ? power(level) / sum : 0));
  });
  return first.map(({ low_hz, high_hz }, i) => {
    const mean = shares.reduce((all, bands) => all + bands[i], 0) / Math.max(1, shares.length);
    return { low_hz, high_hz, mean_db: mean ? 10 * Math.log10(mean) : null, max_db: null };
  });
}
