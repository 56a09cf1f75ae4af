/**
 * What the page's modules find in a browser, as far as their computations need it: elements without a layout, canvases that write down
 * what is drawn, a server that a test answers for. Import it before the page's modules.
 */

import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { web } from './paths.mjs';

/** The size of elements of which a test says none (`size`), in CSS pixels. */
const defaultSize = { width: 300, height: 100 };

class Emitter {
  listeners = new Map();

  addEventListener(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  removeEventListener(name, listener) {
    this.listeners.set(name, (this.listeners.get(name) ?? []).filter((one) => one !== listener));
  }

  /** Tells the listeners; `event` may have what a browser's would have. */
  emit(name, event = {}) {
    const told = { type: name, target: this, preventDefault: () => (told.defaultPrevented = true), stopPropagation() {}, ...event };
    for (const listener of this.listeners.get(name) ?? []) listener(told);
    return told;
  }
}

class Element extends Emitter {
  constructor(tag) {
    super();
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.children = [];
    this.parent = null;
    this.dataset = {};
    this.style = { setProperty(name, value) { this[name] = value; } };
    this.hidden = false;
    this.text = '';
    const names = new Set();
    this.classList = {
      contains: (name) => names.has(name), add: (name) => names.add(name), remove: (name) => names.delete(name),
      toggle: (name, isOn = !names.has(name)) => (isOn ? names.add(name) : names.delete(name)),
    };
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  /** An element has one place: elsewhere it is taken away. */
  append(...children) {
    for (const child of children) {
      child.remove?.();
      if (child instanceof Element) child.parent = this;
      this.children.push(child);
    }
  }

  replaceChildren(...children) {
    for (const child of this.children) if (child instanceof Element) child.parent = null;
    this.children = [];
    this.append(...children);
  }

  get textContent() {
    return this.text + this.children.map((child) => child.textContent ?? String(child)).join('');
  }

  set textContent(text) {
    [this.text, this.children] = [text, []];
  }

  contains(element) {
    return element === this || this.children.some((child) => child instanceof Element && child.contains(element));
  }

  /** Of selectors only what the modules under test ask for. */
  querySelector(selector) {
    const [, tag, name, value] = selector.match(/^(\w*)(?:\[([\w-]+)="(.*)"\])?$/);
    const fits = (one) => (!tag || one.tagName === tag.toUpperCase()) && (!name || one.getAttribute(name) === value);
    for (const child of this.children.filter((one) => one instanceof Element)) {
      const found = fits(child) ? child : child.querySelector(selector);
      if (found) return found;
    }
    return null;
  }

  closest() {
    return null;
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = null;
  }

  focus() {
    document.activeElement = this;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight };
  }

  get clientWidth() {
    return (this.size ?? defaultSize).width;
  }

  get clientHeight() {
    return (this.size ?? defaultSize).height;
  }
}

/** Red, green and blue of `#rrggbb`. */
const bytesOf = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** A drawing context that writes down its calls, with the colours they were made with, and how opaque these were. */
class Context {
  calls = [];
  globalAlpha = 1;

  constructor() {
    for (const name of ['clearRect', 'beginPath', 'moveTo', 'lineTo', 'arc', 'fill', 'stroke', 'setTransform', 'setLineDash', 'drawImage', 'fillText', 'fillRect', 'putImageData'])
      this[name] = (...values) => this.calls.push({ name, values, colour: name.includes('troke') ? this.strokeStyle : this.fillStyle, alpha: this.globalAlpha });
  }

  measureText(text) {
    return { width: 6 * text.length };
  }

  createImageData(width, height) {
    return { width, height, data: new Uint8ClampedArray(4 * width * height) };
  }

  /** One pixel in the colour that was filled last, as the palette reads colours of CSS. */
  getImageData() {
    return { data: [...bytesOf(this.fillStyle), 255] };
  }

  /** The calls of one name. */
  of(name) {
    return this.calls.filter((call) => call.name === name);
  }
}

class Canvas extends Element {
  context = new Context();
  width = 300;
  height = 150;

