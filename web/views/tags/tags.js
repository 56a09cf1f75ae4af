/** Tags of some files: a panel beside what is shown, on small screens a page of its own. */

import { h } from '../../core/dom.js';
import { go } from '../../core/router.js';
import { TagsPanel } from './panel.js';

export class TagsPage {
  constructor() {
    this.panel = new TagsPanel(() => this.leave());
    this.element = h('main', { class: 'tags-page', id: 'main' });
    this.drawer = h('aside', { class: 'tags-drawer', 'aria-label': 'Tags', hidden: true });
    document.body.append(this.drawer);
    /** @type {Element | null} */
    this.before = null;
  }

  /** As a page. */
  show() {
    const query = location.search.slice(1);
    this.drawer.hidden = true;
    this.element.replaceChildren(this.panel.element);
    if (this.panel.query !== query) this.panel.open(query);
  }

  hide() {
    this.panel.stop();
  }

  /**
   * Beside what is shown.
   * @param {string} query as in the address of the page
   */
  async openBeside(query) {
    if (!this.drawer.hidden && !(await this.panel.mayClose())) return;
    if (this.drawer.hidden) this.before = document.activeElement;
    this.drawer.append(this.panel.element);
    this.drawer.hidden = false;
    await this.panel.open(query);
  }

  leave() {
    if (this.drawer.hidden) {
      if (history.length > 1) history.back();
      else go('/');
      return;
    }
    this.drawer.hidden = true;
    /** @type {HTMLElement | null} */ (this.before)?.focus?.({ preventScroll: true });
  }
}
