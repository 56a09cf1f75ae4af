/** Who uses the page here, and where people have signed in. */

import { attempt, toast } from './toast.js';
import { change, getJSON, signOut } from '../core/api.js';
import { h } from '../core/dom.js';
import { browserName } from '../data/browsers.js';
import { forgetQueue } from '../player/queue-keeper.js';

/** @typedef {import('../data/documents.js').Session} Session */

/**
 * Who asks, in a sentence.
 * @param {import('../data/documents.js').Identity} identity
 */
export function sentenceOf({ user, right }) {
  if (right === 'owner') return 'You are the owner: this browser keeps the token of the printed address.';
  if (user === null) return 'You are not signed in.';
  return right === 'listen' ? `You are signed in as ${user}, to listen.` : `You are signed in as ${user}.`;
}

/** @param {string} instant */
const day = (instant) => new Date(instant).toLocaleDateString(undefined, { dateStyle: 'medium' });

export class SessionList {
  constructor() {
    this.list = h('ul', { class: 'session-list', 'aria-label': 'Browsers that are signed in' });
    this.who = h('p', {});
    this.ways = h('div', { class: 'buttons' });
    this.element = h('section', { class: 'group settings-people' },
      h('h2', { class: 'label' }, 'People'), this.who, this.ways, this.list);
  }

  async show() {
    const identity = await getJSON('/session');
    this.who.textContent = sentenceOf(identity);
    const isKnown = identity.right !== null;
    this.ways.replaceChildren(
      isKnown ? h('button', { type: 'button', onclick: () => this.leave() }, 'Sign out') : '',
      !isKnown && identity.can_sign_in ? h('a', { class: 'button', href: '/signin' }, 'Sign in') : '');
    this.ways.hidden = !this.ways.children.length;
    const { sessions } = isKnown ? await getJSON('/sessions') : { sessions: [] };
    this.list.replaceChildren(...sessions.map((/** @type {Session} */ session) => this.row(session, identity.user)));
    this.list.hidden = !sessions.length;
  }

  /** @param {Session} session @param {string | null} user who looks; null for the owner, who sees everybody's */
  row(session, user) {
    const { id, address, browser, last_used_at, ends_at, current } = session;
    const name = browserName(browser) + (user === null ? `, ${session.user}` : '');
    const words = [address, `used ${day(last_used_at)}`, `until ${day(ends_at)}`];
    if (current) words.unshift('this browser');
    return h('li', {},
      h('div', { title: browser }, name, h('span', { class: 'second' }, words.join(' \u00b7 '))),
      h('button', {
        type: 'button', class: 'link', 'aria-label': `End: ${name}`,
        onclick: () => (current ? this.leave() : this.end(id, name)),
      }, 'End'));
  }

  /** @param {number} id @param {string} name */
  async end(id, name) {
    await attempt(() => change('DELETE', `/sessions/${id}`), `${name} is signed out.`, false);
    await this.show().catch((error) => toast(error.message));
  }

  async leave() {
    try {
      await signOut();
    } catch (error) {
      return toast(/** @type {Error} */ (error).message);
    }
    forgetQueue();
    location.reload();
  }
}
