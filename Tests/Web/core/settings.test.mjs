/** What the browser remembers. */

import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { media, stored } from '../browser.mjs';

let turn = 0;
/** The settings of a page that finds these in its browser. */
async function settingsWith(kept = {}) {
  stored.clear();
  for (const [name, text] of Object.entries(kept)) stored.set(`deadwax.${name}`, text);
  return import(`/core/settings.js?${(turn += 1)}`);
}

describe('settings', () => {
  const { getItem, setItem } = localStorage;
  afterEach(() => {
    Object.assign(localStorage, { getItem, setItem });
    for (const query of media.queries.values()) query.matches = false;
    delete document.documentElement.dataset.theme;
  });

  test('a new browser has the first choices', async () => {
    const { settings } = await settingsWith();
    assert.deepEqual([settings.volume.peek(), settings.replayGain.peek(), settings.repeat.peek(), settings.shuffle.peek(), settings.theme.peek()], [0.8, 'track', 'off', false, 'system']);
  });

  test('a choice is kept, and the next page has it', async () => {
    const first = await settingsWith();
    first.settings.volume.value = 0.25;
    first.settings.columns.value = ['title', 'bpm'];
    const second = await import(`/core/settings.js?${(turn += 1)}`);
    assert.deepEqual([second.settings.volume.peek(), second.settings.columns.peek()], [0.25, ['title', 'bpm']]);
  });

  test('what is not allowed or cannot be read is the first choice', async () => {
    for (const text of ['', '{', '"loud"', '"0.5"', '2', '-0.1', 'null', '1e999', '[]', 'NaN', '{}', 'true']) {
      const { settings } = await settingsWith({ volume: text, replayGain: text, shuffle: text === 'true' ? '1' : text, theme: text, columns: text === '[]' ? '{}' : text });
      assert.deepEqual(
        [settings.volume.peek(), settings.replayGain.peek(), settings.shuffle.peek(), settings.theme.peek(), settings.columns.peek().length],
        [0.8, 'track', false, 'system', 9], text);
    }
  });

  test('the ends of the volume are allowed', async () => {
    for (const value of [0, 1]) assert.equal((await settingsWith({ volume: String(value) })).settings.volume.peek(), value);
  });

  test('columns that are no names are not shown', async () => {
    const { settings } = await settingsWith({ columns: '[1, null, {"a": 2}]' });
    assert.deepEqual([settings.columns.peek().length, settings.columns.peek()[0]], [9, 'title']);
  });

  test('without storage a choice lasts as long as the page', async () => {
    localStorage.getItem = localStorage.setItem = () => { throw new Error('denied'); };
    const { settings } = await settingsWith();
    assert.equal(settings.volume.peek(), 0.8);
    settings.volume.value = 0.1;
    assert.equal(settings.volume.peek(), 0.1);
  });

  test('the theme is that of the system until one is chosen', async () => {
    const { settings, isLight } = await settingsWith();
    const light = '(prefers-color-scheme: light)';
    assert.equal(isLight.peek(), false);
    media.set(light, true);
    assert.equal(isLight.peek(), true);
    settings.theme.value = 'dark';
    assert.deepEqual([isLight.peek(), document.documentElement.dataset.theme], [false, 'dark']);
    media.set(light, false);
    settings.theme.value = 'light';
    assert.deepEqual([isLight.peek(), document.documentElement.dataset.theme], [true, 'light']);
    settings.theme.value = 'system';
    assert.deepEqual([isLight.peek(), document.documentElement.dataset.theme], [false, undefined]);
  });

  test('less motion and a low screen are told when they change', async () => {
    const { isStill, isLow } = await settingsWith();
    media.set('(prefers-reduced-motion: reduce)', true);
    media.set('(max-height: 559.9px)', true);
    assert.deepEqual([isStill.peek(), isLow.peek()], [true, true]);
  });
});
