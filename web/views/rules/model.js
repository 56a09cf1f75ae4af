/** A query as rules that people read: a field, a verb, a value. What rules cannot say stays as text. */

/** @typedef {'text' | 'word' | 'number' | 'choice'} Kind */
/**
 * @typedef {{
 *   name: string, words: string, kind: Kind, unit?: string, hint?: string, choices?: [string, string][],
 * }} Field
 */
/**
 * @typedef {{
 *   kind: 'rule', field: string, verb: string, value: string, isNot: boolean, source?: string,
 * }} Rule `source`: as it stood in the query, while nothing was changed in it
 * @typedef {{kind: 'text', source: string}} Text a part that stays as it is written
 * @typedef {{kind: 'order', field: string, isFalling: boolean, source?: string}} Order
 * @typedef {Rule | Text | Order} Part
 */

/** @type {Field[]} The fields that are offered, in words; others have their own names. */
export const fields = [
  { name: '', words: 'anything', kind: 'text' },
  { name: 'title', words: 'title', kind: 'text' },
  { name: 'artist', words: 'artist', kind: 'text' },
  { name: 'albumartist', words: 'album artist', kind: 'text' },
  { name: 'album', words: 'album', kind: 'text' },
  { name: 'genre', words: 'genre', kind: 'text' },
  { name: 'composer', words: 'composer', kind: 'text' },
  { name: 'comment', words: 'comment', kind: 'text' },
  { name: 'path', words: 'path', kind: 'text' },
  { name: 'year', words: 'year', kind: 'number', hint: '1999' },
  { name: 'duration', words: 'length', kind: 'number', hint: '3:30' },
  { name: 'rating', words: 'rating', kind: 'number', unit: 'of 100', hint: '80' },
  { name: 'plays', words: 'plays', kind: 'number', hint: '5' },
  { name: 'lastplayed', words: 'last heard', kind: 'number', hint: '2026-01' },
  { name: 'added', words: 'added', kind: 'number', hint: '-2w' },
  { name: 'lufs', words: 'loudness', kind: 'number', unit: 'LUFS', hint: '-14' },
  { name: 'lra', words: 'loudness range', kind: 'number', unit: 'LU', hint: '8' },
  { name: 'truepeak', words: 'true peak', kind: 'number', unit: 'dBTP', hint: '-1' },
  { name: 'bpm', words: 'tempo', kind: 'number', unit: 'BPM', hint: '120' },
  { name: 'key', words: 'key', kind: 'word', hint: 'Am or 8A' },
  { name: 'centroid', words: 'brightness', kind: 'number', unit: 'Hz', hint: '2k' },
  { name: 'cutoff', words: 'cut-off', kind: 'number', unit: 'Hz', hint: '16k' },
  { name: 'codec', words: 'format', kind: 'word', hint: 'flac' },
  { name: 'bits', words: 'bits', kind: 'number', hint: '24' },
  { name: 'rate', words: 'sample rate', kind: 'number', unit: 'Hz', hint: '44.1k' },
  { name: 'bitrate', words: 'bit rate', kind: 'number', hint: '320k' },
  { name: 'list', words: 'list', kind: 'word' },
  { name: 'preset', words: 'preset', kind: 'word' },
  { name: 'similar', words: 'sounds like track', kind: 'word', hint: '17' },
  {
    name: 'is', words: 'it', kind: 'choice', choices: [
      ['lossless', 'lossless'], ['compilation', 'on a compilation'], ['clipped', 'clipped'], ['damaged', 'damaged'],
      ['missing', 'missing'], ['duplicate', 'a sound that another file has, too'], ['corrected', 'corrected here'],
    ],
  },
  {
    name: 'has', words: 'it has', kind: 'choice', choices: [
      ['cover', 'a cover'], ['lyrics', 'lyrics'], ['preset', 'a preset'], ['parts', 'chapters'],
      ['fingerprint', 'a fingerprint'],
    ],
  },
];

/**
 * The verbs of a kind: a name, the words for it and for its opposite, and the sign before the value.
 * @type {Record<Kind, {name: string, words: string, not: string, sign: string}[]>}
 */
const verbs = {
  text: [
    { name: 'has', words: 'has', not: 'has not', sign: ':' }, { name: 'is', words: 'is', not: 'is not', sign: ':=' },
    { name: 'empty', words: 'is empty', not: 'is not empty', sign: ':""' },
  ],
  word: [{ name: 'has', words: 'is', not: 'is not', sign: ':' }],
  choice: [{ name: 'has', words: 'is', not: 'is not', sign: ':' }],
  number: [
    { name: 'most', words: 'is at most', not: 'is not at most', sign: ':<=' },
    { name: 'least', words: 'is at least', not: 'is not at least', sign: ':>=' },
    { name: 'below', words: 'is below', not: 'is not below', sign: ':<' },
    { name: 'above', words: 'is above', not: 'is not above', sign: ':>' },
    { name: 'has', words: 'is', not: 'is not', sign: ':' },
  ],
};

/**
 * A field that is not offered is a text with its own name.
 * @param {string} name @returns {Field}
 */
export const fieldNamed = (name) =>
  fields.find((field) => field.name === name) ?? { name, words: name, kind: 'text' };

/**
 * What a field can be asked, each with a name that says whether it is the opposite.
 * @param {Field} field @returns {[string, string][]}
 */
export function verbsOf({ name, kind }) {
  const known = name === '' ? verbs.text.slice(0, 1) : verbs[kind];
  // Of numbers the opposite of one verb is another verb.
  const asked = known.flatMap((verb) => (kind === 'number' && verb.name !== 'has'
    ? [[verb.name, verb.words]] : [[verb.name, verb.words], ['-' + verb.name, verb.not]]));
  return /** @type {[string, string][]} */ (name === 'has' ? [['has', ''], ['-has', 'not']] : asked);
}

