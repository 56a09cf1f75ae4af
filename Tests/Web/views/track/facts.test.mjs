/** What is known about a track, in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf } from '/views/track/facts.js';

/** The facts of a group that are known. */
const known = (detail, title) => Object.fromEntries(
  groupsOf({ id: 1, ...detail }).find((group) => group.title === title).facts.filter(([, value]) => value ?? false));

test('of a track of which nothing is known, nothing is said', () => {
  for (const { title } of groupsOf({ id: 1 })) assert.deepEqual(known({}, title), {}, title);
});

test('figures have their units and signs', () => {
  const measures = { loudness_range_lu: 6.25, true_peak_dbtp: 0.5, momentary_max_lufs: -8, clipped_samples: 1234, silence_start_seconds: 0.004, silence_end_seconds: 1.5 };
  assert.deepEqual(known({ measures }, 'Loudness'), { Range: '6.3 LU', 'Momentary max': '\u22128.0 LUFS', 'True peak': '+0.50 dBTP' });
  assert.deepEqual(known({ measures }, 'Levels'), { 'Clipped samples': '1,234', 'Silence at the end': '1.50 s' });
});

test('a file is called by its codec, rate and channels', () => {
  const format = { codec: 'vorbis', sample_rate_hz: 44_100, channels: 2, decoded_frames: 1000, bitrate_bps: 160_000 };
  assert.deepEqual(known({ format, files: [{ id: 1, size_bytes: 2_000_000 }, { id: 2 }] }, 'File'), {
    Format: 'Vorbis, 160 kbit/s', Rate: '44.1 kHz, stereo', Frames: '1,000', Size: '2.0 MB', Files: '2',
  });
});

test('tempo and key say how sure they are', () => {
  const tempo = { bpm: 119.96, source: 'tag', confidence: null };
  const key = { name: 'Am', camelot: '8A', source: 'measured', confidence: 0.21, strength: 'strong' };
  assert.deepEqual(known({ tempo, key }, 'Tempo and key'), { Tempo: '120.0 BPM, as tagged', Key: 'Am \u00b7 8A, strong (21\u00a0%)' });
});

test('tags that have a place elsewhere, or are no words, are left out', () => {
  const tags = { TITLE: ['x'], LYRICS: ['x'], ACOUSTID_FINGERPRINT: ['x'], COMPOSER: ['A', 'B'] };
  assert.deepEqual(known({ tags }, 'Tags'), { Composer: 'A; B' });
});

test('credits say who did what, and lead to more of theirs', () => {
  const roles = [
    { role: 'composer', name: 'Clara', instrument: null, query: 'composer:="Clara"' },
    { role: 'performer', name: 'Nora', instrument: 'violin', query: 'performer:="Nora"' },
    { role: 'djmixer', name: 'Jo', instrument: null, query: 'djmixer:="Jo"' },
  ];
  const works = [{ name: 'Symphony', query: 'work:="Symphony"' }];
  const movement = { name: 'Adagio', number: 2, count: 4 };
  const tags = { COMPOSER: ['Clara'], PERFORMER: ['Nora (violin)'], WORK: ['Symphony'], MOVEMENTNUMBER: ['2/4'], MOOD: ['x'] };
  const detail = { id: 1, roles, works, movement, tags };
  assert.deepEqual(groupsOf(detail).find(({ title }) => title === 'Credits').facts, [
    ['Composer', 'Clara', 'composer:="Clara"'], ['Performer', 'Nora (violin)', 'performer:="Nora"'],
    ['DJ mixer', 'Jo', 'djmixer:="Jo"'], ['Work', 'Symphony', 'work:="Symphony"'], ['Movement', '2 of 4: Adagio'],
  ]);
  assert.deepEqual(known(detail, 'Tags'), { Mood: 'x' });
});

test('plays are told once there are some', () => {
  assert.deepEqual(known({ plays: { plays: 0, last_played_at: null } }, 'Yours'), {});
  const plays = { plays: 3, last_played_at: '2026-11-23T12:00:00Z' };
  assert.deepEqual(known({ plays }, 'Yours'), { Plays: '3', 'Last played': '23 Nov 2026' });
});
