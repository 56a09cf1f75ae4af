/**
 * A worker that reads exact ranges of tracks and sends them to the worklet, a few seconds ahead; at the end of a track
 * it goes on with the next one at once, so there is no gap, and at the end of a loop with its start.
 *
 * Samples are moved, not copied, in parts over a port: the same way whether or not the page may share memory.
 */

import { getPCM } from '../data/pcm.js';

/** Servers keep decoded audio in segments of this many frames. */
const segment = 32_768;
const partsAhead = 6;
/** The shortest step to a place that somebody waits for, in frames: some 60 ms of decoding. */
const leastStep = 32 * segment;
/** The most steps to a place that somebody waits for. */
const mostSteps = 16;

/**
 * @typedef {{start: number, end: number, overlap: number, fadeOut: number, fadeIn: number}} Join how a track begins:
 *   from its frame `start`, in the last frames before `end` of the track before, `overlap` of them
 * @typedef {{
 *   key: number, id: number, gain: number, from: number, until: number, isChained: boolean, join?: Join | null,
 * }} Item the part `from` a frame `until` another; `isChained`: a place is reached only by decoding everything before
 *
 * The page is told `{error}` when a track cannot be read, and `{way}`: the part of the way to a distant place that is
 * done, null at its end.
 */

const state = {
  epoch: 0,
  /** @type {Item | null} */
  item: null,
  frame: 0,
  /** @type {Item | null} */
  next: null,
  /**
   * The track before, how far it was read, and up to where it is read beside the next one, which begins at a frame of
   * it.
   * @type {{item: Item, frame: number, end: number, from: number, start: number} | null}
   */
  before: null,
  /** @type {{start: number, end: number} | null} */
  loop: null,
  ahead: 0,
  isRunning: false,
  /** @type {AbortController | null} */
  request: null,
  /** @type {MessagePort | null} */
  worklet: null,
  /**
   * The first part of a track that is about to be played.
   * @type {{id: number, frame: number, part: Promise<{planes: Float32Array[], total: number}>} | null}
   */
  expected: null,
};
let wake = () => {};

self.onmessage = (event) => {
  const message = event.data;
  if (message.expected) expect(message.expected);
  if (message.worklet) {
    state.worklet?.close();
    state.worklet = message.worklet;
    message.worklet.onmessage = (/** @type {MessageEvent} */ event) => {
      if (event.data.played !== state.epoch) return;
      state.ahead -= 1;
      wake();
    };
  }
  if (message.loop !== undefined) state.loop = message.loop;
  if (message.item) start(message);
  if (message.next !== undefined) setNext(message.next, message.after);
};

/** @param {{id: number, frame: number}} place */
function expect({ id, frame }) {
  const part = getPCM(id, frame, segment - (frame % segment));
  part.catch(() => {}); // Told when it is asked for again.
  state.expected = { id, frame, part };
}

/**
 * Frames of a track: those that were expected, if they are these.
 * @param {number} id @param {number} frame @param {number} count @param {AbortSignal} signal
 */
async function partOf(id, frame, count, signal) {
  const { expected } = state;
  state.expected = null;
  if (expected?.id === id && expected.frame === frame) {
    const part = await expected.part.catch(() => null);
    if (part && (part.planes[0]?.length ?? 0) <= count) return part;
  }
  return getPCM(id, frame, count, signal);
}

/** @param {{item: Item, frame: number, epoch: number}} message */
function start(message) {
  state.request?.abort();
  self.postMessage({ way: null });
  const { epoch, item, frame } = message;
  Object.assign(state, { epoch, item, frame, next: null, before: null, ahead: 0 });
  run();
}

/** @param {Item | null} next @param {number} after the key of the track that it follows */
function setNext(next, after) {
  if (!state.item) return;
  if (state.item.key !== after && state.item.key !== next?.key) {
    // The track that was to come next has been read ahead: forget it.
    state.request?.abort();
    state.worklet?.postMessage({ keep: after });
    const { before } = state;
    if (before?.item.key === after) Object.assign(state, { item: before.item, frame: before.frame, next });
    else Object.assign(state, { item: next, frame: next?.from ?? 0, next: null });
    Object.assign(state, { before: null, ahead: 0 });
  } else if (state.item.key === after) state.next = next;
  run();
}

/** Reads until the end, and waits whenever enough is ahead. */
async function run() {
  wake();
  if (state.isRunning) return;
  state.isRunning = true;
  while (state.item) {
    if (state.ahead >= partsAhead * (rest() ? 2 : 1)) {
      await new Promise((resolve) => (wake = () => resolve(undefined)));
      continue;
    }
    try {
      const { before } = state;
      const isBefore = before !== null && rest() && before.frame - before.from <= state.frame - before.start;
      if (!(await (isBefore ? readRest(before, state.epoch) : readOne(state.item, state.epoch)))) break;
    } catch (error) {
      if (/** @type {Error} */ (error).name === 'AbortError') continue;
      self.postMessage({ error: /** @type {Error} */ (error).message, item: state.item.key });
      break;
    }
  }
  state.isRunning = false;
}

