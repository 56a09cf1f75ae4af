/** Lyrics as the server tells them, and which of their lines is sung. */

/**
 * @typedef {{start_seconds: number | null, text: string}} Line
 * @typedef {{source: 'file' | 'tags', language: string | null, synced: boolean, lines: Line[]}} Lyrics
 */

/**
 * The line that is sung at a time: the last one that has begun, and of lines that begin together, the first.
 * @param {Line[]} lines in the order of their starts @param {number} seconds
 * @returns {number} its index; −1 before the first one
 */
export function lineAt(lines, seconds) {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle].start_seconds ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index > 0 && lines[index - 1].start_seconds === lines[index].start_seconds) index -= 1;
  return index;
}

/**
 * The text that is shown first: a synced one, if there is any.
 * @param {Lyrics[]} texts @returns {Lyrics | null}
 */
export const bestOf = (texts) => texts.find(({ synced }) => synced) ?? texts[0] ?? null;

/** @param {Lyrics} lyrics */
export const originOf = ({ synced, source }) =>
  `Lyrics \u00b7 ${synced ? 'synced, ' : ''}from the ${source === 'file' ? 'file beside it' : 'tags'}`;

/**
 * What a text is called beside others.
 * @param {Lyrics} lyrics @param {number} index
 */
export const nameOf = ({ language, synced }, index) =>
  `${index + 1}${language ? ` ${language}` : ''}${synced ? ', synced' : ''}`;
