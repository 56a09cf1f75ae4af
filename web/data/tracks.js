/** Tracks as the API gives them: as rows of a result, and as documents of all that is known. */

/** @typedef {import('./documents.js').Part} Part */
/** @typedef {import('./documents.js').TrackRow} TrackRow */
/** @typedef {import('./documents.js').TrackDetail} TrackDetail */

/**
 * What a row is called: its title, else the name of its file.
 * @param {TrackRow} row
 */
export const titleOf = (row) => row.title || row.filename || `Track ${row.id}`;

/**
 * States that keep a file from being heard, in words.
 * @type {Record<string, string>}
 */
const troubles = {
  missing: 'Missing', unsupported: 'No decoder for this format', unreadable: 'Cannot be read', empty: 'Empty',
  crashed: 'Crashed the decoder', timeout: 'Took too long to decode', oversize: 'Too large', pending: 'Not read yet',
};

/**
 * What keeps a track from being heard; null if nothing does.
 * @param {TrackRow} row @returns {string | null}
 */
export const troubleOf = (row) => troubles[row.state ?? ''] ?? null;

/**
 * "Am 8A": the key, and its number on the wheel of fifths.
 * @param {TrackRow} row
 */
export const keyText = (row) => [row.key, row.camelot].filter(Boolean).join(' ');

/**
 * "FLAC", "Vorbis": names of four letters and fewer are abbreviations.
 * @param {string} codec
 */
export const codecName = (codec) => (codec.length < 5 ? codec.toUpperCase() : codec[0].toUpperCase() + codec.slice(1));

/**
 * What a row of a table would say.
 * @param {TrackDetail} detail @returns {TrackRow}
 */
export function rowOf(detail) {
  const first = (/** @type {string} */ name) => detail.tags?.[name]?.[0] ?? null;
  const filename = detail.files?.[0]?.path?.split('/').pop() ?? null;
  return {
    id: detail.id, file: detail.files?.[0]?.id, title: first('TITLE'), artist: first('ARTIST'), album: first('ALBUM'),
    filename, duration: detail.format?.duration_seconds ?? null, rate: detail.format?.sample_rate_hz,
    state: detail.state,
  };
}

/**
 * The parts of a track, in order; none for most.
 * @param {TrackDetail | null} detail @returns {Part[]}
 */
export const partsOf = (detail) =>
  (detail?.parts ?? []).map(({ number, start_frame: start, end_frame: end, title, artist }) =>
    ({ number, start, end, title: title ?? `Part ${number}`, artist }));

/**
 * The part that a frame lies in.
 * @param {Part[]} parts @param {number} frame
 */
export const partAt = (parts, frame) => parts.find(({ start, end }) => frame >= start && frame < end) ?? null;

/**
 * A row of a table that stands for one part, as the queue takes it.
 * @param {TrackRow} row the row of the track @param {Part} part @returns {TrackRow}
 */
export const rowOfPart = (row, part) => ({ ...row, title: part.title, artist: part.artist ?? row.artist, part });
