/** The numbers of the selected band. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import '../../browser.mjs';
import { flat } from '/data/presets.js';
import { BandFacts } from '/views/equalizer/band.js';
import { Draft } from '/views/equalizer/draft.js';

const peak = (frequency_hz) => ({ type: 'parametric', frequency_hz, gain_db: 3, q: Math.SQRT2, channels: 'all', bypassed: false });

describe('the facts of a band', () => {
  let draft, facts;
  beforeEach(() => {
    draft = new Draft();
    draft.open({ ...flat('x'), bands: [peak(100), { type: 'low-pass', frequency_hz: 500 }, peak(2000)] });
    facts = new BandFacts(draft);
  });
  const field = (name) => facts.body.querySelector(`[aria-label="${name}"]`);
  const typed = (name, text) => {
    Object.assign(field(name), { value: text, valueAsNumber: text.trim() === '' ? NaN : Number(text) });
    field(name).emit('change');
  };
  const step = (name) => facts.steps.querySelector(`[aria-label="${name}"]`).emit('click');

  test('are those that its type has', () => {
    const names = () => facts.body.children.map((row) => row.children[0].textContent);
    assert.deepEqual(names(), ['Type', 'Frequency, Hz', 'Gain, dB', 'Q', 'On']);
    assert.deepEqual([field('Q').value, facts.name.textContent, facts.place.textContent], ['1.41', 'Band 1', ' 1 of 3 ']);
    draft.selected.value = 1;
    assert.deepEqual(names(), ['Type', 'Frequency, Hz', 'On']);
  });

  test('are changed by typing a number, and by nothing else', () => {
    typed('Gain, dB', '-2.5');
    typed('Frequency, Hz', '123.4');
    assert.deepEqual([draft.preset.peek().bands[0].gain_db, draft.preset.peek().bands[0].frequency_hz], [-2.5, 123.4]);
    for (const text of ['', 'loud', 'Infinity', '1e999', 'NaN']) typed('Gain, dB', text);
    assert.equal(draft.preset.peek().bands[0].gain_db, -2.5);
  });

  test('step from band to band, around both ends', () => {
    const seen = ['Next band', 'Next band', 'Next band', 'Previous band'].map((name) => (step(name), draft.selected.peek()));
    assert.deepEqual(seen, [1, 2, 0, 2]);
  });

  test('of no band are none', () => {
    for (let i = 0; i < 3; i += 1) facts.removal.emit('click');
    assert.deepEqual([facts.name.textContent, facts.body.children.length, facts.removal.getAttribute('hidden'), facts.steps.getAttribute('hidden')], ['No bands', 0, '', '']);
    step('Next band');
    assert.equal(draft.selected.peek(), 0);
  });

  test('a type is chosen, and a band is turned off', () => {
    field('Type').value = 'band-stop';
    field('Type').emit('change');
    Object.assign(field('On'), { checked: false });
    field('On').emit('change');
    assert.deepEqual(draft.preset.peek().bands[0], { type: 'band-stop', frequency_hz: 100, channels: 'all', bypassed: true, q: Math.SQRT2 });
  });
});
