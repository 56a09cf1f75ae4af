/** The panel of tags: what files have in common, what is changed, and where that goes. */

import { toast } from '../../components/toast.js';
import { change, debounce, getJSON } from '../../core/api.js';
import { attribute, h, setText, showModal } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { filesOfTags } from '../../data/names.js';
import { TagDraft } from './draft.js';
import { FieldRow } from './field-row.js';
import { WritePart } from './write-part.js';

/** Those that are shown at once; the others that a file has come after a word. */
const usual = 13;

const ownerWords = 'Only the owner may change something: open the address that \u201cdeadwax serve\u201d prints.';
const optionWords =
  'This server writes no music files. Start it with \u201cdeadwax serve --may-write-music\u201d for that.';

/**
 * Asks before something is lost.
 * @param {string} sentence @param {string} words of what loses it
 * @returns {Promise<boolean>} whether it may be lost
 */
function confirmed(sentence, words) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'lost-title' },
      h('form', { method: 'dialog' }, h('h2', { class: 'etch', id: 'lost-title' }, sentence),
        h('div', { class: 'buttons' }, h('button', { value: 'keep', autofocus: true }, 'Go on editing'),
          h('button', { value: 'lose', class: 'main' }, words))));
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'lose'));
    showModal(dialog);
  });
}

