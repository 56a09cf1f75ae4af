/** Tracks as rows and as documents, and their parts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecName, keyText, partAt, partsOf, rowOf, rowOfPart, titleOf, troubleOf } from '/data/tracks.js';

const parts = partsOf({ parts: [{ number: 1, start_frame: 0, end_frame: 100, title: 'One', artist: null }, { number: 2, start_frame: 100, end_frame: 250, title: null, artist: 'B' }] });

test('parts have names, or numbers', () => {
  assert.deepEqual(parts, [{ number: 1, start: 0, end: 100, title: 'One', artist: null }, { number: 2, start: 100, end: 250, title: 'Part 2', artist: 'B' }]);
  for (const detail of [null, undefined, {}, { parts: [] }]) assert.deepEqual(partsOf(detail), []);
});

test('a frame lies in the part that begins with it, not in the one that ends there', () => {
  assert.deepEqual([-1, 0, 99, 100, 249, 250, NaN].map((frame) => partAt(parts, frame)?.number ?? null), [null, 1, 1, 2, 2, null, null]);
});

test('a row of a part has its title, and its artist if it has one', () => {
  const row = { id: 7, title: 'All', artist: 'A' };
  assert.deepEqual(rowOfPart(row, parts[0]), { id: 7, title: 'One', artist: 'A', part: parts[0] });
  assert.deepEqual(rowOfPart(row, parts[1]).artist, 'B');
});

test('a codec of four letters and fewer is an abbreviation', () => {
  assert.deepEqual(['flac', 'mp3', 'vorbis', 'alac', 'x'].map(codecName), ['FLAC', 'MP3', 'Vorbis', 'ALAC', 'X']);
});

test('a document gives a row with the first of its tags and files', () => {
  const detail = {
    id: 7, state: 'ok', tags: { TITLE: ['One', 'Two'], ARTIST: [] }, files: [{ id: 3, path: 'a/b.flac' }, { id: 4 }],
    format: { duration_seconds: 2.5, sample_rate_hz: 48_000 },
  };
  assert.deepEqual(rowOf(detail), {
    id: 7, file: 3, title: 'One', artist: null, album: null, filename: 'b.flac', duration: 2.5, rate: 48_000, state: 'ok',
  });
  assert.deepEqual(titleOf(rowOf({ id: 8 })), 'Track 8');
});

test('a row is called by its title, else by its file', () => {
  assert.equal(titleOf({ title: 'Song', filename: 'a.flac', id: 3 }), 'Song');
  assert.equal(titleOf({ title: '', filename: 'a.flac', id: 3 }), 'a.flac');
  assert.equal(titleOf({ title: null, filename: null, id: 3 }), 'Track 3');
  assert.equal(titleOf({ title: '\u202eevil<b>', id: 3 }), '\u202eevil<b>');
});

test('only some states keep a track from being heard', () => {
  for (const state of ['ok', 'damaged', null, undefined, 'some-new-state']) assert.equal(troubleOf({ state }), null);
  for (const state of ['unsupported', 'unreadable', 'empty', 'crashed', 'timeout', 'oversize', 'pending']) {
    assert.ok(troubleOf({ state }));
  }
});

test('a key has its number on the wheel of fifths, if both are known', () => {
  const rows = [{ key: 'Am', camelot: '8A' }, { key: 'Am', camelot: null }, { key: null, camelot: null }];
  assert.deepEqual(rows.map(keyText), ['Am 8A', 'Am', '']);
});
