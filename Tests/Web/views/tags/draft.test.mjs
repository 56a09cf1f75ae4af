/** What somebody changes in the tags of files, and what that comes to. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TagDraft, labelOf } from '/views/tags/draft.js';

const list = (values, files, cut = false) => ({ values, files, cut });
const field = (name, values, others = {}) => ({
  name, kind: 'text', scope: 'recording', value_count: values.length, active: 0, satisfied: 0, conflicts: 0, values, file_values: [], ...others,
});

/** Six files. */
const draftOf = (...fields) => new TagDraft({ files: 6, unknown_files: 0, ids: [1, 2], fields });
const genre = () => draftOf(field('genre', [list(['Jazz', 'Soul'], 3), list([], 2), list(['Rock'], 1)]));

describe('what is there', () => {
  test('values that all files have stand in the field, one a line', () => {
    const [one] = draftOf(field('artist', [list(['Nora Vale', 'Ana B'], 6)])).fields;
    assert.deepEqual(one.shared, ['Nora Vale', 'Ana B']);
    assert.equal(one.text, 'Nora Vale\nAna B');
    assert.equal(one.placeholder, '');
    assert.equal(one.differing, '');
  });

  test('those that differ are counted and named', () => {
    const [one] = genre().fields;
    assert.equal(one.text, '');
    assert.equal(one.placeholder, '3 values');
    assert.equal(one.differing, 'Jazz; Soul, none in 2, Rock');
  });

  test('what no file has is said, and what is too long stands for itself', () => {
    assert.equal(draftOf(field('mood', [list([], 6)])).fields[0].placeholder, 'None');
    const [long] = draftOf(field('lyrics', [list(['La…'], 6, true)])).fields;
    assert.equal(long.shared, null);
    assert.equal(long.placeholder, 'A long text');
  });

  test('more values than are named are counted', () => {
    const [one] = draftOf(field('title', [list(['A'], 1), list(['B'], 1)], { value_count: 6 })).fields;
    assert.equal(one.placeholder, '6 values');
  });

  test('names are those of people', () => {
    assert.deepEqual(['albumartist', 'tracktotal', 'genre', 'isrc', 'my own'].map(labelOf), ['Album artist', 'Tracks', 'Genre', 'ISRC', 'My own']);
  });
});

describe('what is typed', () => {
  test('it changes the files that say something else', () => {
    const [one] = genre().fields;
    one.type('Jazz\nSoul');
    assert.equal(one.changes, 3);
    assert.equal(one.changesText, 'changes 3');
    assert.equal(one.formerText, 'Jazz; Soul, none in 2, Rock');
    one.type('Dub');
    assert.equal(one.changes, 6);
    one.type('');
    assert.equal(one.edit, null);
  });

  test('the text of before is no edit, and an emptied field is', () => {
    const draft = draftOf(field('album', [list(['Tides'], 6)]));
    const [one] = draft.fields;
    one.type('Tide');
    assert.equal(one.formerText, 'Tides');
    one.type('Tides ');
    assert.equal(one.isChanged, false);
    one.type('');
    assert.deepEqual(draft.request(false), { files: [1, 2], set: { album: [] } });
    assert.equal(one.changes, 6);
  });

  test('where nothing was, something is added', () => {
    const [one] = draftOf(field('composer', [list([], 6)])).fields;
    one.type('Doug');
    assert.equal(one.changesText, 'adds 6');
  });

  test('a value more, a value less, and none', () => {
    const [one] = genre().fields;
    one.choose('add');
    one.type('Jazz');
    assert.equal(one.changes, 3);
    one.choose('remove');
    one.type('Rock');
    assert.equal(one.changes, 1);
    one.choose('empty');
    assert.equal(one.changes, 4);
    assert.equal(one.changesText, 'empties 4');
    one.choose('empty');
    assert.equal(one.edit, null);
  });

  test('each line is a value, once, but not in long texts and where there is one value', () => {
    const draft = draftOf(field('genre', [list([], 6)]), field('comment', [list([], 6)]), field('track', [list([], 6)], { kind: 'number' }));
    const [many, long, single] = draft.fields;
    assert.deepEqual(many.valuesOf(' Jazz \n\nSoul\nJazz'), ['Jazz', 'Soul']);
    assert.deepEqual(many.valuesOf('Rhythm; Blues'), ['Rhythm; Blues']);
    assert.deepEqual(long.valuesOf('One\nTwo'), ['One\nTwo']);
    assert.deepEqual(single.valuesOf('3'), ['3']);
  });

  test('a tag whose value has lines is one text', () => {
    const [one] = draftOf(field('notes', [list(['One\nTwo'], 6)])).fields;
    one.type('One\nTwo\nThree');
    assert.deepEqual(one.valuesOf(one.edit.text), ['One\nTwo\nThree']);
  });
});

describe('who wins', () => {
  const corrected = { active: 2, file_values: [list(['Rock'], 2)] };

  test('a correction is named with what files say, and can be taken back', () => {
    const [one] = draftOf(field('genre', [list(['Jazz'], 6)], corrected)).fields;
    assert.equal(one.standing, 'Corrected in 2 files. Files say: Rock');
    one.choose('revert');
    assert.equal(one.changesText, 'takes back 2');
    one.choose('revert');
    assert.equal(one.isChanged, false);
  });

  test('a conflict is settled for one side', () => {
    const [one] = draftOf(field('genre', [list(['Jazz'], 6)], { conflicts: 1, file_values: [list(['Folk'], 1)] })).fields;
    assert.equal(one.standing, 'Conflict in 1 file, whose tag has changed since. Files say: Folk');
    one.choose('mine');
    assert.equal(one.changesText, 'settles 1');
    one.choose('files');
    assert.equal(one.edit.mode, 'files');
  });
});

describe('what is sent', () => {
  test('all of it is one request, and nothing that changes nothing', () => {
    const draft = draftOf(
      field('title', [list(['A'], 6)]), field('genre', [list(['Jazz'], 6)]), field('mood', [list(['Calm'], 6)]), field('artist', [list(['X'], 6)]),
      field('date', [list(['1999'], 6)], { kind: 'date', active: 6 }), field('album', [list(['Tides'], 6)], { conflicts: 2 }),
      field('comment', [list(['x'], 6)]));
    const [title, genre, mood, artist, date, album, comment] = draft.fields;
    title.type('A');
    genre.type('Jazz\nSoul');
    mood.choose('add');
    mood.type('Warm');
    artist.choose('remove');
    artist.type('X');
    date.choose('revert');
    album.choose('mine');
    comment.choose('empty');
    assert.equal(draft.isDirty, true);
    assert.deepEqual(draft.request(true), {
      files: [1, 2], set: { genre: ['Jazz', 'Soul'], comment: [] }, add: { mood: ['Warm'] }, remove: { artist: ['X'] }, revert: ['date'],
      resolve: { mine: ['album'] }, dry_run: true,
    });
  });

  test('a field of its own is there once', () => {
    const draft = genre();
    assert.equal(draft.addField(' Genre '), draft.fields[0]);
    draft.addField('Mood').type('Calm');
    assert.deepEqual(draft.request(false), { files: [1, 2], set: { mood: ['Calm'] } });
    assert.equal(draft.hasCorrections, false);
  });
});
