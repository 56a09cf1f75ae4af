/** Text for comparison, as the program folds it (TextFolding): fixtures/folding.json has what both must agree on. */

/** @type {[string, string][]} What looks like a sign or letter of a keyboard, behind it. */
const alike = [
  ["'", '`´\u1ffdʹʻʼʽʾʿˈˊˋ՚׳‘’‚‛′‵‹›❛❜ꞌ'], ['"', 'ˮ״«»“”„‟″‶❝❞〝〞〟'], ['-', '˗‐‑‒–—―⁃−⸺⸻'],
  ['...', '⋯'], ['~', '⁓∼〜'], ['x', '×✕✖╳'], ['/', '⁄∕⧸'], ['·', '⋅∙‧・'], [':', '∶꞉'],
  [',', '、'], ['.', '。'],
  ['ae', 'æ'], ['oe', 'œ'], ['o', 'ø'], ['l', 'ł'], ['d', 'ðđ'], ['h', 'ħ'], ['t', 'ŧ'], ['n', 'ŋ'], ['ss', 'ß'],
  ['th', 'þ'], ['i', 'ı'], ['σ', 'ς'],
];
const plain = new Map(alike.flatMap(([typed, all]) => [...all].map((character) => [character, typed])));

/** @param {string} text */
const replaced = (text) => text.replace(/[^\p{ASCII}]|`/gu, (character) => plain.get(character) ?? character);

/**
 * The text without case, accents and what no keyboard has.
 * @param {string} text
 */
export const fold = (text) => replaced(
  // Signs first, because some of them decompose into others.
  replaced(text).normalize('NFKD').toLowerCase().replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, ''))
  .normalize('NFC');
