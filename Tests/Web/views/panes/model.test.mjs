/** What lists of two panes have. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../browser.mjs';
import { given, meanSpectrum, problemRows, queryOfArtist, worksOf } from '/views/panes/model.js';

test('rows of an array are a result that is there at once', () => {
  const rows = given([{ name: 'a' }]);
  assert.deepEqual([rows.total, rows.at(0), rows.at(1)], [1, { name: 'a' }, null]);
});

test('an artist is asked for by albums and by tracks', () =>
  assert.equal(queryOfArtist('"A"'), '(album-artist:="A" OR artist:="A")'));

test('problems stand in sections, the worst first, and empty ones are left out', () => {
  const rows = problemRows({
    problems: [{ file: 1, path: '/m/a.ogg', state: 'missing', reason: null }, { file: 2, path: '/m/b.ogg', state: 'damaged', reason: 'the file ends early' }],
    lossy: [{ id: 3, file: 3, title: 'Gale', codec: 'flac', cutoff: 16_490, lossy_source: 'strong' }],
    clipped: [{ id: 4, file: 4, title: null, filename: 'd.mp3', codec: 'mp3', clipped: 19_655, truepeak: 0.9 }],
  });
  assert.deepEqual(rows.map((row) => [row.heading ?? false, row.title, row.second, row.figure]), [
    [true, 'Damaged', undefined, '1'], [false, 'b.ogg', 'the file ends early', undefined],
    [true, 'Missing', undefined, '1'], [false, 'a.ogg', 'Missing', undefined],
    [true, 'Lossy sources', undefined, '1'], [false, 'Gale', 'nothing above 16.49 kHz', 'strong'],
    [true, 'Clipped', undefined, '1'], [false, 'd.mp3', '19,655 samples, true peak +0.9 dBTP', undefined],
  ]);
  assert.deepEqual(problemRows({ problems: [], lossy: [], clipped: [] }), []);
});

test('recordings of a work are the tracks of one album each', () => {
  const row = (id, album, work, duration) => ({ id, 'album-id': album, work, duration });
  const works = worksOf([row(1, 7, 'Quartet', 60), row(2, 7, 'Quartet', 30), row(3, 8, 'Quartet; Cycle', 100), row(4, 9, null, 5)]);
  assert.deepEqual(works.map(({ work, longest, recordings }) => [work, longest, recordings.map(({ album, seconds }) => [album, seconds])]),
    [['Quartet', 100, [[7, 90], [8, 100]]], ['Cycle', 100, [[8, 100]]]]);
});

test('spectra count alike, however loud they are', () => {
  const bands = (levels) => levels.map((mean_db, i) => ({ low_hz: i, high_hz: i + 1, mean_db, max_db: null }));
  const [low, high] = meanSpectrum([bands([0, null]), bands([null, -60])]);
  assert.ok(Math.abs(low.mean_db - 10 * Math.log10(0.5)) < 1e-9);
  assert.equal(low.mean_db, high.mean_db);
  assert.deepEqual(meanSpectrum([]), []);
});
