/** The preset that is being shaped. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import '../../browser.mjs';
import { dice, integers } from '../../signals.mjs';
import { centres, rooms, types } from '/data/presets.js';
import { Draft, centsOf, hasGain, hasWidth } from '/views/equalizer/draft.js';

const bright = {
  schema: 1, name: 'Bright', gain_db: -3, compensated: false, pitch_cents: 0, reverb: null, rate: 1,
  bands: [{ type: 'parametric', frequency_hz: 1000, gain_db: 6, q: 1, channels: 'all', bypassed: false }, { type: 'high-shelf', frequency_hz: 6000, gain_db: -5, channels: 'all', bypassed: false }],
};

describe('draft', () => {
  let draft, heard;
  beforeEach(() => {
    draft = new Draft();
    heard = [];
    draft.onChange = (settings) => heard.push([...settings.numbers.slice(0, 3), settings.room, settings.cents, settings.rate]);
    draft.open(bright);
    heard.length = 0;
  });
  const bands = () => draft.preset.peek().bands;

  test('begins as it is stored, and knows when it is no longer', () => {
    assert.deepEqual([draft.preset.peek(), draft.isChanged, draft.steps.peek()], [bright, false, 0]);
    draft.setGain(0, 5);
    assert.equal(draft.isChanged, true);
    draft.setGain(0, 6);
    assert.equal(draft.isChanged, false);
    assert.equal(bright.bands[0].gain_db, 6, 'what was opened is not touched');
  });

  test('what is changed is heard at once, and what is not is not', () => {
    draft.setTotalGain(-6);
    draft.setTotalGain(-6);
    assert.deepEqual(heard, [[-6, 0, 2, -1, 0, 1]]);
  });

  for (const [name, set, cases] of [
    ['a gain', (value) => (draft.setGain(0, value), bands()[0].gain_db), [[3.14159, 3.14], [-0.004, -0], [100, 24], [-1000, -96]]],
    ['a total gain', (value) => (draft.setTotalGain(value), draft.preset.peek().gain_db), [[-4.466, -4.47], [1e9, 24], [-Infinity, -96]]],
    ['a frequency', (value) => (draft.setFrequency(0, value), bands()[0].frequency_hz), [[440.06, 440.1], [55.555, 55.56], [1, 10], [1e9, 22_000]]],
    ['a width', (value) => (draft.setWidth(0, value), bands()[0].q), [[1.41421, 1.414], [0, 0.1], [1e6, 100]]],
    ['a pitch', (value) => (draft.setPitch(value), draft.preset.peek().pitch_cents), [[100.004, 100], [-3000, -2400], [2401, 2400]]],
    ['a rate', (value) => (draft.setRate(value), draft.preset.peek().rate), [[1.23456, 1.235], [0, 0.25], [9, 4]]],
  ])
    for (const [value, kept] of cases) test(`${name} of ${value} is kept as ${kept}`, () => assert.equal(set(value), kept));

  test('a gain or a width is only that of a band that has one', () => {
    draft.setType(0, 'low-pass');
    draft.setGain(0, 3);
    draft.setWidth(0, 3);
    assert.deepEqual(Object.keys(bands()[0]).filter((key) => ['gain_db', 'q'].includes(key)), []);
  });

  test('a width replaces octaves', () => {
    draft.open({ ...bright, bands: [{ type: 'band-pass', frequency_hz: 500, bandwidth_octaves: 2 }] });
    draft.setWidth(0, 4);
    assert.deepEqual(bands()[0], { type: 'band-pass', frequency_hz: 500, q: 4 });
  });

  test('another type keeps what it can have', () => {
    const has = () => ['gain_db', 'q'].filter((key) => bands()[0][key] !== undefined);
    for (const [type, , takesGain, takesWidth] of types) {
      draft.open(bright);
      draft.setType(0, type);
      assert.deepEqual([bands()[0].type, bands()[0].frequency_hz, bands()[0].channels, has()], [type, 1000, 'all', [...(takesGain ? ['gain_db'] : []), ...(takesWidth ? ['q'] : [])]], type);
      assert.deepEqual([hasGain(bands()[0]), hasWidth(bands()[0])], [takesGain, takesWidth]);
    }
    // One that had no gain begins flat.
    draft.open({ ...bright, bands: [{ type: 'low-pass', frequency_hz: 500 }] });
    draft.setType(0, 'parametric');
    assert.equal(bands()[0].gain_db, 0);
  });

  test('a new band stands in the order of frequencies, and is selected', () => {
    for (const [hertz, place] of [[3000.04, 1], [20, 0], [21_000, 4]]) {
      draft.add(hertz, 2.26);
      assert.deepEqual([draft.selected.peek(), bands()[place].frequency_hz, bands()[place].gain_db], [place, Math.round(hertz * 10) / 10, 2.3]);
    }
    assert.deepEqual(bands().map(({ frequency_hz }) => frequency_hz), [20, 1000, 3000, 6000, 21_000]);
  });

  test('a band that is removed leaves the next one selected, or the last', () => {
    draft.remove(1);
    assert.deepEqual([bands().length, draft.selected.peek()], [1, 0]);
    draft.remove(0);
    assert.deepEqual([bands().length, draft.selected.peek()], [0, 0]);
    draft.remove(0);
    assert.equal(draft.steps.peek(), 2, 'nothing to remove is no step');
  });

  test('to open a preset with fewer bands selects one that is there', () => {
    draft.selected.value = 1;
    draft.open({ ...bright, bands: [] });
    assert.equal(draft.selected.peek(), 0);
  });

  test('steps are taken back one after the other, movements as a whole', () => {
    for (const gain of [1, 2, 3]) draft.setGain(0, gain);
    draft.settle();
    for (const gain of [4, 5]) draft.setGain(0, gain);
    draft.setFrequency(0, 2000);
    draft.setBypassed(1, true);
    assert.equal(draft.steps.peek(), 4);
    const seen = [];
    while (draft.steps.peek()) {
      draft.undo();
      seen.push([bands()[0].gain_db, bands()[0].frequency_hz, bands()[1].bypassed]);
    }
    assert.deepEqual(seen, [[5, 2000, false], [5, 1000, false], [3, 1000, false], [6, 1000, false]]);
    draft.undo();
    assert.equal(draft.isChanged, false);
  });

  test('after a step back the next movement is a step of its own', () => {
    draft.setGain(0, 1);
    draft.undo();
    draft.setGain(0, 2);
    draft.undo();
    assert.equal(bands()[0].gain_db, 6);
  });

  test('reset leaves the name, and can be taken back', () => {
    draft.reset();
    assert.deepEqual([draft.preset.peek().name, bands(), draft.isNeutral], ['Bright', [], true]);
    draft.undo();
    assert.deepEqual(draft.preset.peek(), bright);
  });

  test('A and B are two versions, of which one is heard', () => {
    draft.setTotalGain(-10);
    draft.swap();
    assert.deepEqual([draft.side.peek(), draft.preset.peek().gain_db], ['B', -3]);
    draft.setTotalGain(-20);
    draft.swap();
    assert.deepEqual([draft.side.peek(), draft.preset.peek().gain_db], ['A', -10]);
    draft.swap();
    assert.equal(draft.preset.peek().gain_db, -20);
  });

  test('bypassed is heard as nothing, and changes nothing', () => {
    draft.bypass();
    draft.setTotalGain(-9);
    draft.bypass();
    assert.deepEqual(heard.map(([gain, , count]) => [gain, count]), [[0, 0], [0, 0], [-9, 2]]);
  });

  test('a slider makes its band when it first moves, and moves that one from then on', () => {
    assert.deepEqual(centres.map((_, slider) => draft.sliderGain(slider)), [0, 0, 0, 0, 0, 6, 0, 0, 0, 0]);
    draft.setSlider(3, 2.04);
    draft.setSlider(3, -20);
    assert.deepEqual([bands().map(({ frequency_hz }) => frequency_hz), draft.sliderGain(3), draft.selected.peek()], [[250, 1000, 6000], -12, 0]);
    draft.setSlider(5, 13);
    assert.deepEqual([bands().length, draft.sliderGain(5), draft.selected.peek()], [3, 12, 1]);
  });

  test('the sliders may move in any order: bands stand in the order of frequencies', () => {
    const roll = integers(dice(8));
    draft.open({ ...bright, bands: [] });
    for (let i = 0; i < 60; i += 1) draft.setSlider(roll(0, 9), roll(-120, 120) / 10);
    assert.deepEqual(bands().map(({ frequency_hz }) => frequency_hz), centres);
  });

  test('a room has a whole percentage, and none is none', () => {
    draft.setReverberation(rooms[3], 33.4);
    assert.deepEqual(draft.preset.peek().reverb, { room: 'medium-hall', mix_percent: 33 });
    draft.setReverberation(rooms[3], 130);
    assert.deepEqual(draft.preset.peek().reverb.mix_percent, 100);
    draft.setReverberation(null, 50);
    assert.equal(draft.preset.peek().reverb, null);
  });

  describe('a rate that keeps the pitch', () => {
    beforeEach(() => draft.setKeepsPitch(true));
    const pitch = () => [draft.preset.peek().pitch_cents, Math.round(100 * draft.shownPitch(draft.preset.peek())) / 100];

    test('is made up for: half an octave down for an octave up', () => {
      draft.setRate(2);
      assert.deepEqual(pitch(), [-1200, 0]);
      draft.setRate(0.5);
      assert.deepEqual(pitch(), [1200, 0]);
      draft.setPitch(100);
      assert.deepEqual(pitch(), [1300, 100]);
      draft.setRate(1.5);
      assert.deepEqual(pitch(), [-601.96, 100]);
    });

    test('is shown as heard when it is turned on and off', () => {
      draft.setKeepsPitch(false);
      draft.setRate(1.5);
      draft.setPitch(100);
      assert.deepEqual(pitch(), [100, 100]);
      draft.setKeepsPitch(true);
      assert.deepEqual(pitch(), [-601.96, 100]);
      draft.setKeepsPitch(false);
      assert.deepEqual(pitch(), [100, 100]);
    });

    test('is known again when the preset is opened', () => {
      for (const [rate, pitch_cents, keeps] of [[1.5, -701.96, true], [2, -1200, true], [2, 0, false], [1, 0, false], [2, -1198, false]]) {
        draft.open({ ...bright, rate, pitch_cents });
        assert.equal(draft.keepsPitch.peek(), keeps, `${rate} ${pitch_cents}`);
      }
    });

    test('stays within what a pitch may be', () => {
      draft.setPitch(2400);
      draft.setRate(0.25);
      assert.equal(draft.preset.peek().pitch_cents, 2400);
    });
  });

  test('a rate is as many cents as an octave has by two', () => {
    assert.deepEqual([1, 2, 0.5, 4].map(centsOf), [0, 1200, -1200, 2400]);
    assert.ok(Math.abs(centsOf(1.5) - 701.955) < 0.001);
  });
});
