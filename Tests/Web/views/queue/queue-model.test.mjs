/** What the drawer of the queue shows. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../browser.mjs';
import { formerWords, heightOf, landing, linesOf, partLength, summaryOf, transitionWords } from '/views/queue/queue-model.js';

const entries = (count, duration = 60) => Array.from({ length: count }, (_, key) => ({ key, rank: key, row: { id: key, duration } }));
const how = { row: 48, label: 32, showsAll: false };
const shown = (lines) => lines.map((line) => (line.kind === 'label' ? line.text : `${line.state} ${line.index}`));

describe('the drawer of the queue', () => {
  test('shows the last two that were played, what plays, and what comes next', () => {
    const lines = linesOf(entries(7), 4, how);
    assert.deepEqual(shown(lines), ['Played', 'played 2', 'played 3', 'current 4', 'Next', 'next 5', 'next 6']);
    assert.deepEqual([lines[0].more, heightOf(lines)], [4, 5 * 48 + 2 * 32]);
    assert.deepEqual(lines.map(({ top }) => top), [0, 32, 80, 128, 176, 208, 256]);
    assert.equal(linesOf(entries(7), 4, { ...how, showsAll: true }).length, 9);
  });

  test('has no headings for what is not there', () => {
    assert.deepEqual(shown(linesOf(entries(1), 0, how)), ['current 0']);
    assert.deepEqual(shown(linesOf(entries(2), 1, how)), ['Played', 'played 0', 'current 1']);
    assert.deepEqual(shown(linesOf(entries(1), -1, how)), ['Next', 'next 0']);
    assert.deepEqual([linesOf([], -1, how), heightOf([])], [[], 0]);
  });

  test('what is dropped lands where the line is', () => {
    const lines = linesOf(entries(4), 1, how);
    // Played 0…32, entry 0 …80, entry 1 …128, Next …160, entry 2 …208, entry 3 …256.
    for (const [y, index, line] of [[-50, 0, 32], [40, 0, 32], [57, 1, 80], [103, 1, 80], [105, 2, 160], [150, 2, 160], [185, 3, 208], [233, 4, 256], [999, 4, 256]])
      assert.deepEqual(landing(lines, y), { index, y: line }, String(y));
  });

  test('says how much is to come, and when it ends', () => {
    const now = new Date(2026, 10, 28, 22, 5);
    assert.equal(summaryOf(entries(15, 180), 1, 13, 60, now), '13 to come \u00b7 41 min \u00b7 ends at 22:46');
    assert.equal(summaryOf(entries(2, 3600), 1, 0, 0, now), 'Nothing to come \u00b7 1 h 0 min \u00b7 ends at 23:05');
    assert.equal(summaryOf(entries(50), 0, 12_345, 0, now), '12,345 to come');
    assert.equal(summaryOf([], -1, 0, 0, now), '');
    assert.equal(partLength({ rate: 100, part: { start: 50, end: 250 } }), 2);
    assert.equal(partLength({ rate: 100 }), null);
  });

  test('says how the next track begins, and why', () => {
    const words = (kind, reason, seconds) => Object.values(transitionWords({ kind, reason, seconds, join: null }));
    assert.deepEqual(words('cross', 'ending-is-quiet', 5.24), ['cross-fade, 5.2 s', 'The ending is quiet.']);
    assert.deepEqual(words('join', 'album-continues', 0), ['without a gap', 'The album continues.']);
    assert.deepEqual(words('spin', 'new-reason', 0), ['spin', '']);
    assert.deepEqual(transitionWords(null), { text: '', title: '' });
  });

  test('says which queue was there before', () => {
    const now = new Date(2026, 10, 28, 9, 0);
    const former = (day, hours, minutes) => ({ tracks: 31, title: 'Loyalists', position: 48_900, changedAt: new Date(2026, 10, day, hours, minutes).toISOString() });
    assert.equal(formerWords(former(27, 21, 10), now), 'Yesterday, 21:10: 31 tracks, at 0:48 of Loyalists');
    assert.equal(formerWords(former(28, 8, 5), now), '8:05: 31 tracks, at 0:48 of Loyalists');
    assert.equal(formerWords({ tracks: 1, title: null, position: 0, changedAt: null }, now), 'Before: 1 track');
  });
});
