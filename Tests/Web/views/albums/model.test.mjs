/** The orders of albums. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOrder, orderOf } from '/views/albums/model.js';

test('what the server does not know is the order of the artists', () => {
  for (const sort of ['', 'title+', 'artist-', 'album-', 'lufs']) assert.equal(orderOf(sort), 'artist', sort);
  for (const sort of ['artist', 'album', 'year', 'year-', 'added-']) assert.equal(orderOf(sort), sort);
});

test('years and additions begin with the latest, and are reversed when they are pressed again', () => {
  assert.deepEqual(['artist', 'year-', 'year'].map((order) => nextOrder(order, 'year')), ['year-', 'year', 'year-']);
  assert.deepEqual(['artist', 'album'].map((order) => nextOrder(order, 'album')), ['album', 'album']);
});
