/** Which page the address names. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { steps, visit } from '../browser.mjs';
import { go, keepWith, place } from '/core/router.js';

const of = (address) => (visit(address), place.peek());

/** A click as the page hears it; what it meets lies in `link`. */
function click(link, event = {}) {
  const target = document.createElement('span');
  target.closest = () => link;
  return document.emit('click', { target, button: 0, ...event });
}

const linkTo = (address, more = {}) => {
  const { origin, pathname, search } = new URL(address, 'http://page.test/');
  return Object.assign(document.createElement('a'), { origin, pathname, search, download: '' }, more);
};

describe('router', () => {
  beforeEach(() => (steps.length = 0));

  test('the library is at the root, and what no page has is nowhere', () => {
    for (const address of ['/', '/index.html', '/.//']) assert.equal(of(address).page, 'library', address);
    for (const address of ['/unknown/7', '/Track/7', '/tracks/7']) assert.equal(of(address).page, 'nowhere', address);
  });

  test('how a place was left is known when one comes back, and not in a new one', () => {
    visit('/?q=a');
    go('/?q=b');
    keepWith(() => ({ top: 720 }));
    const left = history.state;
    go('/track/7');
    assert.equal(place.peek().kept, null);
    keepWith(() => null);
    visit('/?q=b', left);
    assert.deepEqual([place.peek().q, place.peek().kept], ['b', { top: 720 }]);
    go('/?q=b');
    assert.equal(place.peek().kept, null);
  });

  test('each page has its address', () => {
    for (const page of ['album', 'settings', 'equalizer', 'spectrum', 'identify', 'track', 'compare']) assert.equal(of(`/${page}`).page, page);
  });

  test('ids are the whole numbers behind the page', () => {
    assert.deepEqual(of('/track/7').ids, [7]);
    assert.deepEqual(of('/compare/7/12/').ids, [7, 12]);
    assert.deepEqual(of('/compare/7/x/1.5/NaN/Infinity/9').ids, [7, 9]);
    assert.deepEqual(of('/track').ids, []);
  });

  test('a query is what was typed, whatever that is', () => {
    const query = 'artist:="Sigur Rós" & (100% #1) +音楽 <b>\\';
    const { q, sort, view, folder } = of('/?' + new URLSearchParams({ q: query, sort: 'title-', view: 'folders', folder: '1:a/b & c' }));
    assert.deepEqual([q, sort, view, folder], [query, 'title-', 'folders', '1:a/b & c']);
  });

  test('without parameters all tracks are shown as found', () => {
    const { q, sort, view, folder } = of('/');
    assert.deepEqual([q, sort, view, folder], ['', '', 'tracks', '']);
  });

  test('what is no UTF-8 is read as far as it can be', () => {
    assert.equal(of('/?q=%ff%41').q, '\ufffdA');
    assert.equal(of('/?q=%zz').q, '%zz');
  });

  test('to go somewhere leaves a step to go back to, unless it replaces it', () => {
    visit('/?q=a');
    go('/track/7');
    assert.deepEqual([place.peek().page, steps.length], ['track', 1]);
    go('/track/8', true);
    assert.deepEqual([place.peek().ids, steps.length], [[8], 1]);
  });

  test('a click on a link of the page goes there without loading it', () => {
    visit('/');
    const event = click(linkTo('/track/9?x=1'));
    assert.equal(event.defaultPrevented, true);
    assert.deepEqual(place.peek().ids, [9]);
    assert.equal(location.search, '?x=1');
  });

  test('a click that means something else is left to the browser', () => {
    visit('/');
    const link = linkTo('/track/9');
    for (const [what, given] of [
      [null, {}], [link, { ctrlKey: true }], [link, { metaKey: true }], [link, { shiftKey: true }], [link, { button: 1 }], [link, { defaultPrevented: true }],
      [linkTo('/track/9', { download: 'x.flac' }), {}], [linkTo('http://other.test/track/9'), {}], [linkTo('/api/v1/tracks/9/file'), {}],
    ]) {
      const event = click(what, given);
      assert.equal(event.defaultPrevented ?? false, given.defaultPrevented ?? false);
      assert.equal(place.peek().page, 'library');
    }
  });
});
