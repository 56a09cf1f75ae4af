/** A page in the place of something that is not there: what is missing, and the ways on. */

import { h } from '../core/dom.js';

/**
 * @param {string} title a sentence @param {string} detail @param {[string, string][]} ways words and addresses
 */
export const nothing = (title, detail, ways) =>
  h('div', { class: 'nothing' },
    h('h1', { class: 'etch' }, title), h('p', { class: 'second' }, detail),
    h('p', { class: 'ways' }, ways.map(([words, address]) => h('a', { class: 'link', href: address }, words))));