/**
 * The parts of a query that blanks separate, outside of quotation marks and parentheses; null if they do not fit
 * together.
 * @param {string} query @returns {string[] | null}
 */
function split(query) {
  const words = [];
  let [word, depth, isQuoted] = ['', 0, false];
  for (let i = 0; i < query.length; i += 1) {
    const letter = query[i];
    if (letter === '\\') word += letter + (query[(i += 1)] ?? '');
    else if (letter === '"') {
      isQuoted = !isQuoted;
      word += letter;
    } else if (/\s/.test(letter) && !isQuoted && !depth) {
      if (word) words.push(word);
      word = '';
    } else {
      if (!isQuoted) depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      word += letter;
    }
  }
  if (isQuoted || depth) return null;
  return word ? [...words, word] : words;
}

/** @param {string} value without the quotation marks around it; null if a part of it is quoted only */
function unquoted(value) {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(value);
  if (quoted) return quoted[1].replace(/\\(.)/gs, '$1');
  return /["()\\]/.test(value) ? null : value;
}

/** @param {string} word @returns {Part} */
function partOf(word) {
  const order = /^([\p{L}][\p{L}\p{N}_-]*)([+-])$/u.exec(word);
  if (order) return { kind: 'order', field: order[1], isFalling: order[2] === '-', source: word };
  const isNot = /^[-^]./.test(word);
  const plain = isNot ? word.slice(1) : word;
  const asked = /^([\p{L}][\p{L}\p{N}_-]*):(.*)$/su.exec(plain);
  const rest = asked ? asked[2] : plain;
  const field = fieldNamed(asked ? asked[1].toLowerCase() : '');
  const sign = field.kind === 'number' ? /^(<=|>=|<|>)?/.exec(rest)?.[0] ?? '' : /^=(?!~)/.exec(rest)?.[0] ?? '';
  const verb = rest === '""' && field.kind === 'text' && asked ? verbs.text[2]
    : verbs[field.kind].find((verb) => verb.sign === ':' + sign);
  const value = verb?.name === 'empty' ? '' : unquoted(rest.slice(sign.length));
  const isOdd = /^[:<>=~]/.test(rest.slice(sign.length)) || (asked !== null && rest === '');
  const isOffered = field.kind !== 'choice' || field.choices?.some(([name]) => name === value);
  if (!verb || value === null || isOdd || !isOffered) return { kind: 'text', source: word };
  return { kind: 'rule', field: field.name, verb: verb.name, value, isNot, source: word };
}

/**
 * The rules of a query. Alternatives on its top are one text: rules are all true together.
 * @param {string} query @returns {Part[]}
 */
export function parse(query) {
  const words = split(query);
  if (!words || words.some((word) => /^(OR|,|\|)$/.test(word))) {
    return query.trim() ? [{ kind: 'text', source: query.trim() }] : [];
  }
  /** @type {Part[]} */
  const parts = [];
  for (let i = 0; i < words.length; i += 1) {
    if (words[i] === 'AND') continue;
    if (words[i] === 'NOT' && i + 1 < words.length) parts.push({ kind: 'text', source: `NOT ${words[(i += 1)]}` });
    else parts.push(partOf(words[i]));
  }
  return parts;
}

/** @param {string} value as a query takes it */
const quoted = (value) =>
  (/^[\p{L}\p{N}_][\p{L}\p{N}_.]*$/u.test(value) && !/^(OR|AND|NOT)$/.test(value) ? value
    : `"${value.replace(/["\\]/g, '\\$&')}"`);

/** @param {Part} part @returns {string} nothing for a rule without a value, which is not finished */
function textOf(part) {
  if (part.source !== undefined) return part.source;
  if (part.kind === 'order') return part.field + (part.isFalling ? '-' : '+');
  if (part.kind === 'text') return '';
  const field = fieldNamed(part.field);
  const sign = verbs[field.kind].find(({ name }) => name === part.verb)?.sign ?? ':';
  const value = part.value.trim();
  const not = part.isNot ? '-' : '';
  if (part.verb === 'empty') return not + field.name + sign;
  if (!value) return '';
  if (field.name === '') return not + quoted(value);
  // Figures, and several values with commas, lose their meaning in quotation marks.
  const isBare = field.kind !== 'text' && /^[^\s()"\\]+$/.test(value);
  return not + field.name + sign + (isBare ? value.replace(/^\u2212/, '-') : quoted(value));
}

/**
 * The query that rules stand for.
 * @param {Part[]} parts
 */
export const queryOf = (parts) => parts.map(textOf).filter(Boolean).join(' ');

/**
 * A rule with something changed in it: it is written anew.
 * @template {Part} T
 * @param {T} part @param {Partial<T>} changes @returns {T}
 */
export const changed = (part, changes) => ({ ...part, ...changes, source: undefined });

/**
 * A rule that asks another field: what cannot be asked of it becomes its first question.
 * @param {Rule} rule @param {string} name @returns {Rule}
 */
export function withField(rule, name) {
  const field = fieldNamed(name);
  const isSame = fieldNamed(rule.field).kind === field.kind && field.kind !== 'choice';
  const verb = isSame && field.name ? rule.verb : verbs[field.kind][0].name;
  const value = isSame ? rule.value : field.choices?.[0][0] ?? '';
  return changed(rule, { field: name, verb, value, isNot: isSame && rule.isNot });
}

/** What rows can be ordered by, with its words. */
export const orders = /** @type {[string, string][]} */ (
  ['title', 'artist', 'album', 'year', 'added', 'lastplayed', 'plays', 'rating', 'duration', 'lufs', 'lra', 'bpm',
    'centroid'].map((name) => [name, fieldNamed(name).words]));
