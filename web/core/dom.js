/** Elements, their attributes and keyed lists: what other pages take a framework for. */

/** @typedef {Node | string | number | boolean | null | undefined} Child null, undefined and false are left out */

/**
 * Makes an element. Keys that begin with `on` are listeners, `class` and names with a dash are attributes, others
 * properties. Text only ever becomes text nodes, so nothing that stands in a tag is read as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class' || key === 'role' || key.includes('-')) {
      if (value !== null && value !== undefined) element.setAttribute(key, String(value));
    } else /** @type {any} */ (element)[key] = value;
  }
  const shown = /** @type {(Node | string)[]} */ (
    children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  element.append(...shown);
  return element;
}

/** @param {string} name @param {string} path in a field of 24 @param {() => void} act @param {string} [kind] */
export function iconButton(name, path, act, kind = '') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  shape.setAttribute('d', path);
  svg.append(shape);
  return h('button', { type: 'button', class: `icon ${kind}`, 'aria-label': name, onclick: act }, svg);
}

/**
 * Sets an attribute, or removes it for null and false; touches the document only if that changes something.
 * @param {Element} element @param {string} name @param {string | number | boolean | null | undefined} value
 */
export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else {
    const text = value === true ? '' : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Sets the text of an element if it is another one.
 * @param {Node} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A path, whose lines are broken after its slashes before its words are.
 * @param {string} path
 */
export const pathText = (path) => path.split(/(?<=\/)/).flatMap((name) => [name, document.createElement('wbr')]);

/**
 * Makes the children of `parent` those of `items`, keeping the element of each key.
 * @template T
 * @param {Element} parent @param {T[]} items @param {(item: T) => string | number} key
 * @param {(item: T) => Element} make
 */
export function keyed(parent, items, key, make) {
  /** @type {Map<string | number, Element>} */
  const kept = /** @type {any} */ (parent).keyedChildren ?? new Map();
  const next = new Map();
  for (const item of items) next.set(key(item), kept.get(key(item)) ?? make(item));
  parent.replaceChildren(...next.values());
  /** @type {any} */ (parent).keyedChildren = next;
}

/**
 * Calls `body` at most once a frame, whatever is asked.
 * @param {(time: number) => void} body
 * @returns {() => void} asks for it
 */
export function perFrame(body) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame((time) => {
      asked = false;
      body(time);
    });
  };
}

/**
 * Opens a dialog, which is gone when it is closed.
 * @param {HTMLDialogElement} dialog
 */
export function showModal(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Loads a style sheet that the first view of the page does not need, once, and waits until it applies.
 * @param {string} name without folder and ending
 * @returns {Promise<void>} fails if it cannot be loaded; the next call tries again
 */
export function loadStyle(name) {
  const loading = sheets.get(name) ?? new Promise((resolve, reject) => {
    const link = h('link', { rel: 'stylesheet', href: `/css/${name}.css` });
    link.addEventListener('load', () => resolve(undefined));
    link.addEventListener('error', () => {
      link.remove();
      sheets.delete(name);
      reject(new Error(`The style sheet ${name}.css cannot be loaded.`));
    });
    document.head.append(link);
  });
  sheets.set(name, loading);
  return loading;
}
