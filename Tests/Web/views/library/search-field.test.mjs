/** The search field: words, completions, and what is wrong at its place. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { json, server } from '../../browser.mjs';
import { clock } from '../../clock.mjs';
import { SearchField, namesOf, sentenceOf, wordAt } from '/views/library/search-field.js';

describe('the word at the cursor', () => {
  for (const [text, wanted] of [
    ['|', ['', '', '']], ['art|ist:x', ['', 'art', 'ist:x']], ['a b|c d', ['a ', 'b', 'c']], ['(genre:fo|lk)', ['(', 'genre:fo', 'lk']], ['a |', ['a ', '', '']],
    ['음악 제|목', ['음악 ', '제', '목']], ['😀😀|x', ['', '😀😀', 'x']], ['a\tb|', ['a\t', 'b', '']],
  ])
    test(`of ${JSON.stringify(text)}`, () => {
      const cursor = text.indexOf('|');
      const [before, beginning, rest] = wanted;
      assert.deepEqual(wordAt(text.replace('|', ''), cursor), { start: before.length, end: before.length + beginning.length + rest.length, text: beginning });
    });
});

const known = {
  fields: [
    { name: 'artist', kind: 'text', words: null }, { name: 'album', kind: 'text', words: null }, { name: 'albumartist', kind: 'text', words: null }, { name: 'duration', kind: 'duration', words: null },
    { name: 'state', kind: 'word', words: ['ok', 'damaged', 'missing', 'unsupported', 'unreadable'] },
  ],
  tags: ['MOOD'], attributes: ['rating'],
};

test('a tag or an attribute that is called like a field, or like each other, is named once', () => {
  const field = (name) => ({ name, kind: 'text', words: null });
  const names = namesOf({ fields: [field('genre'), field('title')], tags: ['genre', 'mood', 'rating'], attributes: ['rating', 'shelf'] });
  assert.deepEqual(names.map(({ name }) => name), ['genre', 'title', 'mood', 'rating', 'shelf']);
});

test('a sentence about a query begins with a capital, but the name of a field stays as it is written', () => {
  for (const [message, wanted] of [
    ['query, column 6: lufs: nothing after the <', 'lufs: nothing after the <'], ["query, column 1: unknown field 'x'", "Unknown field 'x'"],
    ['query, column 1: bpm(88-175): \'x\' is not a number', "bpm(88-175): 'x' is not a number"], ['the library is busy', 'The library is busy'],
  ])
    assert.equal(sentenceOf(message), wanted);
});

describe('the search field', () => {
  let field, searched, time;
  beforeEach(() => {
    searched = [];
    field = new SearchField((query) => searched.push(query));
    document.activeElement = field.input;
    field.input.setSelectionRange = (start) => (field.input.selectionStart = start);
    field.input.value = '';
    server.asked.length = 0;
    server.answer = (url) => (url.pathname.endsWith('/fields') ? json(known) : json({ rows: [] }));
    time = clock();
  });
  afterEach(() => time.end());

  /** As one types: the text, with the cursor at the bar. */
  async function type(text) {
    const cursor = text.includes('|') ? text.indexOf('|') : text.length;
    field.input.value = text.replace('|', '');
    field.input.selectionStart = cursor;
    field.typed();
    await time.pass(500);
  }
  const offered = () => field.offers.map(({ text }) => text);
  const press = (key) => field.input.emit('keydown', { key });

  test('searches with each letter', async () => {
    await type('a');
    await type('ar');
    assert.deepEqual(searched, ['a', 'ar']);
  });

  test('offers fields that begin so, with tags and attributes', async () => {
    await type('a');
    assert.deepEqual(offered(), ['artist:', 'album:', 'albumartist:']);
    await type('first mo');
    assert.deepEqual(offered(), ['mood:']);
    await type('-ALB');
    assert.deepEqual(offered(), ['-album:', '-albumartist:']);
    await type('^dur|x');
    assert.deepEqual(field.offers, [{ text: '^duration:', hint: '3:30 or >10m' }]);
    // Asked for once.
    assert.equal(server.asked.filter((url) => url.endsWith('/fields')).length, 1);
  });

  test('offers nothing for nothing, for what is there already, and for what is no field', async () => {
    for (const text of ['', ' ', 'album:x ', '(', 'albumartist', '12', '"', 'a-b', '::']) {
      await type(text);
      assert.deepEqual(offered(), [], text);
    }
  });

  test('offers the words of a field', async () => {
    await type('state:un');
    assert.deepEqual(offered(), ['state:unsupported', 'state:unreadable']);
    await type('-state:ok');
    assert.deepEqual(offered(), []);
  });

  test('offers artists of tracks that have what was typed, those that begin with it first', async () => {
    server.answer = (url) => (url.pathname.endsWith('/fields') ? json(known)
      : json({ rows: [{ artist: 'The Beatles; Beach "Boys"' }, { artist: 'Béatrice' }, { artist: null }, {}, { artist: 'Upbeat' }, { artist: 'The Beatles' }, { artist: 'Other' }] }));
    await type('artist:bea');
    assert.deepEqual(offered(), ['artist:="Beach \\"Boys\\""', 'artist:=Béatrice', 'artist:="The Beatles"', 'artist:=Upbeat']);
    assert.deepEqual(server.asked.slice(-1), ['/api/v1/tracks?q=artist%3Abea&fields=artist&limit=200']);
  });

  test('asks for artists as a query takes them', async () => {
    await type('artist:="a\\b');
    assert.equal(new URL(server.asked.slice(-1)[0], 'http://x').searchParams.get('q'), 'artist:"a\\\\b"');
    await type('artist:=O\'Brien');
    assert.equal(new URL(server.asked.slice(-1)[0], 'http://x').searchParams.get('q'), 'artist:"O\'Brien"');
  });

  test('asks for artists only when nobody has typed for a moment', async () => {
    for (const text of ['artist:b', 'artist:be', 'artist:bea']) {
      field.input.value = text;
      field.input.selectionStart = text.length;
      field.typed();
      await time.pass(200);
    }
    await time.pass(500);
    assert.deepEqual(server.asked.filter((url) => url.includes('/tracks')), ['/api/v1/tracks?q=artist%3Abea&fields=artist&limit=200']);
  });

  test('what comes too late is not offered', async () => {
    server.answer = (url) => (url.pathname.endsWith('/fields') ? json(known) : json({ rows: [{ artist: 'Beatrice' }] }));
    field.input.value = 'artist:bea';
    field.input.selectionStart = 10;
    field.typed();
    await time.pass(100);
    await type('al');
    assert.deepEqual(offered(), ['album:', 'albumartist:']);
  });

  test('values of other fields are not offered', async () => {
    await type('title:x');
    assert.deepEqual([offered(), server.asked.filter((url) => url.includes('/tracks'))], [[], []]);
  });

  test('a server that does not answer offers nothing', async () => {
    server.answer = (url) => { if (url.pathname.endsWith('/fields')) return json(known); throw new TypeError('gone'); };
    await type('artist:bea');
    assert.deepEqual(offered(), []);
  });

  test('arrows choose, around both ends', async () => {
    await type('a');
    const chosen = (key) => (press(key), field.chosen);
    assert.deepEqual(['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'].map(chosen), [2, 0, 1, 0, 2]);
    assert.equal(field.input.getAttribute('aria-activedescendant'), 'completion-2');
  });

  test('a field that is accepted takes the place of its word, and the cursor stands behind it', async () => {
    await type('first al|bum last');
    press('ArrowDown');
    press('Enter');
    assert.deepEqual([field.input.value, field.input.selectionStart], ['first album: last', 12]);
  });

  test('a value that is accepted is followed by a space', async () => {
    await type('(state:un|');
    press('ArrowDown');
    press('Tab');
    assert.deepEqual([field.input.value, field.input.selectionStart, offered()], ['(state:unsupported ', 19, []]);
    await type('state:un| more');
    press('ArrowDown');
    press('Enter');
    assert.equal(field.input.value, 'state:unsupported more');
  });

  test('Escape takes back the offers, then the text', async () => {
    await type('a');
    press('Escape');
    assert.deepEqual([offered(), field.input.value], [[], 'a']);
    press('Escape');
    assert.equal(field.input.value, '');
  });

  /** What is painted: the texts with their classes. */
  const painted = () => field.mirror.children.map((piece) => [piece.textContent, ...piece.getAttribute('class').trim().split(' ')]);

  test('fields are painted other than values', async () => {
    field.setText('-artist:="Björk" (year:>1990 words) bpm(88-175):>120');
    assert.deepEqual(painted(), [
      ['-artist:=', 'field'], ['"Björk" (', 'value'], ['year:>', 'field'], ['1990 words) ', 'value'], ['bpm(88-175):>', 'field'], ['120', 'value'],
    ]);
  });

  test('what is painted is the text, whatever that is', () => {
    for (const text of ['', ' ', ':', 'a:b:c', '((', 'x::y', '音楽:テスト', '😀:x', '<b>', 'title::(a+)+$', '-'.repeat(300)]) {
      for (const fault of [null, { column: 1, length: null, message: 'x' }, { column: 2, length: 3, message: 'x' }, { column: 99, length: 5, message: 'x' }]) {
        field.setText(text);
        field.setFault(fault);
        assert.equal(field.mirror.textContent, text);
      }
    }
  });

  test('what is wrong is marked at its place and told in a sentence', () => {
    field.setText('first durations:3 last');
    field.setFault({ column: 7, length: 11, message: 'query, column 7: there is no field “durations”' });
    assert.deepEqual(painted().filter(([, , wrong]) => wrong).map(([text]) => text).join(''), 'durations:3');
    assert.deepEqual([field.sentence.textContent, field.input.getAttribute('aria-invalid')], ['There is no field “durations”', 'true']);
    field.setFault(null);
    assert.deepEqual([painted().filter(([, , wrong]) => wrong), field.sentence.textContent, field.input.getAttribute('aria-invalid')], [[], '', 'false']);
  });

  test('without a length the whole word is wrong', () => {
    field.setText('a (durations:3) b');
    field.setFault({ column: 4, message: 'x' });
    assert.equal(painted().filter(([, , wrong]) => wrong).map(([text]) => text).join(''), 'durations:3');
  });

  test('places are counted in characters, as the server counts them', () => {
    field.setText('😀😀 😀wr😀ng:3 x');
    field.setFault({ column: 4, length: 8, message: 'x' });
    assert.equal(painted().filter(([, , wrong]) => wrong).map(([text]) => text).join(''), '😀wr😀ng:3');
  });
});
