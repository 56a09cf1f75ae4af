/** What the library shows for an address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOf, canMove, changesOf, emptyWords, groupOf, isShown, keyOf, requestOf, sortedBy,
} from '/views/library/model.js';

const tracks = { q: '', sort: '', view: 'tracks', folder: '' };

test('an address says what differs from all tracks, and leaves the folder', () => {
  assert.equal(addressOf(tracks, {}), '/');
  assert.equal(addressOf(tracks, { q: 'a b', sort: 'title+' }), '/?q=a+b&sort=title%2B');
  assert.equal(addressOf({ ...tracks, view: 'folders', folder: '1:a' }, {}), '/?view=folders');
  assert.equal(addressOf({ ...tracks, q: 'x', view: 'map' }, { view: 'tracks' }), '/?q=x');
  assert.equal(addressOf(tracks, { view: 'folders', folder: '1:a' }), '/?view=folders&folder=1%3Aa');
});

test('searches are told apart by each of their parts', () => {
  const others = [tracks, { ...tracks, q: 'x' }, { ...tracks, sort: 'x' }, { ...tracks, view: 'x' }, { ...tracks, folder: 'x' }];
  assert.equal(new Set(others.map(keyOf)).size, others.length);
});

test('sorting by a field again turns it round', () => {
  assert.deepEqual(['', 'title+', 'title-', 'lufs+'].map((sort) => sortedBy(sort, 'title')),
    ['title+', 'title-', 'title+', 'title+']);
});

test('tracks are asked for in an order, groups in that of the server', () => {
  assert.deepEqual(requestOf({ ...tracks, q: 'x', sort: 'lufs-' }), { path: '/tracks', parameters: { q: 'x', sort: 'lufs-' } });
  const { path, parameters } = requestOf({ ...tracks, q: 'x', sort: 'lufs-', view: 'artists' });
  assert.deepEqual([path, parameters], ['/artists', { q: 'x', sort: '' }]);
  assert.deepEqual(requestOf({ ...tracks, view: 'folders', folder: '3:a/b:c' }).parameters, { root: '3', path: 'a/b:c' });
  assert.deepEqual(requestOf({ ...tracks, view: 'lists' }).whole({ lists: [1] }), [1]);
});

test('without rows it is said why', () => {
  assert.deepEqual(emptyWords({ ...tracks, q: 'x' }, 'It fails.'), ['It fails.', '']);
  assert.equal(emptyWords({ ...tracks, q: 'x' }, undefined)[1], 'No track has “x”. ');
  assert.equal(emptyWords(tracks, undefined)[0], 'There is nothing here yet.');
  assert.equal(emptyWords({ ...tracks, view: 'lists' }, undefined)[0], 'There are no lists yet.');
});

test('a row of a group leads to its tracks, a folder to what is in it, a problem to its track', () => {
  assert.deepEqual(changesOf(groupOf('artists'), { query: 'artist:=A' }), { q: 'artist:=A', view: 'tracks' });
  assert.deepEqual(changesOf(groupOf('folders'), { root: 2, path: 'a', query: null }), { q: '', folder: '2:a' });
  assert.deepEqual(changesOf(groupOf('lists'), { name: 'A' }), { q: 'list:="A"', view: 'tracks' });
  assert.equal(changesOf(groupOf('problems'), { id: 3 }), null);
});

test('rows can be moved in a list that is shown in its own order', () => {
  const list = { id: 1, name: 'A', query: null, tracks: 3, find: 'list:="A"' };
  const search = { ...tracks, q: list.find };
  assert.deepEqual([isShown(list, search), canMove(list, search)], [true, true]);
  assert.deepEqual([isShown(list, { ...search, sort: 'title+' }), canMove(list, { ...search, sort: 'title+' })], [true, false]);
  for (const other of [{ ...search, view: 'map' }, { ...search, q: 'x' }]) assert.equal(isShown(list, other), false);
  assert.equal(canMove(null, search), false);
});