  getContext() {
    return this.context;
  }
}

/** A canvas that is shown with a size in CSS pixels. */
export function canvas(width, height) {
  const made = new Canvas('canvas');
  made.size = { width, height };
  return made;
}

/** What media queries say; a test changes one by `media.set(query, true)`. */
class Media {
  queries = new Map();

  query(text) {
    if (!this.queries.has(text)) this.queries.set(text, Object.assign(new Emitter(), { media: text, matches: false }));
    return this.queries.get(text);
  }

  set(text, matches) {
    this.query(text).matches = matches;
    this.query(text).emit('change');
  }
}

/** Sets a global name, also one that Node has by itself and only lets be read. */
const put = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

const page = new Emitter();
export const media = new Media();

/** What the browser keeps for the page. */
export const stored = new Map();
// Node 18 has it as a module alone.
put('crypto', webcrypto);
put('sessionStorage', { getItem: () => null, setItem() {} });
put('localStorage', { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, String(value)), removeItem: (name) => stored.delete(name) });

/** The colours of the style sheet's dark theme, its first one. */
const tokens = new Map();
for (const [, name, value] of readFileSync(new URL('css/base.css', web), 'utf8').split(':root[data-theme')[0].matchAll(/(--\w+): (#\w{6})/g)) tokens.set(name, value);

put('Element', Element);
put('HTMLElement', Element);
put('document', Object.assign(new Emitter(), {
  createElement: (tag) => (tag === 'canvas' ? new Canvas(tag) : new Element(tag)), createElementNS: (_, tag) => new Element(tag), createTextNode: (text) => text,
  documentElement: new Element('html'), body: new Element('body'), head: new Element('head'), activeElement: null, querySelector: () => null, getElementById: () => null,
}));
put('getComputedStyle', () => ({ getPropertyValue: (name) => tokens.get(name) ?? '' }));
put('matchMedia', (text) => media.query(text));
put('navigator', { userAgent: 'Node' });
put('devicePixelRatio', 1);
put('isSecureContext', false);
put('ResizeObserver', class { observe() {} unobserve() {} });
put('requestAnimationFrame', (body) => setImmediate(() => body(performance.now())));
put('Audio', class extends Emitter {});
// What the page does again and again happens only when a test does it, however slow the machine is.
put('setInterval', () => 0);
put('clearInterval', () => {});
for (const name of ['addEventListener', 'removeEventListener']) put(name, page[name].bind(page));

/** The address bar, and the steps that one can go back. */
export const steps = [];
put('location', new URL('http://page.test/'));
const move = (address) => put('location', new URL(address, location));
put('history', {
  state: null,
  pushState(state, _, address) {
    steps.push(location.href);
    this.replaceState(state, _, address);
  },
  replaceState(state, _, address = location.href) {
    this.state = state;
    move(address);
  },
});
/** Goes to an address as somebody who types it, or goes back to it, does; `state` is that of the step one goes back to. */
export function visit(address, state = null) {
  history.replaceState(state, '', address);
  page.emit('popstate', { state });
}

/** What the server answers: `server.answer(url, options)` gives a Response, or throws. Files of the page are themselves. */
export const server = { asked: [], answer: () => new Response('{}', { status: 404 }) };
put('fetch', async (url, options = {}) => {
  if (!url.startsWith('/api/')) return new Response(readFileSync(new URL(url.slice(1), web)));
  server.asked.push(url);
  options.signal?.throwIfAborted();
  return new Promise((done, fail) => {
    const abort = () => fail(options.signal.reason);
    options.signal?.addEventListener('abort', abort);
    Promise.resolve(server.answer(new URL(url, location), options)).then(done, fail).finally(() => options.signal?.removeEventListener('abort', abort));
  });
});
/** An answer in JSON. */
export const json = (value, status = 200) => new Response(JSON.stringify(value), { status });

/** Lets everything go on that waits for nothing but other promises. */
export async function settle() {
  for (let i = 0; i < 4; i += 1) await new Promise((done) => setImmediate(done));
}
