/** The part of the panel that writes files: what would change in each, the proof, and how it is taken back. */

import { toast } from '../../components/toast.js';
import { attribute, h, setText } from '../../core/dom.js';
import { count } from '../../core/format.js';
import {
  endPlan, fileName, follow, makePlan, moreRows, planWords, proofWords, soundNumber, undoWriting, writePlan,
} from './plan.js';

/** @typedef {import('./plan.js').WritingPlan} WritingPlan */
/** @typedef {import('./plan.js').PlannedFile} PlannedFile */

const headings = { corrections: 'Write tags', cover: 'Embed covers', 'no-cover': 'Take covers out' };

/** @param {string[]} values */
const valuesText = (values) => values.join('; ') || 'nothing';

/** @param {PlannedFile} file */
function rowOf(file) {
  const { changes, unwritten, refusal, proof, written } = file;
  return h('li', {}, h('p', { class: 'name', title: file.path }, fileName(file.path)),
    refusal ? h('p', { class: 'trouble' }, `Stays as it is: ${refusal.reason}`) : '',
    changes.map(({ field, old, new: wanted }) => h('p', { class: 'change' }, h('span', { class: 'label' }, field), ' ',
      h('s', {}, valuesText(old)), ' \u2192 ', h('span', {}, valuesText(wanted)))),
    refusal ? '' : unwritten.map(({ field, reason }) =>
      h('p', { class: 'trouble' }, `${field} stays in the library only: ${reason}`)),
    written && proof ? h('p', { class: 'matrix' },
      `${soundNumber(proof.before.hash)} = ${soundNumber(proof.after.hash)}`) : '');
}

export class WritePart {
  /**
   * @param {number[]} files their ids @param {import('./plan.js').Subject} subject @param {() => void} back to the tags
   */
  constructor(files, subject, back) {
    this.files = files;
    this.subject = subject;
    this.back = back;
    this.abort = new AbortController();
    this.id = 0;
    /** @type {WritingPlan | null} */
    this.plan = null;
    this.isUndo = false;
    this.isBusy = false;
    /** What stands on the buttons. */
    this.shownWords = '';
    this.heading = h('h2', { class: 'etch', tabIndex: -1 }, headings[subject]);
    this.words = h('p', { class: 'words', role: 'status' });
    this.part = h('div', { class: 'part' });
    this.rail = h('div', { class: 'rail', role: 'progressbar', 'aria-label': 'Files', 'aria-valuemin': 0 }, this.part);
    this.proof = h('div', { class: 'proof' });
    this.list = h('ol', { class: 'files' });
    this.rest = h('button', { type: 'button', class: 'link', onclick: () => this.addRows() });
    this.fault = h('p', { class: 'trouble', role: 'alert' });
    this.buttons = h('div', { class: 'buttons' });
    this.content = h('div', { class: 'content' }, this.list, this.rest);
    this.foot = h('div', { class: 'tags-foot' }, this.rail, this.words, this.proof, this.fault, this.buttons);
  }

  /** Makes the preview. */
  begin() {
    this.isUndo = false;
    return this.run(() => makePlan(this.files, this.subject));
  }

  write() {
    return this.run(async () => {
      await writePlan(this.id);
      return this.id;
    });
  }

  undo() {
    const change = this.plan?.change;
    if (!change) return undefined;
    return this.run(async () => {
      const id = await undoWriting(change);
      this.isUndo = true;
      return id;
    });
  }

  /** @param {() => Promise<number>} start of what is then followed */
  async run(start) {
    setText(this.fault, '');
    this.isBusy = true;
    try {
      this.id = await start();
      const plan = await follow(this.id, (plan) => this.show(plan), this.abort.signal);
      this.isBusy = false;
      this.show(plan);
      this.showRows(plan.rows);
      if (this.isUndo && plan.state === 'done') {
        toast(`${planWords(plan, true)}. The corrections are still in the library.`, this.subject === 'corrections');
      }
    } catch (error) {
      this.isBusy = false;
      if (this.abort.signal.aborted) return;
      setText(this.fault, /** @type {Error} */ (error).message);
      this.showButtons(true);
    }
    /** @type {HTMLElement} */ (this.buttons.querySelector('.main') ?? this.heading).focus();
  }

