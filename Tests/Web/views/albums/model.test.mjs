/** The orders of albums. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOrder, orderOf } from '/views/albums/model.js';

test('what the server does not know is the order of the artists', () => {
  for (const sort of ['', 'title+', 'artist-', 'album-', 'lufs', 'plays+']) {
    assert.equal(orderOf(sort), 'artist', sort);
  }
  for (const sort of [
    'artist', 'album', 'year', 'year-', 'added-', 'played-', 'plays', 'plays-', 'loudness-', 'brightness', 'brightness-',
  ]) assert.equal(orderOf(sort), sort);
});

test('what has a time or a number begins with the latest or most, and is reversed when it is pressed again', () => {
  for (const name of ['year', 'added', 'played', 'plays', 'loudness']) {
    assert.deepEqual(['artist', `${name}-`, name].map((order) => nextOrder(order, name)), [`${name}-`, name, `${name}-`]);
  }
  assert.deepEqual(['artist', 'album'].map((order) => nextOrder(order, 'album')), ['album', 'album']);
});

test('brightness begins with the darkest, so that colours go from copper to blue', () => {
  assert.deepEqual(
    ['artist', 'brightness', 'brightness-'].map((order) => nextOrder(order, 'brightness')),
    ['brightness', 'brightness-', 'brightness']);
});
