/** The tabs of the library, each with how much it has, and what all of it comes to. */

import { debounce, getJSON } from '../../core/api.js';
import { attribute, h, setText } from '../../core/dom.js';
import { count, duration, number } from '../../core/format.js';
import { place } from '../../core/router.js';
import { signal } from '../../core/signals.js';
import { albums, artists, groups } from './groups.js';
import { panels } from './panels.js';

/** Of more than so many tracks the groups are counted only where they are shown: it takes seconds. */
const manyFiles = 200_000;

/** What was last found; other pages lead back to it. */
export const found = signal({ files: 0, address: '/' });

export class Tabs {
  constructor() {
    this.sum = h('p', { class: 'sum', role: 'status' });
    this.element = h('nav', { class: 'tabs', 'aria-label': 'Views' });
    /** @type {Map<string, {link: HTMLAnchorElement, figure: HTMLElement, isRare: boolean}>} */
    this.links = new Map();
    const rare = new Set(groups.filter(({ isRare }) => isRare).map(({ name }) => name));
    const first = [albums.name, artists.name];
    const others = panels.filter(({ name }) => !first.includes(name));
    for (const { name, label } of [albums, artists, { name: 'tracks', label: 'Tracks' }, ...others]) {
      const figure = h('span', { class: 'figure' });
      const isRare = rare.has(name);
      const link = h('a', { href: '/', hidden: isRare }, label, ' ', figure);
      this.links.set(name, { link, figure, isRare });
      this.element.append(link);
    }
    this.element.append(h('a', { href: '/identify', class: 'narrow-only' }, 'Identify'));
  }

  /** @param {string} view @param {(view: string) => string} addressOf */
  show(view, addressOf) {
    for (const [name, { link }] of this.links) {
      link.href = addressOf(name);
      attribute(link, 'aria-current', name === view ? 'page' : null);
      if (name === view) attribute(link, 'hidden', null);
    }
    this.center(view);
  }

  /**
   * Brings a tab into view: on small screens they are wider than the screen.
   * @param {string} view
   */
  center(view) {
    const link = this.links.get(view)?.link;
    if (link) this.element.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - this.element.clientWidth / 2;
  }

  /** @param {string} name @param {number | undefined} total */
  tell(name, total) {
    const tab = this.links.get(name);
    if (!tab) return;
    setText(tab.figure, typeof total === 'number' ? number(total) : '');
    const isShown = !tab.isRare || total !== 0 || tab.link.getAttribute('aria-current') !== null;
    attribute(tab.link, 'hidden', isShown ? null : '');
  }

  /**
   * Counts what is found.
   * @param {string} q
   * @param {Promise<import('../../data/documents.js').Sums>} [sums] those of the tracks, if they are counted already
   */
  async count(q, sums) {
    this.counting?.abort();
    const { signal } = (this.counting = new AbortController());
    const asked = sums ?? debounce(signal).then(() => getJSON('/tracks/count', { q }, signal));
    const sum = await asked.catch(() => null);
    if (signal.aborted || !sum) return;
    this.sum.replaceChildren(
      h('span', {}, count(sum.files, 'track')), ` \u00b7 ${duration(sum.duration_seconds)}`);
    found.value = { files: sum.files, address: location.pathname + location.search };
    this.tell('tracks', sum.files);
    for (const { name, path, whole, total, parameters, isCostly } of groups) {
      const isLeftOut = isCostly && sum.files > manyFiles;
      const request = parameters?.(q) ?? { q, limit: 1 };
      const answer = isLeftOut ? null : await getJSON(path, request, signal).catch(() => null);
      if (signal.aborted) return;
      this.tell(name, whole ? answer && whole(answer).length : total ? answer && total(answer) : answer?.total);
    }
    this.center(place.peek().view);
  }
}
