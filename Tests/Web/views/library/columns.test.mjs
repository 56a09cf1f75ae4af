/** The columns of a table of tracks. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../browser.mjs';
import { choices, columnsFor, sortable } from '/views/library/columns.js';

const keys = (columns) => columns.map(({ key }) => key);

/** A row as the server gives it. */
const row = {
  id: 7, state: 'ok', title: 'Song', artist: 'Björk', album: 'Post', genre: 'pop', year: 1995, duration: 239.6, lufs: -9.04, lra: 6.2, truepeak: 1.25, bpm: 83.04, key: 'Am', camelot: '8A',
  codec: 'flac', rate: 44_100, channels: 2, added: '2026-11-23T12:00:00Z', filename: 'song.flac', preset: null,
};
const none = Object.fromEntries(Object.keys(row).map((key) => [key, null]));

/** What a column shows of a row. */
function shown(key, of = row) {
  const column = columnsFor([...choices.map(({ key }) => key)], 2000).find((one) => one.key === key);
  const cell = column.make ? column.make() : document.createElement('span');
  column.fill(cell, of, 11, { over: false });
  return cell;
}

describe('columns', () => {
  test('a wide table has what was chosen, in the order of all columns', () => {
    assert.deepEqual(keys(columnsFor(['lufs', 'artist', 'filename', 'duration'], 1100)), ['index', 'title', 'artist', 'duration', 'lufs', 'filename']);
  });

  test('whatever is chosen, the number and the title are there, and nothing that does not exist', () => {
    assert.deepEqual(keys(columnsFor([], 2000)), ['index', 'title']);
    assert.deepEqual(keys(columnsFor(['nothing', 'constructor', '__proto__', 'title', 'title'], 2000)), ['index', 'title']);
  });

  test('a narrow table leaves out what is wide', () => {
    const chosen = ['artist', 'lra', 'truepeak', 'codec', 'added', 'filename', 'preset', 'lufs'];
    assert.deepEqual(keys(columnsFor(chosen, 1099)), ['index', 'title', 'artist', 'lufs']);
    assert.deepEqual(keys(columnsFor(chosen, 1100)).length, 10);
  });

  test('a phone has always the same', () => {
    for (const chosen of [[], ['bpm']]) assert.deepEqual(keys(columnsFor(chosen, 799)), ['title', 'artist', 'sound', 'duration', 'lufs']);
    assert.equal(columnsFor([], 390).find(({ key }) => key === 'sound').width, '96px');
    assert.equal(columnsFor(['sound'], 1200).find(({ key }) => key === 'sound').width, '216px');
  });

  test('no two have the same key, and each that can be chosen has a word', () => {
    assert.equal(new Set(keys(choices)).size, choices.length);
    assert.ok(choices.every(({ label }) => label));
    assert.deepEqual(keys(sortable).filter((key) => ['sound', 'preset', 'index'].includes(key)), []);
  });

  for (const [key, text] of Object.entries({
    index: '12', title: 'Song', artist: 'Björk', album: 'Post', year: '1995', duration: '4:00', lufs: '\u22129.0', lra: '6.2', truepeak: '+1.3', bpm: '83.0', key: 'Am 8A', rate: '44.1 kHz',
    channels: 'stereo', added: '23 Nov 2026', filename: 'song.flac', preset: '',
  }))
    test(`${key} shows ${JSON.stringify(text)}`, () => assert.equal(shown(key).textContent, text));

  test('what is not known shows nothing', () => {
    for (const key of keys(choices).filter((key) => key !== 'sound')) assert.equal(shown(key, none).textContent, '', key);
    assert.equal(shown('title', { ...none, id: 7 }).textContent, 'Track 7');
  });

  test('a title leads to its page, and stays a text', () => {
    const link = shown('title', { ...row, title: '<img src=x>' });
    assert.deepEqual([link.getAttribute('href'), link.textContent], ['/track/7', '<img src=x>']);
  });

  test('a true peak above full scale by a decibel stands out', () => {
    assert.deepEqual([1, 0.99, null].map((truepeak) => shown('truepeak', { ...row, truepeak }).classList.contains('strong')), [true, false, false]);
  });

  test('what keeps a file from being heard stands in the place of the artist', () => {
    const cell = shown('artist', { ...row, state: 'missing' });
    assert.deepEqual([cell.textContent, cell.classList.contains('trouble')], ['Missing', true]);
  });
});

test('on a screen that is no phone but small, names have more room than their sound', () => {
  const width = (screen) => columnsFor(['sound', 'artist'], screen).find(({ key }) => key === 'sound').width;
  assert.deepEqual([1099, 1100].map(width), ['112px', '216px']);
});
