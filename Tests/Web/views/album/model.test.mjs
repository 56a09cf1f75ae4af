/** What the page of an album says about it. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../browser.mjs';
import {
  clippedOf, discsOf, editionsOf, factsOf, formatOf, genresOf, loudestPeakOf, queryOf, span, stripOf, wrongOf,
} from '/views/album/model.js';

/** A track as the server gives it. */
const track = (more) => ({
  id: 1, title: 'Gale', artist: 'Nora', edition: 1, 'album-disc': 1, track: 1, genre: 'Folk', year: 2004, duration: 100, codec: 'flac', rate: 44_100, channels: 2, bits: 16,
  bitrate: 700_000, lufs: -14, truepeak: -1, lossy_source: 'none', clipped: 0, path: '/music/Tides/gale.flac', state: 'ok', ...more,
});
const nothing = { missing_discs: [], missing_tracks: [], double_tracks: [], contradicting_discs: [], partly_numbered: false, unplayable: false, states: {} };
const words = (wrong, rows = []) => wrongOf({ ...nothing, ...wrong }, rows).map((one) => one.words);

describe('editions', () => {
  const other = (more) => track({ id: 2, edition: 2, codec: 'mp3', bits: null, path: '/music/mp3/gale.mp3', ...more });

  test('each has its rows, the first one first', () => {
    const editions = editionsOf([other(), track(), other({ id: 3, track: 2 })]);
    assert.deepEqual(editions.map(({ number, name, rows }) => [number, name, rows.length]), [[1, 'FLAC', 1], [2, 'MP3', 2]]);
  });

  test('two of one codec are told apart by their folders', () => {
    const editions = editionsOf([track(), track({ edition: 2, path: '/copies/of/Tides/gale.flac' })]);
    assert.deepEqual(editions.map(({ name }) => name), ['FLAC, music/Tides', 'FLAC, of/Tides']);
  });

  test('a file that could not be read stands in the first one, at the place of its number', () => {
    const broken = track({ id: null, edition: null, 'album-disc': null, track: 2, state: 'unreadable' });
    const [first, second] = editionsOf([broken, track(), track({ id: 5, track: 3 }), other()]);
    assert.deepEqual(first.rows.map((row) => row.track), [1, 2, 3]);
    assert.deepEqual(factsOf(first).slice(-2), ['2 tracks', '5 min']);
    assert.equal(second.rows.length, 1);
  });

  for (const [what, more, wanted] of [
    ['the same samples', { id: 1 }, 'the same sound'],
    ['a lossy source', { codec: 'alac', lossy_source: 'strong' }, '1 from lossy sources'],
    ['perhaps a lossy source', { codec: 'alac', lossy_source: 'weak' }, 'perhaps 1 from lossy sources'],
    ['another rate', { rate: 96_000, bits: 24 }, '96 kHz'], ['more bits', { bits: 24 }, '24 bits'],
    ['a louder one', { lufs: -11.5 }, '2.5 dB louder'], ['a quieter one', { lufs: -15 }, '1.0 dB quieter'],
    ['higher peaks', { truepeak: 0.4 }, 'peaks 1.4 dB higher'], ['lower peaks', { truepeak: -1.6 }, 'peaks 0.6 dB lower'],
    ['nothing that matters', { lufs: -14.1 }, ''], ['no track in common', { title: 'Other', lufs: -2 }, ''],
  ])
    test(`the difference of ${what}`, () => assert.equal(editionsOf([track(), other(more)])[1].difference, wanted));

  test('what plays is one edition in its order', () => assert.equal(queryOf(4, 2), 'album-id:4 edition:2 album-disc+ track+'));
});

test('discs have their rows, their length, and a title if one is known', () => {
  const discs = discsOf([track(), track({ duration: null }), track({ 'album-disc': 2, discsubtitle: 'Live' })]);
  assert.deepEqual(discs.map(({ title, seconds, rows }) => [title, seconds, rows.length]), [['Disc 1', 100, 2], ['Disc 2 · Live', 100, 1]]);
});

