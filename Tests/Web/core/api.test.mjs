/** What the page asks the server. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server, stored } from '../browser.mjs';
import { address, change, getBytes, getJSON, hasCredentials, isSomebody, logInFromAddress, send, signIn, signOut, whenRefused } from '/core/api.js';

/** What was sent with the last request. */
let sent;
const answers = (make) => (server.answer = (url, options) => ((sent = options), make(url)));

describe('the API', () => {
  beforeEach(() => answers(() => json({})));

  for (const [path, parameters, wanted] of [
    ['/tracks', undefined, '/api/v1/tracks'], ['/tracks', {}, '/api/v1/tracks'], ['/tracks', { q: '', sort: null, from: undefined, limit: 0 }, '/api/v1/tracks?limit=0'],
    ['/tracks', { q: 'artist:="A & B" +x%', from: 80 }, '/api/v1/tracks?q=artist%3A%3D%22A+%26+B%22+%2Bx%25&from=80'], ['/x', { q: '音楽' }, '/api/v1/x?q=%E9%9F%B3%E6%A5%BD'],
    ['/x', { flag: false }, '/api/v1/x?flag=false'],
  ])
    test(`the address of ${path} with ${JSON.stringify(parameters)}`, () => assert.equal(address(path, parameters), wanted));

  test('an error is told in the words of the server, with its place', async () => {
    for (const [answer, wanted] of [
      [json({ detail: 'column 3', title: 'Bad', column: 3 }, 400), { message: 'column 3', status: 400, column: 3 }], [json({ title: 'Bad' }, 400), { message: 'Bad', status: 400, column: undefined }],
      [new Response('<html>', { status: 502 }), { message: 'The server answered 502.', status: 502, column: undefined }],
    ]) {
      answers(() => answer);
      await assert.rejects(getJSON('/tracks'), (error) => {
        assert.deepEqual({ message: error.message, status: error.status, column: error.column ?? undefined }, wanted);
        return true;
      });
    }
    server.answer = () => { throw new TypeError('gone'); };
    await assert.rejects(getJSON('/tracks'), { message: 'The server does not answer. Is deadwax serve still running?', status: 0 });
  });

  test('what was ended is no error of the server', async () => {
    const ending = new AbortController();
    answers(() => new Promise(() => {}));
    const asking = getJSON('/tracks', {}, ending.signal);
    ending.abort();
    await assert.rejects(asking, { name: 'AbortError' });
  });

  test('a change is sent as JSON, and may have no answer', async () => {
    answers(() => new Response(null, { status: 204 }));
    assert.equal(await change('PUT', '/tracks/1/rating', { rating: 40 }), null);
    assert.deepEqual([sent.method, sent.body, sent.headers['Content-Type']], ['PUT', '{"rating":40}', 'application/json']);
    await change('DELETE', '/lists/1');
    assert.deepEqual([sent.method, sent.body, sent.headers['Content-Type']], ['DELETE', undefined, undefined]);
  });

  test('bytes are sent and got as they are', async () => {
    answers(() => new Response(Uint8Array.of(1, 2, 3)));
    assert.equal((await getBytes('/x')).getUint16(1), 0x203);
    answers(() => json({ found: 1 }));
    assert.deepEqual(await send('/identify', { limit: 3 }, new Blob(['abc'])), { found: 1 });
    assert.deepEqual([sent.method, sent.headers['Content-Type'], server.asked.pop()], ['POST', 'application/octet-stream', '/api/v1/identify?limit=3']);
  });

  test('a token in the address is taken out of it, tried, kept and sent from then on', async () => {
    location.hash = '#token=secret';
    await logInFromAddress();
    assert.deepEqual([location.href, sent.body, stored.get('deadwax.token')], ['http://page.test/', '{"token":"secret"}', 'secret']);
    await getJSON('/tracks');
    assert.equal(sent.headers.Authorization, 'Bearer secret');
  });

  test('a token that is refused is not kept', async () => {
    location.hash = '#token=wrong';
    answers(() => json({ detail: 'This token is not right.' }, 401));
    await assert.rejects(logInFromAddress(), { status: 401 });
    assert.deepEqual([location.href, stored.get('deadwax.token')], ['http://page.test/', 'secret']);
  });

  test('without a token in the address nothing is asked', async () => {
    server.asked.length = 0;
    await logInFromAddress();
    assert.deepEqual(server.asked, []);
  });

  test('whoever signs in takes the place of the owner, and whoever signs out leaves nobody', async () => {
    answers(() => new Response(null, { status: 204 }));
    assert.deepEqual([hasCredentials(), isSomebody()], [true, true]);
    await signIn('ana', 'word');
    assert.deepEqual([sent.method, sent.body], ['POST', '{"user":"ana","password":"word"}']);
    assert.deepEqual([stored.get('deadwax.token'), stored.get('deadwax.user')], [undefined, 'ana']);
    assert.deepEqual([hasCredentials(), isSomebody()], [false, true]);
    answers(() => json({}));
    await getJSON('/tracks');
    assert.equal(sent.headers.Authorization, undefined);
    answers(() => new Response(null, { status: 204 }));
    await signOut();
    assert.equal(sent.method, 'DELETE');
    assert.deepEqual([stored.get('deadwax.user'), isSomebody()], [undefined, false]);
  });

  test('a wrong password changes nothing', async () => {
    answers(() => json({ detail: 'wrong name or password' }, 401));
    await assert.rejects(signIn('ana', 'guess'), { status: 401 });
    assert.deepEqual([stored.get('deadwax.user'), isSomebody()], [undefined, false]);
  });

  test('only what is not shown is said to be refused', async () => {
    let count = 0;
    whenRefused(() => (count += 1));
    answers(() => json({}, 401));
    await assert.rejects(getJSON('/tracks'));
    assert.equal(count, 1);
    await assert.rejects(change('PUT', '/tracks/1/rating', {}));
    answers(() => json({}, 403));
    await assert.rejects(getJSON('/tracks'));
    assert.equal(count, 1);
  });
});
