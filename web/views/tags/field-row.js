/** One field of the panel of tags: its values, what is typed, and who wins. */

import { attribute, h, setText } from '../../core/dom.js';
import { labelOf } from './draft.js';

/** @typedef {import('./draft.js').Mode} Mode */

/** @type {[Mode, string][]} */
const ways = [['set', 'Set'], ['add', 'Add'], ['remove', 'Take out'], ['empty', 'Empty']];

let rows = 0;

export class FieldRow {
  /**
   * @param {import('./draft.js').FieldDraft} draft
   * @param {() => void} changed is told after each change
   */
  constructor(draft, changed) {
    this.draft = draft;
    this.changed = changed;
    const id = `tag${(rows += 1)}`;
    const { field } = draft;
    const hasLines = draft.isMany;
    this.input = h(hasLines ? 'textarea' : 'input', {
      id, value: draft.text, spellcheck: false, autocomplete: 'off', 'aria-describedby': `${id}-more`,
      oninput: () => {
        draft.type(this.input.value);
        this.show();
      },
    });
    if (hasLines) /** @type {HTMLTextAreaElement} */ (this.input).rows = 1;
    else if (field.kind === 'number') this.input.inputMode = 'numeric';
    this.former = h('p', { class: 'former' });
    this.count = h('span', { class: 'count' });
    this.more = h('p', { class: 'differing', id: `${id}-more` });
    this.way = h('select', {
      'aria-label': `What happens to ${labelOf(field.name)}`,
      onchange: () => {
        const mode = /** @type {Mode} */ (this.way.value);
        // A field that is to be set again to what it is has no edit.
        if (mode === 'set') draft.type(this.input.value, 'set');
        else draft.choose(mode);
        if (mode === 'empty') this.input.value = '';
        else this.input.focus();
        this.show();
      },
    }, ways.filter(([mode]) => draft.isMany || mode === 'set' || mode === 'empty').map(([value, words]) =>
      h('option', { value }, words)));
    this.choices = this.makeChoices();
    this.element = h('div', { class: 'field' },
      h('label', { htmlFor: id }, labelOf(field.name)),
      h('div', { class: 'values' }, this.former, this.input, this.more, this.choices),
      h('div', { class: 'side' }, this.count, this.way));
    this.show();
  }

  /** Who wins, where a field is corrected. */
  makeChoices() {
    const { draft } = this;
    const { conflicts, active, satisfied } = draft.field;
    if (!draft.standing) return h('div', { hidden: true });
    /** @type {[Mode, string][]} */
    const all = conflicts ? [['mine', 'Keep mine'], ['files', 'Take the files\u2019']]
      : active || satisfied ? [['revert', 'Take the correction back']] : [];
    this.buttons = all.map(([mode, words]) => {
      const button = h('button', {
        type: 'button', onclick: () => {
          draft.choose(mode);
          this.input.value = draft.text;
          this.show();
        },
      }, words);
      return { mode, button };
    });
    return h('div', { class: `standing ${conflicts ? 'conflict' : ''}` }, h('p', {}, draft.standing),
      h('div', { class: 'buttons' }, this.buttons.map(({ button }) => button)));
  }

  show() {
    const { draft, input } = this;
    const mode = draft.edit?.mode ?? 'set';
    this.element.classList.toggle('changed', draft.isChanged);
    this.element.classList.toggle('way-chosen', mode === 'add' || mode === 'remove' || mode === 'empty');
    setText(this.former, draft.formerText);
    this.former.hidden = !draft.formerText || mode === 'add' || mode === 'remove' || mode === 'mine';
    setText(this.count, draft.changesText);
    attribute(input, 'placeholder', mode === 'empty' ? 'No value' : mode === 'add' ? 'One more value'
      : mode === 'remove' ? 'The value that goes' : draft.placeholder);
    setText(this.more, draft.differing);
    this.more.hidden = !draft.differing || draft.isChanged;
    if (ways.some(([way]) => way === mode)) this.way.value = mode;
    for (const { mode: one, button } of this.buttons ?? []) attribute(button, 'aria-pressed', String(one === mode));
    this.grow();
    this.changed();
  }

  /** As many lines as there are values. */
  grow() {
    if (!('rows' in this.input)) return;
    this.input.rows = Math.min(8, Math.max(1, this.input.value.split('\n').length));
  }
}
