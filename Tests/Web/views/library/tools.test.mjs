/** What can be done with the rows of the library. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visit } from '../../browser.mjs';
import { sortChoice } from '/views/library/tools.js';

describe('the choice of the order', () => {
  /** The field and the button, and what was chosen. */
  function make() {
    const chosen = [];
    const element = sortChoice((sort) => chosen.push(sort));
    return { field: element.querySelector('select'), falling: element.querySelector('button'), chosen };
  }

  test('shows that of the address', () => {
    const { field, falling } = make();
    for (const [address, value, pressed, disabled] of [['/?sort=title%2B', 'title', 'false', false], ['/?sort=lufs-', 'lufs', 'true', false], ['/', '', 'false', true]]) {
      visit(address);
      assert.deepEqual([field.value, falling.getAttribute('aria-pressed'), falling.disabled], [value, pressed, disabled], address);
    }
  });

  test('a field sorts upwards, and none is the order of the library', () => {
    const { field, chosen } = make();
    for (const value of ['duration', '']) {
      field.value = value;
      field.emit('change');
    }
    assert.deepEqual(chosen, ['duration+', '']);
  });

  test('the button reverses', () => {
    const { falling, chosen } = make();
    visit('/?sort=lufs%2B');
    falling.emit('click');
    visit('/?sort=lufs-');
    falling.emit('click');
    assert.deepEqual(chosen, ['lufs-', 'lufs+']);
  });
});