  /** @param {WritingPlan} plan */
  show(plan) {
    this.plan = plan;
    const isRunning = this.isBusy;
    setText(this.words, planWords(plan, this.isUndo));
    setText(this.heading, this.headingOf(plan));
    this.rail.hidden = !isRunning;
    attribute(this.rail, 'aria-valuemax', plan.total || 1);
    attribute(this.rail, 'aria-valuenow', plan.done);
    this.part.style.width = `${plan.total ? (100 * plan.done) / plan.total : 0}%`;
    this.proof.hidden = isRunning || this.isUndo;
    this.showButtons(false);
  }

  /** @param {WritingPlan} plan */
  headingOf({ state, changing, written }) {
    if (this.isUndo) return 'Undone';
    if (state === 'done' || state === 'stopped') return `${count(written, 'file')} written`;
    const words = headings[this.subject];
    return changing ? `${words} of ${count(changing, 'file')}`.replace('covers of', 'covers in') : words;
  }

  /** @param {PlannedFile[]} rows */
  showRows(rows) {
    this.list.replaceChildren(...rows.map(rowOf));
    this.showRest();
    const tried = rows.find(({ proof }) => proof);
    if (!tried?.proof) return this.proof.replaceChildren();
    const { before, after } = tried.proof;
    const words = proofWords(tried);
    const isDone = this.plan?.state === 'done';
    return this.proof.replaceChildren(
      h('p', {}, isDone ? `${fileName(tried.path)}, and each other file, was read again before it took its place:`
        : `Tried on a copy of ${fileName(tried.path)}. Its sound:`),
      h('p', { class: 'hashes matrix' }, h('span', {}, soundNumber(before.hash)), h('span', {}, '='),
        h('span', {}, soundNumber(after.hash))),
      h('p', {}, words, isDone ? '' : ' Each file is checked so before it takes its place.'));
  }

  showRest() {
    const { plan } = this;
    const rest = plan ? plan.changing + plan.refused - this.list.children.length : 0;
    this.rest.hidden = rest <= 0;
    setText(this.rest, `${count(rest, 'more file')}`);
  }

  async addRows() {
    const rows = await moreRows(this.id, this.list.children.length).catch(() => []);
    this.list.append(...rows.map(rowOf));
    this.showRest();
  }

  /** @param {boolean} isRefused whether what was asked for could not begin */
  showButtons(isRefused) {
    const { plan } = this;
    const button = (/** @type {string} */ words, /** @type {() => void} */ act, kind = '') =>
      h('button', { type: 'button', class: kind, onclick: act }, words);
    const again = button('Preview again', () => this.begin(), 'main');
    const isOver = plan?.state === 'done' || plan?.state === 'stopped';
    /** @type {(HTMLElement | string)[]} */
    let shown;
    if (this.isBusy) shown = [button('Stop', () => endPlan(this.id).catch(() => {}))];
    else if (isRefused || plan?.state === 'failed') shown = [again, button('Back', () => this.back())];
    else if (isOver && plan?.change && !this.isUndo) {
      shown = [button('Done', () => this.back(), 'main'), button('Undo', () => this.undo())];
    } else if (plan?.state === 'ready' && plan.changing) {
      shown = [
        button(`Write ${count(plan.changing, 'file')}`, () => this.write(), 'main'),
        button('Back', () => this.back()), h('span', { class: 'second' }, 'Undo brings all back'),
      ];
    } else shown = [button('Back', () => this.back(), 'main')];
    const words = shown.map((one) => (typeof one === 'string' ? one : one.textContent)).join('|');
    // What has the focus stays while numbers change.
    if (words === this.shownWords) return;
    this.shownWords = words;
    this.buttons.replaceChildren(...shown);
  }

  /** Whether closing would leave something unfinished. */
  get isWriting() {
    return this.isBusy && this.plan?.state === 'writing';
  }

  /** Ends what nobody sees; files that are being written are written. */
  stop() {
    this.abort.abort();
    if (this.plan?.state === 'planning' || this.plan?.state === 'ready') endPlan(this.id).catch(() => {});
  }
}
