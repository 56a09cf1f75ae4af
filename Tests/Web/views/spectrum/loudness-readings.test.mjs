/** How loud it is, without the volume of the page. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoudnessReadings } from '/views/spectrum/loudness-readings.js';

test('the volume is taken away, and the most is kept until another track begins', () => {
  const readings = new LoudnessReadings();
  readings.take({ momentary: -20, shortTerm: -23, truePeaks: [-6, -7] }, 0.1);
  assert.deepEqual([readings.momentary, readings.shortTerm, readings.truePeaks], [0, -3, [14, 13]]);
  readings.take({ momentary: -40, shortTerm: -30, truePeaks: [-6, -7] }, 0.1);
  assert.deepEqual(readings.most, { momentary: 0, shortTerm: -3 });
  assert.deepEqual(readings.words().map(([, value]) => value),
    ['\u221220.0 LUFS', '0.0 LUFS', '\u22123.0 LUFS', '+14.0 dBTP', '+13.0 dBTP']);
  readings.reset();
  assert.deepEqual(readings.most, { momentary: -Infinity, shortTerm: -Infinity });
});

test('silence has no level', () => {
  const readings = new LoudnessReadings();
  for (const momentary of [null, -71]) {
    readings.take({ momentary, shortTerm: null, truePeaks: [NaN, NaN] }, 1);
    assert.ok(Number.isNaN(readings.momentary) && Number.isNaN(readings.shortTerm));
    assert.equal(readings.most.momentary, -Infinity);
  }
});
