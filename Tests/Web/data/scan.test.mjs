/** A scan in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { scanWords } from '/data/scan.js';

test('while folders are walked files are counted, and there is no share yet', () => {
  assert.deepEqual(scanWords({ running: true, found: 1, new: null, done: null, total: null, reading: null }),
    { share: null, count: '1 file found', pace: '', parts: '', reading: '' });
});

test('while files are read it says how many, how fast, and which', () => {
  const progress = {
    running: true, found: 110, new: 107, done: 64, total: 107, audio_seconds: 20_160, elapsed_seconds: 32.57, remaining_seconds: 20.4,
    reading: '/home/ada/Music/Suspense.flac',
  };
  assert.deepEqual(scanWords(progress), {
    share: 64 / 107, count: '64 of 107 files', pace: '619 × real time · 20 s left', parts: '107 new · 5 h 36 min heard', reading: 'Suspense.flac',
  });
});

test('a scan of another program is told without what is not known of it', () => {
  assert.deepEqual(scanWords({ running: true, mine: false, found: null }), { share: null, count: '0 files found', pace: '', parts: '', reading: '' });
});
