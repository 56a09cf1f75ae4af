/**
 * Keeps the queue: in this browser, so that reloading forgets nothing, and on the server, which has one for a person,
 * whatever browser or player it is edited with (docs/api.md, “The queue”).
 *
 * What is shown is what the server has, with the edits that it has not confirmed yet made on it. Each has a random id,
 * so one that is sent again, because no answer came, is not made twice.
 */

import { ApiError, change, getJSON } from '../core/api.js';
import { applied, changeForServer, nothing, stateOf } from './queue-changes.js';

/** @typedef {import('./queue-changes.js').State} State */
/** @typedef {import('./queue-changes.js').Change} Change */
/** @typedef {{edit: string, changes: Change[]}} Edit */

const stateName = 'deadwax.queue';
const pendingName = 'deadwax.queue.pending';
const placeName = 'deadwax.place';

/** Waits between attempts while the server does not answer, in milliseconds. */
const retryDelays = [500, 1000, 2000, 4000, 8000];

/** 32 random hexadecimal digits. */
const newEdit = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Only where one is, of which the latest counts.
 * @param {Edit} edit
 */
const isPlace = ({ changes }) => changes.every(({ place }) => place !== undefined);

/**
 * @param {Storage} storage @param {string} name
 * @returns {any} null if nothing is there, or nothing that can be read
 */
function stored(storage, name) {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Storage} storage @param {string} name @param {unknown} value */
function store(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // No storage, or no room: the queue lasts as long as the page, and on the server.
  }
}

/** Forgets what this browser remembers of the queue, which was somebody else's. */
export function forgetQueue() {
  try {
    for (const name of [stateName, placeName]) localStorage.removeItem(name);
    sessionStorage.removeItem(pendingName);
  } catch {
    // No storage.
  }
}

export class QueueKeeper {
  /** @param {(state: State) => void} adopt takes what the queue has become elsewhere */
  constructor(adopt) {
    this.adopt = adopt;
    /** What the server had last, and its version; −1 until it has been asked. */
    this.confirmed = nothing;
    this.version = -1;
    /** @type {Edit[]} */
    this.pending = [];
    /** Whether the server takes edits from this browser. */
    this.isShared = true;
    this.failures = 0;
    this.hasRead = false;
    /** @type {Promise<void>} What is said to the server is said one after the other. */
    this.talk = Promise.resolve();
    this.timer = 0;
  }

  /**
   * What this browser remembers.
   * @returns {{state: State, frame: number | null} | null}
   */
  remembered() {
    const known = stored(localStorage, stateName);
    if (!Array.isArray(known?.state?.entries)) return null;
    this.version = known.version ?? -1;
    this.confirmed = known.confirmed ?? known.state;
    const pending = stored(sessionStorage, pendingName);
    this.pending = Array.isArray(pending) ? pending : [];
    const place = stored(localStorage, placeName);
    return { state: known.state, frame: place?.key === known.state.current ? place.frame : null };
  }

  /** @param {State} state as it is shown */
  remember(state) {
    const plain = (/** @type {State} */ { former, ...rest }) =>
      ({ ...rest, former: former && { ...former, state: undefined } });
    store(localStorage, stateName, { state: plain(state), confirmed: plain(this.confirmed), version: this.version });
    store(sessionStorage, pendingName, this.pending);
  }

  /** @param {number} key of the entry that is current @param {number} frame where one is in it */
  rememberPlace(key, frame) {
    store(localStorage, placeName, { key, frame });
  }

  /**
   * Sends an edit that has been made here.
   * @param {Change[]} changes @param {State} state with it
   */
  edited(changes, state) {
    if (this.isShared) {
      const edit = { edit: newEdit(), changes };
      const last = this.pending[this.pending.length - 1];
      // The first one may be on its way.
      if (this.pending.length > 1 && isPlace(edit) && isPlace(last)) this.pending.pop();
      this.pending.push(edit);
    }
    this.remember(state);
    this.send();
  }

  /** Sends what has not been confirmed, in its order. */
  send() {
    clearTimeout(this.timer);
    this.timer = 0;
    return (this.talk = this.talk.then(() => this.sendAll()));
  }

  async sendAll() {
    while (this.isShared && (this.pending.length || this.version < 0)) {
      if (this.version < 0 && !(await this.read())) return;
      if (!this.pending.length) return;
      const [{ edit, changes }] = this.pending;
      try {
        const body = { edit, version: this.version, changes: changes.map(changeForServer) };
        const answer = await change('POST', '/queue', body);
        this.failures = 0;
        this.pending.shift();
        const isNext = answer.made && answer.version === this.version + 1;
        // What the former queue holds, only the server knows.
        if (isNext && !changes.some(({ restore }) => restore)) {
          this.confirmed = changes.reduce(applied, this.confirmed);
          this.version = answer.version;
          this.remember(this.shown());
        } else {
          // It may have been read with an edit that seemed not to be made yet.
          this.version = -1;
        }
      } catch (error) {
        if (!this.goesOn(/** @type {Error} */ (error))) return;
      }
    }
  }

  /** @param {Error} error @returns {boolean} whether the next attempt can be made at once */
  goesOn(error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 401 || status === 403) {
      // Who may only read has a queue in this browser alone.
      this.isShared = false;
      this.pending = [];
      return false;
    }
    if (status === 409) {
      // The library is another one, or an older one: what it has is read first.
      this.version = -1;
      return (this.failures += 1) < retryDelays.length;
    }
    if (status >= 400 && status < 500 && status !== 429) {
      // It will never be taken.
      this.pending.shift();
      this.version = -1;
      return true;
    }
    this.retry();
    return false;
  }

  retry() {
    const wait = retryDelays[Math.min(this.failures, retryDelays.length - 1)];
    this.failures += 1;
    this.timer = this.timer || setTimeout(() => {
      this.timer = 0;
      this.send();
    }, wait);
  }

  /** What the server has, with what it has not confirmed yet. */
  shown() {
    return this.pending.flatMap(({ changes }) => changes).reduce(applied, this.confirmed);
  }

  /** Asks the server for the queue, which may have changed elsewhere. */
  refresh() {
    return (this.talk = this.talk.then(async () => {
      if (this.isShared) await this.read();
      await this.sendAll();
    }));
  }

  /** @returns {Promise<boolean>} whether it answered */
  async read() {
    let answer;
    try {
      answer = await getJSON('/queue');
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) this.isShared = false;
      else this.retry();
      return false;
    }
    const isOther = answer.version !== this.version;
    const isFirst = answer.version === 0 && this.version < 0 && !this.pending.length && !this.hasRead;
    this.hasRead = true;
    this.version = answer.version;
    if (!isOther) return true;
    const { entries, current, position, source } = this.confirmed;
    this.confirmed = stateOf(answer);
    // The person had none on the server: that of this browser is the first.
    if (isFirst && entries.length) {
      this.pending.push({ edit: newEdit(), changes: [{ replace: entries, current, position, source }] });
    }
    const state = this.shown();
    this.remember(state);
    this.adopt(state);
    return true;
  }
}
