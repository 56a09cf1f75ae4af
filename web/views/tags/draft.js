/** What somebody is changing in the tags of some files, and what that comes to. Nothing of it is stored yet. */

/**
 * @typedef {import('../../data/documents.js').TagField} TagField
 * @typedef {import('../../data/documents.js').TagValues} TagValues
 * @typedef {'set' | 'add' | 'remove' | 'empty' | 'revert' | 'mine' | 'files'} Mode
 *   `empty`: no value; `revert`: the files' values; `mine`, `files`: who wins a conflict
 * @typedef {{mode: Mode, text: string}} Edit
 */

/** Names of fields, as people call them. */
const names = /** @type {Record<string, string>} */ ({
  albumartist: 'Album artist', date: 'Date', tracktotal: 'Tracks', disctotal: 'Discs', bpm: 'Tempo', isrc: 'ISRC',
});

/** @param {string} name of a field, as queries have it */
export const labelOf = (name) => names[name] ?? name.replace(/^./, (first) => first.toUpperCase());

/** Fields whose values are longer than a line. */
const isLong = (/** @type {string} */ name) => /comment|lyrics|description/.test(name);

/** @param {string[]} one @param {string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((value, i) => value === other[i]);

/** @param {number} files */
const filesText = (files) => `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`;

export class FieldDraft {
  /** @param {TagField} field @param {number} files how many are edited */
  constructor(field, files) {
    this.field = field;
    this.files = files;
    /** @type {Edit | null} */
    this.edit = null;
  }

  /** The values that all files have; null if they differ, or are too long to be here. */
  get shared() {
    const [first, ...others] = this.field.values;
    return others.length || !first || this.field.value_count > 1 || first.cut ? null : first.values;
  }

  /** Whether a file can have several values of it. */
  get isMany() {
    return this.field.kind === 'text';
  }

  /** Whether the lines of what is typed are one value. */
  get isOneText() {
    return isLong(this.field.name) || (this.shared?.some((value) => value.includes('\n')) ?? false);
  }

  /** What stands in the field before anybody types: one value a line. */
  get text() {
    return this.shared?.join('\n') ?? '';
  }

  /** In the place of a text: how many values there are. */
  get placeholder() {
    if (this.shared) return this.shared.length ? '' : 'None';
    const { value_count: count, values } = this.field;
    return count === 1 && values[0]?.cut ? 'A long text' : `${count.toLocaleString('en')} values`;
  }

  /** Which values there are, if they differ. */
  get differing() {
    if (this.shared) return '';
    const texts = this.field.values.map(({ values, files }) => values.join('; ') || `none in ${files}`);
    return texts.join(', ').slice(0, 300);
  }

  /** @param {string} text @returns {string[]} */
  valuesOf(text) {
    const values = (this.isOneText ? [text] : text.split('\n')).map((value) => value.trim()).filter(Boolean);
    return this.isMany ? [...new Set(values)] : values.slice(0, 1);
  }

  /**
   * What is typed; the text that was there before is no edit.
   * @param {string} text @param {Mode} [mode]
   */
  type(text, mode = this.edit?.mode ?? 'set') {
    const typed = mode === 'set' || mode === 'add' || mode === 'remove' ? mode : 'set';
    const isBack = typed === 'set' ? text.trim() === this.text.trim() : !text.trim();
    this.edit = isBack ? null : { mode: typed, text };
  }

  /** @param {Mode} mode chosen; once more it is no longer */
  choose(mode) {
    if (mode === 'set' || mode === 'add' || mode === 'remove') {
      this.edit = { mode, text: this.edit?.text ?? '' };
    } else this.edit = this.edit?.mode === mode ? null : { mode, text: '' };
  }

  /** Whether the edit, if there is one, changes a file. */
  get isChanged() {
    if (!this.edit) return false;
    const { mode, text } = this.edit;
    return mode === 'add' || mode === 'remove' ? this.valuesOf(text).length > 0 : this.changes > 0;
  }

