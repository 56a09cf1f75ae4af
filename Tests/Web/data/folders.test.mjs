/** The addresses of folders. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { addressOfFolder } from '/data/folders.js';

test('a folder is shown beside its neighbours, below the root that is nearest', () => {
  const roots = [{ root: 1, name: '/music' }, { root: 2, name: '/music/live/' }];
  assert.equal(addressOfFolder(roots, '/music/A/B & C/'), '/?view=folders&folder=1%3AA&item=1%3AA%2FB+%26+C');
  assert.equal(addressOfFolder(roots, '/music/A/'), '/?view=folders&folder=1%3A&item=1%3AA');
  assert.equal(addressOfFolder(roots, '/music/'), '/?view=folders&item=1%3A');
  assert.equal(addressOfFolder(roots, '/music/live/C/'), '/?view=folders&folder=2%3A&item=2%3AC');
  assert.equal(addressOfFolder(roots, '/musical/'), null);
});