/**
 * How far the server is known to have decoded a chained track, so that every place before is reached soon: it remembers
 * its decoder's states on the way. `visit` is the step that is under way.
 */
const explored = { id: 0, frame: 0, visit: /** @type {Promise<boolean> | null} */ (null) };

/**
 * Lets the server decode up to a frame of the explored track.
 * @param {Item} item @param {number} frame @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} whether it is there
 */
function visit({ id }, frame, signal) {
  const visit = getPCM(id, frame, 1, signal).then(() => true, () => false).then((isThere) => {
    if (isThere && explored.id === id) explored.frame = Math.max(explored.frame, frame);
    explored.visit = null;
    return isThere;
  });
  return (explored.visit = visit);
}

/**
 * Goes to a distant frame step by step, and tells how far it is; who goes elsewhere meanwhile waits for one step at
 * most.
 * @param {Item} item @param {number} frame @param {AbortSignal} signal
 */
async function approach(item, frame, signal) {
  // The worker that is on its way to the place knows the most states.
  while (explored.visit) await explored.visit;
  if (explored.id !== item.id) Object.assign(explored, { id: item.id, frame: 0 });
  const from = explored.frame;
  const step = Math.max(leastStep, Math.ceil((frame - from) / mostSteps / segment) * segment);
  while (!signal.aborted && explored.frame + step < frame) {
    self.postMessage({ way: (explored.frame - from) / (frame - from) });
    if (!(await visit(item, explored.frame + step, signal))) break;
  }
}

/** Whether the track before is still read, beside the next one. */
const rest = () => state.before !== null && state.before.frame < state.before.end;

/**
 * Reads and sends the next part of the track before.
 * @param {NonNullable<typeof state.before>} before @param {number} epoch
 */
async function readRest(before, epoch) {
  const { item, frame, end } = before;
  const part = await send(item, frame, Math.min(segment - (frame % segment), end - frame), epoch,
    () => state.before === before);
  if (!part) return true;
  before.frame += part.got;
  if (part.isShort) before.end = before.frame;
  return true;
}

/**
 * Reads and sends the next part.
 * @param {Item} item @param {number} epoch @returns {Promise<boolean>} whether to go on
 */
async function readOne(item, epoch) {
  const { loop, frame } = state;
  const isInLoop = loop !== null && frame < loop.end;
  const join = state.next?.join;
  const until = join ? join.end - join.overlap : item.until;
  // What comes next may be known only after the last frame has been read.
  if (!isInLoop && frame >= until) return goOn(epoch);
  const count = Math.min(segment - (frame % segment), (isInLoop ? loop.end : until) - frame);
  const part = await send(item, frame, count, epoch, () => item === state.item);
  if (!part) return true;
  state.frame += part.got;
  if (isInLoop && state.frame >= loop.end) state.frame = loop.start;
  else if (state.frame >= Math.min(part.total, until) || part.isShort) return goOn(epoch);
  return true;
}

/**
 * Sends frames of a track.
 * @param {Item} item @param {number} frame @param {number} count @param {number} epoch
 * @param {() => boolean} isWanted whether they still are, when they have come
 * @returns {Promise<{got: number, total: number, isShort: boolean} | null>} null if they are not
 */
async function send(item, frame, count, epoch, isWanted) {
  const request = (state.request = new AbortController());
  if (item.isChained) await approach(item, frame, request.signal);
  const { planes, total } = await partOf(item.id, frame, count, request.signal);
  if (request.signal.aborted || epoch !== state.epoch || !isWanted()) return null;
  if (item.isChained) {
    self.postMessage({ way: null });
    explored.frame = Math.max(explored.frame, frame);
  }
  const got = planes[0]?.length ?? 0;
  if (got) {
    state.ahead += 1;
    state.worklet?.postMessage({ epoch, item: item.key, frame, gain: item.gain, planes },
      [...new Set(planes)].map((plane) => plane.buffer));
  }
  return { got, total, isShort: got < count };
}

/** @param {number} epoch */
function goOn(epoch) {
  const { next, item, frame } = state;
  if (!next) {
    state.worklet?.postMessage({ epoch, isEnd: true });
    return false;
  }
  const { join } = next;
  const start = join?.start ?? next.from;
  if (join?.overlap) state.worklet?.postMessage({ epoch, join: { ...join, after: item?.key, item: next.key } });
  // It was read on before the next track was known.
  else if (join && frame > join.end) state.worklet?.postMessage({ epoch, item: item?.key, end: join.end });
  const before = { item, frame, end: join?.overlap ? join.end : 0, from: join ? join.end - join.overlap : 0, start };
  Object.assign(state, { item: next, frame: start, next: null, loop: null, before });
  return true;
}