  /** How many files change: exactly, but of very many values at most. */
  get changes() {
    if (!this.edit) return 0;
    const { mode, text } = this.edit;
    const { field } = this;
    if (mode === 'revert') return field.active + field.satisfied + field.conflicts;
    if (mode === 'mine' || mode === 'files') return field.conflicts;
    const wanted = mode === 'empty' ? [] : this.valuesOf(text);
    const stays = (/** @type {string[]} */ values) => (
      mode === 'add' ? wanted.every((value) => values.includes(value))
      : mode === 'remove' ? !wanted.some((value) => values.includes(value)) : isSame(values, wanted));
    const staying = field.values.filter(({ values, cut }) => !cut && stays(values));
    return staying.reduce((rest, { files }) => rest - files, this.files);
  }

  /** What is said of the edit, at the right. */
  get changesText() {
    if (!this.isChanged) return '';
    const { mode } = this.edit ?? { mode: 'set' };
    const count = this.changes.toLocaleString('en');
    if (mode === 'mine' || mode === 'files') return `settles ${count}`;
    if (mode === 'revert') return `takes back ${count}`;
    const isAdded = mode !== 'remove' && this.field.values.every(({ values, files, cut }) =>
      !cut && (values.length === 0 || files === 0));
    return mode === 'empty' ? `empties ${count}` : isAdded ? `adds ${count}` : `changes ${count}`;
  }

  /** The values of before, which are struck out. */
  get formerText() {
    if (!this.isChanged) return '';
    return this.shared ? (this.shared.join('; ') || 'none') : this.differing;
  }

  /** Who wins, if the field is corrected: in words. */
  get standing() {
    const { active, satisfied, conflicts, file_values: said } = this.field;
    const texts = said.map(({ values }) => values.join('; ') || 'nothing').join(', ').slice(0, 200);
    if (conflicts) return `Conflict in ${filesText(conflicts)}, whose tag has changed since. Files say: ${texts}`;
    if (active) return `Corrected in ${filesText(active)}. ${active === 1 ? 'The file says' : 'Files say'}: ${texts}`;
    return satisfied ? 'Corrected, and the files say the same' : '';
  }
}

/** The tags of some files. */
export class TagDraft {
  /** @param {import('../../data/documents.js').TagSummary} summary */
  constructor(summary) {
    this.ids = summary.ids;
    this.files = summary.files;
    this.unknown = summary.unknown_files;
    this.fields = summary.fields.map((field) => new FieldDraft(field, summary.files));
  }

  /** Those that change something. */
  get changed() {
    return this.fields.filter((field) => field.isChanged);
  }

  /** Whether something would be lost. */
  get isDirty() {
    return this.changed.length > 0;
  }

  /** Whether files have corrections that they do not say yet. */
  get hasCorrections() {
    return this.fields.some(({ field }) => field.active > 0);
  }

  /** @param {string} name @returns {FieldDraft} one that no file has yet, or the one that is there */
  addField(name) {
    const wanted = name.trim().toLowerCase();
    const known = this.fields.find(({ field }) => field.name === wanted);
    if (known) return known;
    const field = new FieldDraft({
      name: wanted, kind: 'text', scope: 'recording', value_count: 1, active: 0, satisfied: 0, conflicts: 0,
      values: [{ values: [], files: this.files, cut: false }], file_values: [],
    }, this.files);
    this.fields.push(field);
    return field;
  }

  /** @param {boolean} isTried whether nothing is stored @returns {Record<string, any>} what is sent */
  request(isTried) {
    /** @type {Record<string, any>} */
    const body = { files: this.ids };
    for (const draft of this.changed) {
      const { mode, text } = /** @type {Edit} */ (draft.edit);
      const { name } = draft.field;
      if (mode === 'revert') (body.revert ??= []).push(name);
      else if (mode === 'mine' || mode === 'files') ((body.resolve ??= {})[mode] ??= []).push(name);
      else if (mode === 'empty') (body.set ??= {})[name] = [];
      else (body[mode] ??= {})[name] = draft.valuesOf(text);
    }
    if (isTried) body.dry_run = true;
    return body;
  }
}
