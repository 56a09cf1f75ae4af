/** Queries as rules, and rules as queries. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../browser.mjs';
import { changed, fieldNamed, parse, queryOf, verbsOf, withField } from '/views/rules/model.js';

/** A rule without what it was written as. */
const bare = (part) => Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'source'));

describe('a query as rules', () => {
  for (const [query, ...parts] of [
    ['genre:jazz', { kind: 'rule', field: 'genre', verb: 'has', value: 'jazz', isNot: false }],
    ['genre:="Romantic Classical"', { kind: 'rule', field: 'genre', verb: 'is', value: 'Romantic Classical', isNot: false }],
    ['-artist:="Tyler Johnson"', { kind: 'rule', field: 'artist', verb: 'is', value: 'Tyler Johnson', isNot: true }],
    ['^live', { kind: 'rule', field: '', verb: 'has', value: 'live', isNot: true }],
    ['"slow tide"', { kind: 'rule', field: '', verb: 'has', value: 'slow tide', isNot: false }],
    ['title:"say \\"so\\" \\\\ no"', { kind: 'rule', field: 'title', verb: 'has', value: 'say "so" \\ no', isNot: false }],
    ['lufs:<-13 duration:>=2:30', { kind: 'rule', field: 'lufs', verb: 'below', value: '-13', isNot: false },
      { kind: 'rule', field: 'duration', verb: 'least', value: '2:30', isNot: false }],
    ['year:1990..1999', { kind: 'rule', field: 'year', verb: 'has', value: '1990..1999', isNot: false }],
    ['added:-2w..', { kind: 'rule', field: 'added', verb: 'has', value: '-2w..', isNot: false }],
    ['codec:flac,mp3', { kind: 'rule', field: 'codec', verb: 'has', value: 'flac,mp3', isNot: false }],
    ['composer:""', { kind: 'rule', field: 'composer', verb: 'empty', value: '', isNot: false }],
    ['mood:calm', { kind: 'rule', field: 'mood', verb: 'has', value: 'calm', isNot: false }],
    ['is:lossless -has:cover', { kind: 'rule', field: 'is', verb: 'has', value: 'lossless', isNot: false },
      { kind: 'rule', field: 'has', verb: 'has', value: 'cover', isNot: true }],
    ['year- artist+', { kind: 'order', field: 'year', isFalling: true }, { kind: 'order', field: 'artist', isFalling: false }],
    ['a AND b', { kind: 'rule', field: '', verb: 'has', value: 'a', isNot: false }, { kind: 'rule', field: '', verb: 'has', value: 'b', isNot: false }],
  ]) {
    test(query, () => assert.deepEqual(parse(query).map(bare), parts));
  }

  for (const [query, ...texts] of [
    ['title::(?i)^the\\b', 'title::(?i)^the\\b'], ['artist:=~beyonce', 'artist:=~beyonce'],
    ['(artist:vale , artist:x) codec:flac', '(artist:vale , artist:x)'], ['NOT (a b)', 'NOT (a b)'],
    ['a OR b c', 'a OR b c'], ['a | b', 'a | b'], ['is:duplicate-file', 'is:duplicate-file'], ['band(1000)>-30', 'band(1000)>-30'],
    ['genre:"open', 'genre:"open'], ['genre:', 'genre:'], ['is:compilation,x', 'is:compilation,x'],
  ]) {
    test(`${query} has a part that stays text`, () =>
      assert.deepEqual(parse(query).filter(({ kind }) => kind === 'text').map(({ source }) => source), texts));
  }

  test('what nobody changes stays as it was written', () => {
    for (const query of ['GENRE:Jazz  lufs:<-18'.replace('  ', ' '), '(a , b) c:d year-', 'x OR y', '^a title:"b" NOT c']) {
      assert.equal(queryOf(parse(query)), query);
    }
  });
});

describe('rules as a query', () => {
  const rule = { kind: 'rule', field: 'genre', verb: 'has', value: '', isNot: false };

  test('values are quoted where they have to be', () => {
    for (const [changes, query] of [
      [{ value: 'jazz' }, 'genre:jazz'], [{ value: 'Romantic Classical', verb: 'is' }, 'genre:="Romantic Classical"'],
      [{ value: 'a "b" \\ c', isNot: true }, '-genre:"a \\"b\\" \\\\ c"'], [{ field: '', value: 'live' }, 'live'],
      [{ field: '', value: '-live' }, '"-live"'], [{ field: '', value: 'or' }, 'or'], [{ field: '', value: 'OR' }, '"OR"'],
      [{ field: '', value: 'year+' }, '"year+"'], [{ field: 'lufs', verb: 'below', value: '-13' }, 'lufs:<-13'],
      [{ field: 'lufs', verb: 'below', value: '\u221213' }, 'lufs:<-13'], [{ field: 'codec', value: 'flac,mp3' }, 'codec:flac,mp3'],
      [{ field: 'list', value: 'My list' }, 'list:"My list"'], [{ field: 'composer', verb: 'empty', value: 'x' }, 'composer:""'],
      [{ value: '=x' }, 'genre:"=x"'], [{ value: '' }, ''], [{ value: '  ' }, ''],
    ]) assert.equal(queryOf([{ ...rule, ...changes }]), query);
  });

  test('a rule that is written is read again as the same', () => {
    for (const value of ['jazz', 'a b', '"', '\\', '<5', 'x..y', '(', 'été', 'OR', '-x', 'a:b', 'year+', '']) {
      for (const [field, verb] of [['genre', 'has'], ['genre', 'is'], ['', 'has']]) {
        const made = { ...rule, field, verb, value };
        assert.deepEqual(parse(queryOf([made])).map(bare), value ? [made] : []);
      }
    }
  });

  test('a changed rule is written anew, the others stay', () => {
    const parts = parse('GENRE:jazz lufs:<-18 (a , b) year-');
    parts[1] = changed(parts[1], { value: '-20' });
    parts[3] = changed(parts[3], { isFalling: false });
    assert.equal(queryOf(parts), 'GENRE:jazz lufs:<-20 (a , b) year+');
  });

  test('another field keeps what fits it', () => {
    const loud = parse('-genre:=jazz')[0];
    assert.deepEqual(bare(withField(loud, 'artist')), { kind: 'rule', field: 'artist', verb: 'is', value: 'jazz', isNot: true });
    assert.deepEqual(bare(withField(loud, 'lufs')), { kind: 'rule', field: 'lufs', verb: 'most', value: '', isNot: false });
    assert.equal(queryOf([withField(loud, 'is')]), 'is:lossless');
    assert.equal(queryOf([withField(parse('lufs:<-18')[0], 'lra')]), 'lra:<-18');
  });

  test('each kind of field has its verbs', () => {
    assert.deepEqual(verbsOf(fieldNamed('codec')), [['has', 'is'], ['-has', 'is not']]);
    assert.deepEqual(verbsOf(fieldNamed('')), [['has', 'has'], ['-has', 'has not']]);
    assert.ok(verbsOf(fieldNamed('lufs')).some(([name]) => name === 'below'));
    assert.deepEqual(verbsOf(fieldNamed('label')).length, 6);
  });
});