export class TagsPanel {
  /** @param {() => void} close puts it away */
  constructor(close) {
    this.leave = close;
    this.element = h('section', { class: 'tags-panel', 'aria-label': 'Tags' });
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.pressed(event));
    /** @type {TagDraft | null} */
    this.draft = null;
    /** @type {WritePart | null} */
    this.writing = null;
    /**
     * What is shown; null if nothing is.
     * @type {string | null}
     */
    this.query = null;
    /**
     * Of the files.
     * @type {number[]}
     */
    this.ids = [];
    this.goesIntoFiles = false;
    this.isSaving = false;
    this.trying = new AbortController();
    /** @type {import('../../data/documents.js').Status | null} */
    this.status = null;
  }

  /**
   * @param {string} query what the address of these tags has behind its question mark
   * @param {number[]} [ids] files that it has found: it may no longer find them
   */
  async open(query, ids) {
    this.stop();
    this.query = query;
    this.heading = h('h1', { class: 'etch', tabIndex: -1 }, 'Tags');
    this.element.replaceChildren(this.head(), h('p', { class: 'content second' }, 'Reading the tags'));
    this.heading.focus();
    const status = getJSON('/status');
    try {
      const summary = await this.read(query, ids);
      this.status = await status;
      if (this.query !== query) return;
      this.ids = summary.ids;
      this.draft = new TagDraft(summary);
      this.show();
    } catch (error) {
      if (this.query !== query) return;
      const { message } = /** @type {Error} */ (error);
      this.element.replaceChildren(this.head(), h('p', { class: 'content trouble' }, message));
    }
  }

  /** @param {string} query @param {number[]} [ids] */
  read(query, ids) {
    const files = filesOfTags(query);
    if (ids) return change('POST', '/tags/read', { files: ids });
    return files.rows ? change('POST', '/tags/read', files) : getJSON('/tags', { q: files.q });
  }

  head() {
    const close = h('button', { type: 'button', class: 'word', onclick: () => this.close() }, 'Close ',
      h('kbd', {}, 'Esc'));
    return h('header', {}, this.heading ?? '', close);
  }

  show() {
    const { draft } = this;
    if (!draft) return;
    this.writing = null;
    setText(/** @type {HTMLElement} */ (this.heading), `Tags of ${count(draft.files, 'file')}`);
    const changed = () => this.showFoot();
    const rows = draft.fields.map((field) => new FieldRow(field, changed));
    const others = rows.slice(usual);
    this.fields = h('div', { class: 'fields' }, rows.slice(0, usual).map(({ element }) => element));
    const unfold = h('button', {
      type: 'button', class: 'link', hidden: others.length === 0, onclick: () => {
        this.fields?.append(...others.map(({ element }) => element));
        unfold.hidden = true;
        others[0].input.focus();
      },
    }, count(others.length, 'more field'));
    if (others.some(({ draft }) => draft.field.conflicts)) unfold.click();
    this.write = this.writeChoice();
    this.words = h('p', { class: 'words', role: 'status' });
    this.fault = h('p', { class: 'trouble', role: 'alert' });
    this.save = h('button', { type: 'submit', class: 'main' });
    const cancel = h('button', { type: 'button', onclick: () => this.close() }, 'Cancel');
    const form = h('form', { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.store();
    } }, h('div', { class: 'content' }, this.fields, h('div', { class: 'more-fields' }, unfold, this.addition(changed)),
      this.coverWords()),
    h('div', { class: 'tags-foot' }, this.write, this.words, this.fault,
      h('div', { class: 'buttons' }, this.save, cancel, h('span', { class: 'second' }, 'Undo brings all back'))));
    this.element.replaceChildren(this.head(), form);
    this.showFoot();
    rows[0]?.input.focus({ preventScroll: true });
  }

  /**
   * A field that no file has yet.
   * @param {() => void} changed
   */
  addition(changed) {
    const input = h('input', { placeholder: 'Another field', 'aria-label': 'Another field', autocomplete: 'off' });
    input.addEventListener('change', () => {
      const name = input.value.trim();
      if (!name || !this.draft) return;
      input.value = '';
      const known = this.draft.fields.length;
      const field = this.draft.addField(name);
      if (this.draft.fields.length === known) return;
      const row = new FieldRow(field, changed);
      this.fields?.append(row.element);
      row.input.focus();
    });
    return input;
  }

  /** What is done with covers, where files may be written. */
  coverWords() {
    if (!this.status?.can_write_music) return '';
    const word = (/** @type {string} */ words, /** @type {import('./plan.js').Subject} */ subject) =>
      h('button', { type: 'button', class: 'link', onclick: () => this.preview(subject) }, words);
    return h('p', { class: 'covers' }, h('span', { class: 'label' }, 'Cover'), word('Embed the shown one', 'cover'),
      word('Take it out of the files', 'no-cover'));
  }

  writeChoice() {
    const files = count(this.draft?.files ?? 0, 'file');
    const all = [[false, 'Only in the library'], [true, `Into the ${files.replace(/^1 /, '')}`]];
    const ways = all.map(([value, words]) => {
      const button = h('button', {
        type: 'button', class: 'tool', onclick: () => {
          this.goesIntoFiles = value === true;
          this.showFoot();
        },
      }, words);
      return { value, button };
    });
    this.ways = ways;
    return h('div', { class: 'way', role: 'group', 'aria-label': 'Write' }, h('span', {}, 'Write'),
      ways.map(({ button }) => button));
  }

  showFoot() {
    const { draft, save } = this;
    if (!draft || !save || !this.words || !this.fault) return;
    for (const { value, button } of this.ways ?? []) {
      attribute(button, 'aria-pressed', String(value === this.goesIntoFiles));
    }
    const mayChange = this.status?.can_write ?? false;
    const mayWrite = !this.goesIntoFiles || this.status?.can_write_music === true;
    setText(this.fault, !mayChange ? ownerWords : !mayWrite ? optionWords : '');
    const { length } = draft.changed;
    const canPreview = this.goesIntoFiles && (length > 0 || draft.hasCorrections);
    setText(save, !this.goesIntoFiles ? 'Save' : length ? 'Save and preview' : 'Preview');
    save.disabled = !mayChange || !mayWrite || !(length > 0 || canPreview);
    this.trying.abort();
    const rest = draft.hasCorrections ? 'Some of it is corrected in the library.' : 'Nothing is changed yet.';
    if (length === 0) setText(this.words, rest);
    else if (mayChange) this.tryOut();
  }

  /** Says what the changes come to, and what is wrong with them, before they are made. */
  async tryOut() {
    const { draft, words, fault } = this;
    if (!draft || !words || !fault) return;
    this.trying = new AbortController();
    const { signal } = this.trying;
    try {
      await debounce(signal);
      const report = await change('POST', '/tags', draft.request(true));
      if (signal.aborted) return;
      const unknown = report.unknown_files ? `; the sound of ${count(report.unknown_files, 'file')} is not known` : '';
      setText(words, `Changes ${count(report.changed_files, 'file')} of ${number(report.files)}${unknown}`);
    } catch (error) {
      if (!signal.aborted) setText(fault, /** @type {Error} */ (error).message);
    }
  }

  async store() {
    const { draft, save, fault } = this;
    if (!draft || !save || save.disabled || !fault) return;
    const goesIntoFiles = this.goesIntoFiles;
    if (draft.isDirty) {
      save.disabled = true;
      this.trying.abort();
      this.isSaving = true;
      try {
        const report = await change('POST', '/tags', draft.request(false));
        toast(`Corrected: ${count(report.changed_files, 'file')}. No file was written.`, true);
      } catch (error) {
        setText(fault, /** @type {Error} */ (error).message);
        save.disabled = false;
        return;
      } finally {
        this.isSaving = false;
      }
      // It was closed meanwhile.
      if (this.draft !== draft) return;
    }
    if (goesIntoFiles) this.preview('corrections');
    else this.again();
  }

  /** Reads the tags again. */
  again() {
    if (this.query !== null) this.open(this.query, this.ids);
  }

  /** @param {import('./plan.js').Subject} subject */
  async preview(subject) {
    if (subject !== 'corrections' && !(await this.mayClose())) return;
    this.trying.abort();
    if (this.query === null) return;
    const part = new WritePart(this.ids, subject, () => this.again());
    this.writing?.stop();
    [this.writing, this.draft] = [part, null];
    this.heading = part.heading;
    this.element.replaceChildren(this.head(), part.content, part.foot);
    part.heading.focus();
    await part.begin();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.store();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Closes it, with a question only if something would be lost. */
  async close() {
    if (await this.mayClose()) {
      this.stop();
      this.leave();
    }
  }

  /** @returns {Promise<boolean>} */
  async mayClose() {
    if (this.writing?.isWriting) return confirmed('Files are being written. They go on being written.', 'Close');
    if (!this.draft?.isDirty || this.isSaving) return true;
    const { length } = this.draft.changed;
    return confirmed(`${count(length, 'changed field is', 'changed fields are')} not saved.`, 'Drop them');
  }

  /** Nobody sees it any more. */
  stop() {
    this.trying.abort();
    this.writing?.stop();
    [this.writing, this.draft, this.query] = [null, null, null];
  }
}
