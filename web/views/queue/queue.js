/** The queue: what was played, what plays, what comes next; moved by mouse, finger and keys. */

import { toggleDrawer } from '../../components/drawer.js';
import { attempt, toast } from '../../components/toast.js';
import { attribute, h, keyed, perFrame, setText, showModal } from '../../core/dom.js';
import { length } from '../../core/format.js';
import { settings } from '../../core/settings.js';
import { effect } from '../../core/signals.js';
import { coverOfTrack } from '../../data/covers.js';
import { makeList } from '../../data/list-changes.js';
import { outlineOf, watchers } from '../../data/outlines.js';
import { titleOf, troubleOf } from '../../data/tracks.js';
import { palette } from '../../drawing/colour.js';
import { drawOutline } from '../../drawing/waveform.js';
import { player } from '../../player/player.js';
import { formerWords, heightOf, landing, linesOf, partLength, summaryOf, transitionWords } from './queue-model.js';

/** @typedef {import('./queue-model.js').Line} Line */
/** @typedef {Extract<Line, {kind: 'entry'}>} EntryLine */

const labelHeight = 32;
const repeats = /** @type {const} */ (['off', 'all', 'one']);
const repeatWords = { off: 'Repeat', all: 'Repeat all', one: 'Repeat one' };

/** @param {string} name @param {() => void} act @param {string} [kind] */
const word = (name, act, kind = '') => h('button', { type: 'button', class: `word ${kind}`, onclick: act }, name);

