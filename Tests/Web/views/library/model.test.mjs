/** What the library shows for an address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, canMove, emptyWords, isShown, keyOf, sortedBy } from '/views/library/model.js';

const tracks = { q: '', sort: '', view: 'tracks', folder: '', item: '' };

test('an address says what differs from all tracks, and leaves the folder and what is open', () => {
  assert.equal(addressOf(tracks, {}), '/');
  assert.equal(addressOf(tracks, { q: 'a b', sort: 'title+' }), '/?q=a+b&sort=title%2B');
  assert.equal(addressOf({ ...tracks, view: 'folders', folder: '1:a' }, {}), '/?view=folders');
  assert.equal(addressOf({ ...tracks, q: 'x', view: 'map' }, { view: 'tracks' }), '/?q=x');
  assert.equal(addressOf({ ...tracks, view: 'artists', item: 'A' }, { q: 'x' }), '/?q=x&view=artists');
  assert.equal(addressOf(tracks, { view: 'folders', folder: '1:a', item: '1:a/b' }), '/?view=folders&folder=1%3Aa&item=1%3Aa%2Fb');
});

test('searches are told apart by each of their parts, but for what is open in a view', () => {
  const others = [tracks, { ...tracks, q: 'x' }, { ...tracks, sort: 'x' }, { ...tracks, view: 'x' }, { ...tracks, folder: 'x' }];
  assert.equal(new Set(others.map(keyOf)).size, others.length);
});

test('sorting by a field again turns it round', () => {
  assert.deepEqual(['', 'title+', 'title-', 'lufs+'].map((sort) => sortedBy(sort, 'title')),
    ['title+', 'title-', 'title+', 'title+']);
});

test('without rows it is said why', () => {
  assert.deepEqual(emptyWords({ ...tracks, q: 'x' }, 'It fails.'), ['It fails.', '']);
  assert.equal(emptyWords({ ...tracks, q: 'x' }, undefined)[1], 'No track has “x”. ');
  assert.equal(emptyWords(tracks, undefined)[0], 'There is nothing here yet.');
});

test('rows can be moved in a list that is shown in its own order', () => {
  const list = { id: 1, name: 'A', query: null, tracks: 3, find: 'list:="A"' };
  const search = { ...tracks, q: list.find };
  assert.deepEqual([isShown(list, search), canMove(list, search)], [true, true]);
  assert.deepEqual([isShown(list, { ...search, sort: 'title+' }), canMove(list, { ...search, sort: 'title+' })], [true, false]);
  for (const other of [{ ...search, view: 'map' }, { ...search, q: 'x' }]) assert.equal(isShown(list, other), false);
  assert.equal(canMove(null, search), false);
});
