/** Where somebody is who begins with a library. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../browser.mjs';
import { Step, problemsOf, stepOf, wordsOf } from '/views/start/model.js';

test('first folders are asked for, then read, then played', () => {
  const roots = [{ path: '/music', files: 0 }];
  for (const [status, wanted] of [
    [{ files: 0, roots: [], scan: null }, Step.asking], [{ files: 0, roots: [], scan: { running: true } }, Step.asking],
    [{ files: 0, roots, scan: { running: true } }, Step.reading], [{ files: 9, roots, scan: { running: true } }, Step.reading],
    [{ files: 9, roots, scan: { running: false } }, Step.done], [{ files: 0, roots, scan: { running: false } }, Step.silent],
  ]) assert.equal(stepOf(status), wanted, JSON.stringify(status));
});

test('each step says where one is', () => {
  const status = { files: 107, recordings: 101, audio_seconds: 3600 * 8 };
  assert.deepEqual(Object.values(Step).map((step) => wordsOf(step, status).title),
    ['Where is your music?', 'Listening to your music', 'There is no music here', 'Your music is here']);
  assert.equal(wordsOf(Step.done, status).detail, '107 files, 101 recordings, 8 h 0 min.');
});

test('what is not as it should be is counted, whatever it is', () => {
  assert.equal(problemsOf({ states: { ok: 100, damaged: 2, missing: 1 } }), 3);
  assert.equal(problemsOf({ states: {} }), 0);
});
