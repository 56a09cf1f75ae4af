/** Groups of copies in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf, letterOf, nameOf, remark, voicesOf } from '/views/similarity/copies.js';

const file = {
  id: 1, path: 'a/b.flac', title: null, reason: null, reason_code: null, identical: false, offset_seconds: 0, codec: 'flac',
  sample_rate_hz: 44_100, bits: 16, bitrate_bps: 900_000, duration_seconds: 60, is_lossless: true, loudness_lufs: -10,
};
const groupOf = (kind, ...files) =>
  ({ kind, offset_seconds: 3, common_seconds: 65, files: files.map((more) => ({ ...file, ...more })) });

test('lossless files are called by rate and bits, others by their bit rate', () => {
  assert.equal(formatOf(file), 'FLAC 44.1/16');
  assert.equal(formatOf({ ...file, bits: null }), 'FLAC 44.1');
  assert.equal(formatOf({ ...file, codec: 'vorbis', bits: null, is_lossless: false, bitrate_bps: 147_000 }), 'Vorbis 147 kbit/s');
  assert.equal(formatOf({ ...file, codec: null, bits: null, is_lossless: false, bitrate_bps: null }), '? 44.1');
});

test('a copy says in what the kept one is better', () => {
  const said = (more) => remark(groupOf('same-recording', {}, more), 1);
  assert.equal(remark(groupOf('same-recording', {}, {}), 0), 'Keep');
  assert.equal(said({}), 'as good as the kept one');
  assert.equal(said({ identical: true }), 'Same samples; as good as the kept one');
  for (const [code, words] of [
    ['undamaged', 'undamaged'], ['longer', 'longer'], ['more-channels', 'of more channels'], ['lossless', 'lossless'],
    ['more-bits', 'of more bits'], ['reaches-higher', 'wider in frequency'], ['higher-sample-rate', 'of a higher rate'],
    ['higher-bit-rate', 'of a higher bit rate'], ['not-clipped', 'not clipped'], ['more-of-the-sound', 'more of the sound'],
  ]) assert.equal(said({ reason: 'in other words', reason_code: code }), `the kept one is ${words}`);
});

test('a reason that the page does not know is said as the server has it', () => {
  assert.equal(remark(groupOf('same-recording', {}, { reason: 'rarer', reason_code: 'rarer' }), 1), 'the kept one is rarer');
});

test('of other kinds it is said where the common sound is', () => {
  assert.deepEqual([0, 1].map((place) => remark(groupOf('contained', {}, {}), place)), ['', '1:05 in common, starts at 0:03']);
  assert.equal(remark({ ...groupOf('contained', {}, {}), offset_seconds: -3 }, 1), '1:05 in common, starts at \u22120:03');
  assert.equal(remark({ ...groupOf('contained', {}, {}), common_seconds: null }, 1), '');
});

test('each recording has one voice, with the letter of its first file', () => {
  const voices = voicesOf(groupOf('same-recording', { id: 1 }, { id: 1, offset_seconds: 9 }, { id: 2, offset_seconds: 1.5 }));
  assert.deepEqual(voices.map(({ id, start, letter }) => [id, start, letter]), [[1, 0, 'A'], [2, 1.5, 'C']]);
  assert.deepEqual(voicesOf(groupOf('contained', { id: 1 }, { id: 2 })).map(({ start }) => start), [0, 3]);
});

test('a file is called by its title, else by its name', () => {
  assert.deepEqual([nameOf(file), nameOf({ ...file, title: 'Song' }), letterOf(0), letterOf(27)], ['b.flac', 'Song', 'A', 'B']);
});
