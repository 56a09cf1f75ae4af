/** The page of an address that no page has. */

import { nothing } from '../components/nothing.js';
import { h } from '../core/dom.js';

export class Nowhere {
  constructor() {
    this.element = h('main', { class: 'nowhere', id: 'main' });
  }

  show() {
    document.title = 'No such page \u2013 Deadwax';
    this.element.replaceChildren(nothing(`There is no page ${decoded(location.pathname)}.`,
      'The address may be cut off or mistyped.',
      [['Tracks', '/'], ['Albums', '/?view=albums'], ['Artists', '/?view=artists']]));
  }
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
