/** Signs a person in, with a name and a password that the owner has made. */

import { signIn } from '../../core/api.js';
import { attribute, h } from '../../core/dom.js';
import { forgetQueue } from '../../player/queue-keeper.js';

export class SignInPage {
  constructor() {
    // Names that password managers know.
    this.user = h('input', {
      type: 'text', name: 'username', id: 'sign-in-user', required: true, autocomplete: 'username', spellcheck: false,
      autocapitalize: 'none', 'aria-describedby': 'sign-in-trouble',
    });
    this.password = h('input', {
      type: 'password', name: 'password', id: 'sign-in-password', required: true, autocomplete: 'current-password',
      'aria-describedby': 'sign-in-trouble',
    });
    this.reveal = h('button', {
      type: 'button', class: 'link', 'aria-controls': 'sign-in-password', onclick: () => this.turnReveal(),
    });
    this.trouble = h('p', { class: 'trouble', id: 'sign-in-trouble', role: 'alert' });
    this.button = h('button', { class: 'main' }, 'Sign in');
    this.form = h('form', { onsubmit: (/** @type {Event} */ event) => this.submit(event) },
      h('label', { class: 'label', htmlFor: 'sign-in-user' }, 'Name'), h('div', { class: 'sign-in-field' }, this.user),
      h('label', { class: 'label', htmlFor: 'sign-in-password' }, 'Password'),
      h('div', { class: 'sign-in-field' }, this.password, this.reveal), this.trouble,
      h('div', { class: 'buttons' }, this.button));
    this.element = h('main', { class: 'sign-in', id: 'main' },
      h('div', {},
        h('h1', { class: 'etch' }, 'Sign in'),
        h('p', { class: 'second' }, 'Your ratings, plays, lists and queue are your own here.'),
        window.isSecureContext ? '' : h('p', { class: 'sign-in-warning' },
          'This connection is not encrypted: others in the network can read your password.'),
        this.form,
        h('p', { class: 'second sign-in-hint' },
          'The owner of the library makes passwords with ', h('code', {}, 'deadwax serve user add'),
          ', and needs none: the address that ', h('code', {}, 'deadwax serve'), ' prints is enough.')));
    this.showReveal();
  }

  show() {
    document.title = 'Sign in \u2013 Deadwax';
    if (!this.element.contains(document.activeElement)) (this.user.value ? this.password : this.user).focus();
  }

  turnReveal() {
    this.password.type = this.password.type === 'password' ? 'text' : 'password';
    this.showReveal();
    this.password.focus();
  }

  showReveal() {
    const isHidden = this.password.type === 'password';
    this.reveal.textContent = isHidden ? 'Show' : 'Hide';
    this.reveal.ariaLabel = isHidden ? 'Show the password' : 'Hide the password';
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (this.button.disabled) return;
    this.button.disabled = true;
    this.trouble.textContent = '';
    for (const field of [this.user, this.password]) attribute(field, 'aria-invalid', null);
    try {
      await signIn(this.user.value.trim(), this.password.value.trim());
    } catch (error) {
      const { message, status } = /** @type {import('../../core/api.js').ApiError} */ (error);
      this.trouble.textContent = status === 401 ? 'The name or the password is wrong.' : sentence(message);
      if (status === 401) for (const field of [this.user, this.password]) attribute(field, 'aria-invalid', 'true');
      this.button.disabled = false;
      this.password.select();
      return;
    }
    // All that is shown, and what plays, is another person's now.
    forgetQueue();
    if (location.pathname === '/signin') location.replace('/');
    else location.reload();
  }
}

/** @param {string} text */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');
