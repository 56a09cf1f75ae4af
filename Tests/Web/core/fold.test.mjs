/** Text for comparison, as the program folds it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { fold } from '/core/fold.js';

const vectors = JSON.parse(readFileSync(new URL('../../../fixtures/folding.json', import.meta.url), 'utf8'));

describe('folding', () => {
  test('there are vectors', () => assert.ok(vectors.length > 40));
  for (const [text, folded] of vectors) test(text, () => assert.equal(fold(text), folded));
});
