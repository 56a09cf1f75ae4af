/** Folders of the computer that become folders of the library. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, server } from '../browser.mjs';
import { act, actionOf, foldersIn, splitPath, stateWords } from '/data/computer-folders.js';

test('what is typed names a folder and the start of a name in it', () => {
  for (const [text, wanted] of [
    ['/', { path: '/', start: '' }], ['/mu', { path: '/', start: 'mu' }], ['/home/ana/', { path: '/home/ana', start: '' }],
    ['/home/ana/Mu sic', { path: '/home/ana', start: 'Mu sic' }], ['', null], ['Music', null], ['~/Music', null],
  ]) assert.deepEqual(splitPath(text), wanted, text);
});

test('what can be done about a folder depends on where the library is', () => {
  const actions = [null, 'contains', 'inside', 'excluded', 'root', 'below-excluded'].map((state) => [state, actionOf(state)?.[0] ?? null, stateWords(state)]);
  assert.deepEqual(actions, [
    [null, 'add', ''], ['contains', 'add', 'Has a folder of the library in it'], ['inside', 'exclude', 'In the library'],
    ['excluded', 'include', 'Left out'], ['root', null, 'In the library'], ['below-excluded', null, 'Left out'],
  ]);
});

test('a folder whose name is not UTF-8 is named by its bytes', async () => {
  const sent = [];
  server.answer = ({ pathname, search }, { method, body } = {}) => {
    const url = pathname + search;
    sent.push(method ? [method, url, JSON.parse(body)] : url);
    return json({ folders: [] });
  };
  const odd = { path: '/m/\ufffd', path_bytes: 'L20v/w==', name: '\ufffd', state: null };
  await foldersIn(null);
  await foldersIn({ path: '/m/a b' }, 'c');
  await foldersIn(odd);
  await act(odd, 'add');
  await act({ path: '/m' }, 'add', true);
  await act({ path: '/m/x' }, 'exclude');
  await act({ path: '/m/x' }, 'include');
  assert.deepEqual(sent, [
    '/api/v1/browse', '/api/v1/browse?path=%2Fm%2Fa+b&start=c', '/api/v1/browse?path=%2Fm%2F%EF%BF%BD&path_bytes=L20v%2Fw%3D%3D',
    ['POST', '/api/v1/roots', { path: '/m/\ufffd', path_bytes: 'L20v/w==', take_over: false }], ['POST', '/api/v1/roots', { path: '/m', take_over: true }],
    ['PUT', '/api/v1/exclusions', { path: '/m/x', excluded: true }], ['PUT', '/api/v1/exclusions', { path: '/m/x', excluded: false }],
  ]);
});