export class QueueDrawer {
  constructor() {
    this.summary = h('p', { class: 'summary' });
    this.shuffle = word('Shuffle', () => (settings.shuffle.value = !settings.shuffle.peek()));
    this.repeat = word('Repeat', () => {
      settings.repeat.value = repeats[(repeats.indexOf(settings.repeat.peek()) + 1) % repeats.length];
    });
    this.save = word('Save as list', () => this.saveList());
    this.clear = word('Clear', () => this.clearAll(), 'last');
    this.content = h('div', { class: 'content', role: 'presentation' });
    this.line = h('div', { class: 'drop', hidden: true });
    this.list = h('div', {
      class: 'list', role: 'grid', tabIndex: 0, 'aria-label': 'Queue',
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.keyed(event),
    }, this.content);
    this.empty = h('div', { class: 'empty', hidden: true }, h('p', { class: 'etch' }, 'Nothing is queued.'),
      h('p', {}, 'Play a track: what follows it comes next. \u201cq\u201d queues the chosen one.'));
    this.former = h('p');
    this.foot = h('div', { class: 'former', hidden: true }, this.former, word('Resume', () => this.resume(), 'resume'));
    this.element = h('aside', { class: 'drawer queue', 'aria-label': 'Queue' },
      h('div', { class: 'heading' }, h('h2', { class: 'etch' }, 'Queue'),
        word('Close', () => toggleDrawer('queue'), 'close'), this.summary,
        h('div', { class: 'words' }, this.save, this.shuffle, this.repeat, this.clear)),
      this.list, this.empty, this.foot);
    /**
     * The entry that keys act on.
     * @type {number | null}
     */
    this.active = null;
    this.showsAll = false;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {{key: number, index: number, y: number, grip: number} | null} */
    this.drag = null;
    /**
     * The entry whose button to remove it is shown.
     * @type {number | null}
     */
    this.pulled = null;
    this.draw = perFrame(() => this.render());
    this.list.addEventListener('scroll', () => this.draw());
    this.content.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => this.pressed(event));
    this.content.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => this.play(this.keyOf(event)));
    this.content.addEventListener('click', (/** @type {MouseEvent} */ event) => this.clicked(event));
    new ResizeObserver(() => this.draw()).observe(this.list);
    watchers.add(() => this.isShown && this.draw());
    effect(() => {
      player.queued.value;
      player.track.value;
      player.playing.value;
      player.transition.value;
      palette.value;
      if (this.isShown) this.draw();
    });
    effect(() => {
      attribute(this.shuffle, 'aria-pressed', String(settings.shuffle.value));
      attribute(this.repeat, 'aria-pressed', String(settings.repeat.value !== 'off'));
      setText(this.repeat, repeatWords[settings.repeat.value]);
    });
    setInterval(() => this.isShown && (player.playing.peek() || this.lines.length) && this.draw(), 1000);
  }

  get isShown() {
    return this.element.isConnected;
  }

  show() {
    this.active = player.queue.state.current;
    this.render();
    this.bringIn(this.active, true);
    this.list.focus({ preventScroll: true });
  }

  hide() {
    this.drag = null;
    this.pulled = null;
  }

  // What is seen.

  render() {
    const { entries, place, state, left } = player.queue;
    const rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue('--entry')) || 48;
    this.lines = linesOf(entries, place, { row: rowHeight, label: labelHeight, showsAll: this.showsAll });
    if (!entries.some(({ key }) => key === this.active)) this.active = state.current ?? entries[0]?.key ?? null;
    const track = player.track.peek();
    const heard = track ? (player.frame() - track.from) / track.rate : 0;
    setText(this.summary, summaryOf(entries, place, left, Math.max(0, heard), new Date()));
    this.list.hidden = !entries.length;
    this.empty.hidden = entries.length > 0;
    for (const button of [this.save, this.clear]) button.disabled = !entries.length;
    this.foot.hidden = !state.former;
    if (state.former) setText(this.former, formerWords(state.former, new Date()));
    const [top, height] = [this.list.scrollTop, this.list.clientHeight];
    this.content.style.height = `${heightOf(this.lines)}px`;
    const seen = this.lines.filter((line) => line.top + line.height > top - 200 && line.top < top + height + 200);
    const nameOf = (/** @type {Line} */ line) => (line.kind === 'label' ? line.text : line.entry.key);
    keyed(this.content, seen, nameOf, (line) => (line.kind === 'label' ? this.makeLabel(line) : this.makeRow(line)));
    this.content.append(this.line);
    seen.forEach((line, i) => {
      const element = /** @type {HTMLElement} */ (this.content.children[i]);
      const moved = this.drag && line.kind === 'entry' && line.entry.key === this.drag.key;
      element.style.transform = `translateY(${moved ? this.drag?.y : line.top}px)`;
      if (line.kind === 'entry') this.fill(element, line);
      else {
        const more = /** @type {HTMLElement} */ (element.querySelector('button'));
        more.hidden = !line.more;
        setText(more, this.showsAll ? 'Fewer' : `All ${line.more} \u2191`);
        if (line.text !== 'Next') return;
        const { text, title } = transitionWords(player.transition.peek());
        const join = /** @type {HTMLElement} */ (element.querySelector('.join'));
        setText(join, text);
        attribute(join, 'title', title || null);
      }
    });
    attribute(this.list, 'aria-activedescendant', this.active === null ? null : `entry-${this.active}`);
    attribute(this.list, 'aria-rowcount', entries.length);
  }

  /** @param {Line} line */
  makeLabel(line) {
    const more = word('', () => {
      this.showsAll = !this.showsAll;
      this.draw();
    });
    return h('div', { class: 'slot label', role: 'row' },
      h('span', { role: 'gridcell' }, /** @type {any} */ (line).text, h('span', { class: 'join' })),
      h('span', { role: 'gridcell' }, more));
  }

  /** @param {EntryLine} line */
  makeRow({ entry }) {
    const { row } = entry;
    const cell = (/** @type {string} */ kind, /** @type {any[]} */ ...children) =>
      h('div', { class: kind, role: 'gridcell' }, ...children);
    return h('div', { class: 'slot entry', role: 'row', id: `entry-${entry.key}` },
      cell('grip', h('i')),
      cell('cover', h('img', { alt: '', src: coverOfTrack(row.id, 40), width: 40, height: 40, loading: 'lazy' })),
      cell('name', h('span', { class: 'title' }, titleOf(row)), h('span', { class: 'second' }, row.artist ?? '')),
      cell('sound', h('canvas', { 'aria-hidden': 'true' })),
      cell('length', length(partLength(row) ?? row.duration)),
      cell('out', h('button', { type: 'button', tabIndex: -1, onclick: () => this.remove(entry.key) }, 'Remove')));
  }

  /** @param {HTMLElement} element @param {EntryLine} line */
  fill(element, { entry, index, state }) {
    const { key, row } = entry;
    for (const one of ['played', 'current', 'next']) element.classList.toggle(one, one === state);
    element.classList.toggle('off', troubleOf(row) !== null);
    element.classList.toggle('active', key === this.active);
    element.classList.toggle('dragged', key === this.drag?.key);
    element.classList.toggle('pulled', key === this.pulled);
    element.dataset.key = String(key);
    attribute(element, 'aria-rowindex', index + 1);
    attribute(element, 'aria-selected', String(key === this.active));
    attribute(element, 'aria-current', state === 'current' ? 'true' : null);
    const canvas = /** @type {any} */ (element.querySelector('canvas'));
    const outline = outlineOf(row.id);
    const track = player.track.peek();
    const played = state === 'current' && track ? player.frame() / track.frames : -1;
    const drawn = [outline !== null, Math.round(played * 144), palette.peek().isLight, devicePixelRatio,
      canvas.clientWidth].join(' ');
    if (!outline || canvas.drawn === drawn) return;
    canvas.drawn = drawn;
    drawOutline(canvas, outline, palette.peek(), { coloured: state === 'current', played, faint: state === 'played' });
  }

  /**
   * Scrolls an entry into view.
   * @param {number | null} key @param {boolean} [high] near the top, as when the drawer is opened
   */
  bringIn(key, high = false) {
    const line = this.lines.find((one) => one.kind === 'entry' && one.entry.key === key);
    if (!line) return;
    const { scrollTop, clientHeight } = this.list;
    if (high) this.list.scrollTop = line.top - 3 * line.height;
    else if (line.top < scrollTop) this.list.scrollTop = line.top - labelHeight;
    else if (line.top + line.height > scrollTop + clientHeight) {
      this.list.scrollTop = line.top + line.height - clientHeight;
    }
    this.draw();
  }

  // What is done.

  /** @param {Event} event @returns {number} the key of the entry that it met; 0 if there is none */
  keyOf(event) {
    const row = /** @type {Element} */ (event.target).closest('.entry');
    return row instanceof HTMLElement ? Number(row.dataset.key) : 0;
  }

  /** @param {number} key */
  play(key) {
    if (key) player.playEntry(key);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const key = this.keyOf(event);
    if (!key || /** @type {Element} */ (event.target).closest('button, .grip')) return;
    const wasPulled = this.pulled;
    this.active = key;
    this.pulled = null;
    // A finger has no double click; what was pulled aside goes back.
    if (/** @type {PointerEvent} */ (event).pointerType === 'touch' && !wasPulled && !this.wasSwiped) this.play(key);
    this.wasSwiped = false;
    this.draw();
  }

  wasSwiped = false;

  /** @param {number} key */
  remove(key) {
    const { entries, state } = player.queue;
    const index = entries.findIndex((one) => one.key === key);
    if (index < 0) return;
    if (key === state.current && player.track.peek()) {
      toast('This track is playing: press Next to skip it.');
      return;
    }
    const name = titleOf(entries[index].row);
    this.active = (entries[index + 1] ?? entries[index - 1])?.key ?? null;
    this.pulled = null;
    player.queue.remove([key], `removing “${name}”`);
    player.rearranged();
    this.tell(`“${name}” is no longer in the queue.`);
  }

  /** @param {string} sentence */
  tell(sentence) {
    toast(sentence, () => {
      const words = player.undoEdit();
      if (words) toast(`Undone: ${words}.`);
    });
  }

  clearAll() {
    player.queue.clear('clearing the queue');
    player.rearranged();
    this.tell('The queue is empty, but for what plays.');
  }

  resume() {
    player.queue.edit([{ restore: true }], 'going back to the queue before');
    player.openCurrent(player.playing.peek());
  }

  /**
   * Moves an entry in front of the one at an index.
   * @param {number} key @param {number} index
   */
  move(key, index) {
    const { entries } = player.queue;
    const from = entries.findIndex((one) => one.key === key);
    const to = Math.max(0, Math.min(entries.length, index));
    if (from < 0 || to === from || to === from + 1) return;
    player.queue.moveTo([key], to, `moving “${titleOf(entries[from].row)}”`);
    player.rearranged();
    this.render();
    this.bringIn(key);
  }

  saveList() {
    const { entries } = player.queue;
    const name = h('input', { type: 'text', maxLength: 200, class: 'name', required: true });
    const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'queue-list-title' },
      h('form', { method: 'dialog', onsubmit: () => attempt(
        () => makeList(name.value.trim(), entries.map(({ row }) => row.id)),
        `The queue is now the list “${name.value.trim()}”.`) },
      h('h2', { class: 'etch', id: 'queue-list-title' }, 'Save the queue as a list'),
      h('div', { class: 'fields' }, h('label', {}, h('span', { class: 'label' }, 'Name'), name)),
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { class: 'main' }, 'Save'))));
    showModal(dialog);
    name.focus();
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.target !== this.list || event.ctrlKey || event.metaKey) return;
    const shown = /** @type {EntryLine[]} */ (this.lines.filter(({ kind }) => kind === 'entry'));
    const at = shown.findIndex(({ entry }) => entry.key === this.active);
    const line = shown[at];
    const page = Math.max(1, Math.floor(this.list.clientHeight / (line?.height ?? 48)) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -shown.length, End: shown.length };
    const step = steps[/** @type {keyof steps} */ (event.key)];
    if (!line) return;
    if (step !== undefined && event.altKey) this.move(line.entry.key, line.index + (step > 0 ? step + 1 : step));
    else if (step !== undefined) {
      this.active = shown[Math.max(0, Math.min(shown.length - 1, at + step))].entry.key;
      this.bringIn(this.active);
    } else if (event.key === 'Enter') this.play(line.entry.key);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.remove(line.entry.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Dragging: by the grip with anything, by the whole row with a mouse; a finger pulls a row to the left.

  /** @param {PointerEvent} event */
  pressed(event) {
    const key = this.keyOf(event);
    const target = /** @type {Element} */ (event.target);
    if (!key || event.button || target.closest('button')) return;
    const line = this.lines.find((one) => one.kind === 'entry' && one.entry.key === key);
    if (!line) return;
    const isGrip = target.closest('.grip') !== null;
    if (event.pointerType === 'touch' && !isGrip) return this.swipe(event, key);
    event.preventDefault();
    this.list.focus({ preventScroll: true });
    this.active = key;
    this.draw();
    const began = event.clientY;
    const heightAt = (/** @type {number} */ y) => y - this.content.getBoundingClientRect().top;
    const grip = heightAt(began) - line.top;
    let y = began;
    let frame = 0;
    const follow = () => {
      const { top, bottom } = this.list.getBoundingClientRect();
      const over = Math.min(0, y - top - 32) + Math.max(0, y - bottom + 32);
      if (over) this.list.scrollTop += Math.max(-16, Math.min(16, over / 2));
      const place = heightAt(y);
      const to = landing(this.lines, place);
      this.drag = { key, index: to.index, y: place - grip, grip };
      this.line.hidden = false;
      this.line.style.transform = `translateY(${to.y - 1}px)`;
      this.render();
      frame = requestAnimationFrame(follow);
    };
    this.track(event, (moved) => {
      y = moved.clientY;
      if (!frame && Math.abs(y - began) > 5) frame = requestAnimationFrame(follow);
    }, (isDropped) => {
      cancelAnimationFrame(frame);
      const { drag } = this;
      this.drag = null;
      this.line.hidden = true;
      if (isDropped && drag) this.move(key, drag.index);
      this.draw();
    });
  }

  /** @param {PointerEvent} event @param {number} key */
  swipe(event, key) {
    const [x, y] = [event.clientX, event.clientY];
    this.wasSwiped = false;
    this.track(event, (moved) => {
      const [across, down] = [moved.clientX - x, Math.abs(moved.clientY - y)];
      if (Math.abs(across) < 30 || down > Math.abs(across)) return;
      this.wasSwiped = true;
      this.pulled = across < 0 ? key : null;
      this.draw();
    }, () => {});
  }

  /**
   * Follows a pointer until it is let go, or taken by the browser, or Escape is pressed.
   * @param {PointerEvent} event @param {(event: PointerEvent) => void} moved
   * @param {(isDropped: boolean) => void} ended
   */
  track(event, moved, ended) {
    const controller = new AbortController();
    const { signal } = controller;
    const end = (/** @type {boolean} */ isDropped) => {
      controller.abort();
      ended(isDropped);
    };
    const isSame = (/** @type {PointerEvent} */ other) => other.pointerId === event.pointerId;
    addEventListener('pointermove', (other) => isSame(other) && moved(other), { signal });
    addEventListener('pointerup', (other) => isSame(other) && end(true), { signal });
    addEventListener('pointercancel', (other) => isSame(other) && end(false), { signal });
    addEventListener('keydown', (pressed) => {
      if (pressed.key !== 'Escape') return;
      pressed.stopPropagation();
      end(false);
    }, { signal, capture: true });
  }
}
