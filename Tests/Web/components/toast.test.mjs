/** The sentence at the bottom left. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { json, server } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { forgetFailure, toast, toastFailure } from '/components/toast.js';

describe('a message', () => {
  let time;
  const [element] = document.body.children;
  const shown = () => element.classList.contains('shown') && element.textContent;

  beforeEach(() => (time = clock()));
  afterEach(() => time.end());

  test('is there for six seconds', async () => {
    toast('Something was done.');
    await time.pass(5900);
    assert.equal(shown(), 'Something was done.');
    await time.pass(200);
    assert.equal(shown(), false);
  });

  test('is followed by the next one, which has six seconds of its own', async () => {
    toast('First.');
    await time.pass(5000);
    toast('Second.');
    await time.pass(5000);
    assert.equal(shown(), 'Second.');
    await time.pass(1100);
    assert.equal(shown(), false);
  });

  test('about a failure is there until one goes elsewhere', async () => {
    toast('First.');
    toastFailure('This view cannot be loaded.');
    await time.pass(3_600_000);
    assert.equal(shown(), 'This view cannot be loaded.');
    forgetFailure();
    assert.equal(shown(), false);
  });

  test('about something else stays when one goes elsewhere', async () => {
    toastFailure('This view cannot be loaded.');
    toast('Something was done.');
    forgetFailure();
    assert.equal(shown(), 'Something was done.');
    await time.pass(6000);
    assert.equal(shown(), false);
  });

  test('offers to take back what was done, and says what that was', async () => {
    server.asked.length = 0;
    server.answer = () => json({ summary: 'the rating of “Song”' });
    toast('Rating saved.', true);
    element.querySelector('button').emit('click');
    await time.pass(100);
    assert.deepEqual([server.asked, shown()], [['/api/v1/undo'], 'Undone: the rating of “Song”']);
    server.answer = () => json({ detail: 'There is nothing to take back.' }, 409);
    toast('Rating saved.', true);
    element.querySelector('button').emit('click');
    await time.pass(100);
    assert.equal(shown(), 'There is nothing to take back.');
  });
});
