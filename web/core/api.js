/** The HTTP API of the server (docs/api.md). */

const root = '/api/v1';
const tokenKey = 'deadwax.token';
const userKey = 'deadwax.user';

/** The owner's token, without which the server changes nothing; this browser keeps it for this address alone. */
let token = '';
/** The name of the person who has signed in; what proves it is a cookie, which only the server reads. */
let user = '';
try {
  token = localStorage.getItem(tokenKey) ?? '';
  user = localStorage.getItem(userKey) ?? '';
} catch {
  // No storage: it lasts as long as the page.
}

/** An answer that is not the one asked for; `message` is a sentence for people. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status @param {number | null} [column] */
  constructor(message, status, column = null) {
    super(message);
    this.status = status;
    this.column = column;
  }
}

/** @typedef {Record<string, string | number | null | undefined>} Parameters */

/**
 * The address of a part of the API; parameters that are null or undefined are left out.
 * @param {string} path @param {Parameters} [parameters]
 */
export function address(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return root + path + (query ? '?' + query : '');
}

/**
 * The header that proves who asks.
 * @returns {Record<string, string>}
 */
export const credentials = () => (token ? { Authorization: `Bearer ${token}` } : {});

/** Whether this browser has the owner's token. */
export const hasCredentials = () => token !== '';

/** Whether it has that or somebody has signed in: only then can ratings, lists and a queue on the server be changed. */
export const isSomebody = () => token !== '' || user !== '';

let refused = () => {};

/**
 * @param {() => void} listener is called when the server has answered 401
 */
export const whenRefused = (listener) => (refused = listener);

/** The revision of the library that the page last knew of: its own edits of the queue, which no view shows, count. */
let revision = '';

/**
 * @param {string | undefined} other what the library has become; undefined if that is not known
 * @returns {boolean} whether what is shown may be out of date
 */
export function isNews(other) {
  if (other === undefined) return true;
  const isOther = other !== revision;
  revision = other;
  return isOther;
}

/**
 * @param {string} url @param {RequestInit} [options] @param {number} [again] how often, while the server is busy
 * @returns {Promise<Response>}
 */
async function ask(url, options = {}, again = 3) {
  let response;
  try {
    response = await fetch(url, {
      credentials: 'same-origin', ...options, headers: { ...options.headers, ...credentials() },
    });
  } catch (error) {
    if (/** @type {Error} */ (error).name === 'AbortError') throw error;
    throw new ApiError('The server does not answer. Is deadwax serve still running?', 0);
  }
  if (response.ok) return response;
  if (response.status === 401 && !options.method) refused();
  // Busy: what only reads is asked for again.
  const wait = response.status === 503 && !options.method ? Number(response.headers.get('Retry-After')) : 0;
  if (wait && again) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(wait, 5)));
    options.signal?.throwIfAborted();
    return ask(url, options, again - 1);
  }
  const problem = await response.json().catch(() => ({}));
  const sentence = problem.detail ?? problem.title ?? `The server answered ${response.status}.`;
  throw new ApiError(sentence, response.status, problem.column);
}

/**
 * @param {string} path @param {Parameters} [parameters] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function getJSON(path, parameters, signal) {
  return (await ask(address(path, parameters), { signal })).json();
}

/**
 * @param {string} path @param {Parameters} [parameters] @param {AbortSignal} [signal]
 * @returns {Promise<DataView>}
 */
export async function getBytes(path, parameters, signal) {
  return new DataView(await (await ask(address(path, parameters), { signal })).arrayBuffer());
}

/**
 * Waits until nobody has typed for a moment: what costs the server much is not asked for each letter.
 * @param {AbortSignal} [signal] that of what is shown; it is aborted when something else is
 * @returns {Promise<void>} fails as a request would if something else is shown
 */
export async function debounce(signal) {
  await new Promise((resolve) => setTimeout(resolve, 350));
  signal?.throwIfAborted();
}

/**
 * Changes something; resolves when that is on the disk.
 * @param {'PUT' | 'POST' | 'PATCH' | 'DELETE'} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function change(method, path, body) {
  const headers = body === undefined ? undefined : { 'Content-Type': 'application/json' };
  const response = await ask(address(path), {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const [before, after] = (response.headers?.get('Deadwax-Revisions') ?? '').split(' ');
  if (path === '/queue' && before === revision) revision = after;
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/**
 * A file that the server makes of what a document says.
 * @param {string} path @param {unknown} body @returns {Promise<Blob>}
 */
export async function getFile(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return (await ask(address(path), { method: 'POST', headers, body: JSON.stringify(body) })).blob();
}

/**
 * Sends bytes, such as a sound, and gives the answer.
 * @param {string} path @param {Parameters} parameters @param {Blob} blob @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function send(path, parameters, blob, signal) {
  const headers = { 'Content-Type': 'application/octet-stream' };
  return (await ask(address(path, parameters), { method: 'POST', headers, body: blob, signal })).json();
}

/**
 * Listens to the changes of the library and the progress of scans.
 * @param {{library: (revision: string) => void, scan: (progress: any) => void, again: () => void}} listeners `again`:
 *   events may have been missed, because the server was away
 */
export function listen(listeners) {
  const events = new EventSource(address('/events'));
  let isFirst = true;
  events.addEventListener('open', () => {
    if (!isFirst) listeners.again();
    isFirst = false;
  });
  // The stream ends with the session, and is refused when it is asked for again.
  events.addEventListener('error', () => events.readyState === EventSource.CLOSED && refused());
  events.addEventListener('library', (event) => listeners.library(JSON.parse(event.data).revision));
  events.addEventListener('scan', (event) => listeners.scan(JSON.parse(event.data)));
  return () => events.close();
}

/** @param {string} key @param {string} value empty for none */
function store(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // No storage.
  }
}

/** @param {string} newToken @param {string} newUser */
function become(newToken, newUser) {
  [token, user] = [newToken, newUser];
  store(tokenKey, token);
  store(userKey, user);
}

/**
 * Keeps the token that the printed address ends with, takes it out of the address, and changes it for the cookie with
 * which events and media elements may read.
 * @returns {Promise<void>}
 */
export async function logInFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return;
  history.replaceState(null, '', location.pathname + location.search);
  await change('POST', '/login', { token: given });
  become(given, '');
}

/**
 * Signs a person in; a session that this browser had before ends.
 * @param {string} name @param {string} password
 */
export async function signIn(name, password) {
  await change('POST', '/login', { user: name, password });
  become('', name);
}

/** Ends the session, and forgets the owner's token. */
export async function signOut() {
  await change('DELETE', '/login');
  become('', '');
}
