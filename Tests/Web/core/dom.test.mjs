/** Signals, effects and keyed lists. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { attribute, h, keyed, perFrame, setText } from '/core/dom.js';
import { effect, signal } from '/core/signals.js';

describe('signals', () => {
  test('an effect runs at once, and again when what it read has changed', () => {
    const [a, b, unread] = [signal(1), signal(2), signal(3)];
    const seen = [];
    effect(() => seen.push(a.value + b.value + unread.peek()));
    a.value = 10;
    b.value = 20;
    unread.value = 30;
    assert.deepEqual(seen, [6, 15, 33]);
  });

  test('the same value changes nothing, and NaN is the same as NaN', () => {
    const a = signal(NaN);
    let count = 0;
    effect(() => (a.value, (count += 1)));
    a.value = NaN;
    assert.equal(count, 1);
    a.value = 0;
    a.value = -0;
    assert.equal(count, 3);
  });

  test('an effect hears only of what it read the last time', () => {
    const [which, a, b] = [signal(true), signal('a'), signal('b')];
    const seen = [];
    effect(() => seen.push(which.value ? a.value : b.value));
    which.value = false;
    a.value = 'A';
    b.value = 'B';
    assert.deepEqual(seen, ['a', 'b', 'B']);
  });

  test('an effect that has ended hears nothing', () => {
    const a = signal(1);
    let count = 0;
    const end = effect(() => (a.value, (count += 1)));
    end();
    a.value = 2;
    assert.deepEqual([count, a.readers.size], [1, 0]);
  });

  test('an effect within another one reads for itself', () => {
    const [before, after, inner] = [signal(0), signal(0), signal(0)];
    let [outerCount, innerCount] = [0, 0];
    effect(() => {
      before.value;
      outerCount += 1;
      if (outerCount === 1) effect(() => (inner.value, (innerCount += 1)));
      after.value;
    });
    inner.value = 1;
    assert.deepEqual([outerCount, innerCount], [1, 2]);
    for (const read of [before, after]) read.value = 1;
    assert.deepEqual([outerCount, innerCount], [3, 2]);
  });

  test('an effect that fails leaves others able to read', () => {
    const a = signal(0);
    assert.throws(() => effect(() => { a.value; throw new Error('no'); }), /no/);
    const seen = [];
    effect(() => seen.push(a.peek()));
    // It does not read what comes next.
    const next = signal(1);
    assert.deepEqual([seen, next.value, next.readers.size], [[0], 1, 0]);
  });
});

describe('elements', () => {
  test('are made of properties, attributes, listeners and children', () => {
    let pressed = 0;
    const made = h('button', { type: 'button', class: 'word', 'aria-label': 'x', role: null, title: 'T', onclick: () => (pressed += 1) }, 'a', null, [h('i', {}, 'b'), false], undefined, 0);
    made.emit('click');
    assert.deepEqual(
      [made.tagName, made.type, made.getAttribute('class'), made.getAttribute('aria-label'), made.getAttribute('role'), made.title, made.textContent, pressed],
      ['BUTTON', 'button', 'word', 'x', null, 'T', 'ab0', 1]);
  });

  test('an attribute is set, or removed for null and false', () => {
    const one = h('i');
    for (const [value, wanted] of [['a', 'a'], [0, '0'], [true, ''], [false, null], ['', ''], [undefined, null]]) {
      attribute(one, 'hidden', value);
      assert.equal(one.getAttribute('hidden'), wanted);
    }
  });

  test('a text is set only if it is another one', () => {
    let count = 0;
    const one = { get textContent() { return 'a'; }, set textContent(_) { count += 1; } };
    setText(one, 'a');
    setText(one, 'b');
    assert.equal(count, 1);
  });

  test('children keep their elements by their keys', () => {
    const parent = h('ul');
    const show = (...names) => (keyed(parent, names, (name) => name, (name) => h('li', {}, name)), [...parent.children]);
    const [a, b, c] = show('a', 'b', 'c');
    assert.deepEqual(show('c', 'd', 'a').map((one) => [a, b, c].indexOf(one)), [2, -1, 0]);
    // What was taken away is made again.
    assert.notEqual(show('b')[0], b);
    assert.deepEqual(show(), []);
  });

  test('what is drawn is drawn once a frame', async () => {
    let count = 0;
    const draw = perFrame(() => (count += 1));
    for (let i = 0; i < 5; i += 1) draw();
    assert.equal(count, 0);
    await new Promise(requestAnimationFrame);
    assert.equal(count, 1);
    draw();
    await new Promise(requestAnimationFrame);
    assert.equal(count, 2);
  });
});