test('facts are counted over the edition', () => {
  const rows = [track(), track({ artist: 'Kite; Nora', year: 2012, 'album-disc': 2, genre: 'Jazz; Folk' }), track({ year: null, genre: null })];
  const [edition] = editionsOf(rows);
  assert.deepEqual(factsOf(edition), ['2 artists', '2004–2012', '3 tracks on 2 discs', '5 min']);
  assert.deepEqual(genresOf(rows), ['Folk', 'Jazz']);
  assert.deepEqual(factsOf(editionsOf([track({ year: null, duration: 9 })])[0]), ['1 track', '9 s']);
});

test('the format says the extremes', () => {
  assert.equal(formatOf([track(), track({ bits: 24, bitrate: 900_400 })]), 'FLAC, 16–24 bits, 44.1 kHz, stereo, 700–900 kbit/s');
  assert.equal(formatOf([track({ codec: 'vorbis', bits: null, channels: 1, bitrate: 128_000 })]), 'Vorbis, 44.1 kHz, mono, 128 kbit/s');
  assert.equal(span([null, undefined]), '');
});

test('what is wrong is said in words, the places of discs beyond the first with them', () => {
  assert.deepEqual(words({}), []);
  assert.deepEqual(words({ missing_tracks: [2, 3, 5].map((track) => ({ disc: 1, track })) }), ['Tracks 2–3, 5 missing']);
  assert.deepEqual(words({ missing_discs: [2], missing_tracks: [{ disc: 3, track: 4 }] }), ['Disc 2 missing', 'Track 3.4 missing']);
  assert.deepEqual(words({ double_tracks: [{ disc: 1, track: 7 }], contradicting_discs: [1], partly_numbered: true }),
    ['Track 7 more than once', 'Files differ about the number of tracks', 'Some tracks have no number']);
  assert.deepEqual(words({ states: { damaged: 2, unreadable: 1 } }), ['2 files are damaged', '1 file cannot be read']);
  const many = Array.from({ length: 12 }, (_, i) => ({ disc: 1, track: 2 * i + 1 }));
  assert.deepEqual(words({ missing_tracks: many }), ['Tracks 1, 3, 5, 7, 9, 11, 13, 15 and 4 more missing']);
  assert.deepEqual(words({}, [track({ lossy_source: 'strong' }), track({ lossy_source: 'weak' })]), ['1 from lossy sources, perhaps 1 more']);
});

test('clipping and peaks of an edition', () => {
  const rows = [track({ clipped: 10 }), track({ id: 2, clipped: 5, truepeak: 1.5 }), track({ clipped: null, truepeak: null })];
  assert.equal(clippedOf(rows), '15 samples in 2 tracks');
  assert.equal(clippedOf([track()]), null);
  assert.equal(loudestPeakOf(rows).id, 2);
  assert.equal(loudestPeakOf([track({ truepeak: null })]), null);
});

describe('the strip', () => {
  const rows = [track({ duration: 100 }), track({ duration: 300 }), track({ duration: null }), track({ duration: 100, 'album-disc': 2 })];

  test('tracks lie on one axis, with gaps, wider ones between discs', () => {
    const places = stripOf(rows, 515);
    assert.deepEqual(places.map(({ left, width, start, isFirst }) => [left, width, start, isFirst]), [
      [0, 100, 0, false], [103, 300, 100, false], [415, 100, 400, true],
    ]);
  });

  test('its end is that of the canvas, also with more tracks than pixels', () => {
    for (const count of [1, 7, 2000]) {
      const last = stripOf(Array.from({ length: count }, () => track({ duration: 60 })), 400).at(-1);
      assert.ok(Math.abs(last.left + last.width - 400) < 1e-6, `${count}`);
      assert.ok(last.width > 0);
    }
    assert.deepEqual(stripOf([], 400), []);
  });
});
