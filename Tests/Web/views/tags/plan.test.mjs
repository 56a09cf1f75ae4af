/** What is said of files that are written. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../browser.mjs';
import { fileName, planWords, proofWords, soundNumber } from '/views/tags/plan.js';

const plan = (changes) => ({
  id: 1, state: 'ready', error: null, done: 0, total: 6, files: 6, changing: 6, refused: 0, unwritten: 0, written: 0, values: 13, bytes: 38_000, change: null, rows: [], ...changes,
});
const hash = '7282ae268a9acda70123456789abcdef';
const sound = { hash, bytes: 4_200_000, frames: 1_323_000 };

describe('words of a plan', () => {
  test('each state has its own', () => {
    assert.equal(planWords(plan({ state: 'planning', done: 2 })), 'Looking at 2 of 6');
    assert.equal(planWords(plan({})), '13 values in 6 files \u00b7 38.0 KB');
    assert.equal(planWords(plan({ changing: 5, refused: 1, values: 1 })), '1 value in 5 files, 1 file not \u00b7 38.0 KB');
    assert.equal(planWords(plan({ state: 'done', written: 5, refused: 1, unwritten: 2 })),
      '5 files written, 1 file not, 2 fields only in the library');
    assert.equal(planWords(plan({ changing: 0, refused: 2 })), 'No file can be written, 2 files not');
    assert.equal(planWords(plan({ changing: 0 })), 'The files say already what counts.');
    assert.equal(planWords(plan({ state: 'writing', done: 1 })), 'Writing 1 of 6');
    assert.equal(planWords(plan({ state: 'done', written: 6 })), '6 files written');
    assert.equal(planWords(plan({ state: 'stopped', written: 1, refused: 1 })), 'Stopped: 1 file written, 1 file not');
    assert.equal(planWords(plan({ state: 'failed', error: 'a scan is running' })), 'a scan is running');
  });

  test('of what is taken back', () => {
    assert.equal(planWords(plan({ state: 'undoing', done: 3 }), true), 'Taking back 3 of 6');
    assert.equal(planWords(plan({ state: 'done', written: 1 }), true), '1 file is as before');
    assert.equal(planWords(plan({ state: 'done', written: 5, refused: 1 }), true), '5 files are as before, 1 file not');
  });
});

describe('the proof', () => {
  test('equal hashes are said with what they are of', () => {
    const file = { proof: { unchanged: true, before: sound, after: sound } };
    assert.equal(proofWords(file), 'Sound unchanged: 4.2 MB of sound, 1,323,000 frames, hash\u00a0before\u00a0=\u00a0after.');
    assert.equal(soundNumber(hash), '7282 AE26 8A9A CDA7');
    assert.equal(proofWords({ proof: null }), '');
  });

  test('other ones are never said to be equal', () => {
    const after = { ...sound, hash: 'f' + hash.slice(1) };
    const words = proofWords({ proof: { unchanged: false, before: sound, after } });
    assert.equal(words, 'The sound would be another one: 7282 AE26 8A9A CDA7 became F282 AE26 8A9A CDA7.');
  });

  test('a file is named by its last name', () => assert.equal(fileName('/music/a/b.ogg'), 'b.ogg'));
});
