/**
 * How a queue is changed, as the server does it (docs/api.md, `QueueChange`): entries are named by their keys, so a
 * change
 * can also be made on a later version than the one that it was meant for.
 */

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */

/**
 * @typedef {{key: number, row: TrackRow, rank: number | null}} Entry `rank`: its place while nothing is shuffled;
 *   null if
 *   somebody asked for it by itself
 * @typedef {{
 *   entries: Entry[], current: number | null, position: number, source: string | null, former: Former | null,
 * }} State `position` in milliseconds of the track that is current
 * @typedef {{tracks: number, title: string | null, position: number, changedAt: string | null, state?: State}} Former
 *   the queue that the latest replacement took the place of; the server tells only what is said of it
 * @typedef {{
 *   insert?: Entry[], move?: number[], after?: number | null, remove?: number[], replace?: Entry[],
 *   current?: number | null, position?: number, place?: number, source?: string | null, restore?: true,
 * }} Change one of insert, move, remove, replace, place, source and restore, with what belongs to it
 */

/** @type {State} */
export const nothing = { entries: [], current: null, position: 0, source: null, former: null };

/**
 * Where the current entry stands; -1 if none is current.
 * @param {State} state
 */
export const placeOf = ({ entries, current }) => entries.findIndex(({ key }) => key === current);

/**
 * Where entries go that are to stand behind another one.
 * @param {Entry[]} entries @param {number | null | undefined} after @param {number | null} current
 */
function indexBehind(entries, after, current) {
  if (after === null || after === undefined) return 0;
  for (const wanted of [after, current]) {
    const index = entries.findIndex(({ key }) => key === wanted);
    if (index >= 0) return index + 1;
  }
  return entries.length;
}

/** @param {Entry[]} entries @param {number} index @param {Entry[]} added */
const spliced = (entries, index, added) => [...entries.slice(0, index), ...added, ...entries.slice(index)];

/**
 * Those of some entries whose keys come for the first time.
 * @param {Entry[]} entries @param {Set<number>} [known]
 */
const fresh = (entries, known = new Set()) => entries.filter(({ key }) => !known.has(key) && known.add(key));

/** @param {State} state @param {string} [now] in ISO 8601 @returns {Former} */
function formerOf(state, now = new Date().toISOString()) {
  const row = state.entries[placeOf(state)]?.row;
  return {
    tracks: state.entries.length, title: row?.title ?? row?.filename ?? null, position: state.position, changedAt: now,
    state: { ...state, former: null },
  };
}

/**
 * The queue after a change.
 * @param {State} state @param {Change} change @returns {State}
 */
export function applied(state, change) {
  const { entries, current } = state;
  if (change.insert) {
    const added = fresh(change.insert, new Set(entries.map(({ key }) => key)));
    return { ...state, entries: spliced(entries, indexBehind(entries, change.after, current), added) };
  }
  if (change.move) {
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    const moving = new Set(change.move);
    const moved = /** @type {Entry[]} */ ([...moving].map((key) => byKey.get(key)).filter(Boolean));
    const rest = entries.filter(({ key }) => !moving.has(key));
    return { ...state, entries: spliced(rest, indexBehind(rest, change.after, current), moved) };
  }
  if (change.remove) {
    const gone = new Set(change.remove);
    const rest = entries.filter(({ key }) => !gone.has(key));
    if (current === null || !gone.has(current)) return { ...state, entries: rest };
    const next = entries.slice(placeOf(state)).find(({ key }) => !gone.has(key));
    return { ...state, entries: rest, current: next?.key ?? null, position: 0 };
  }
  if (change.replace) {
    const added = fresh(change.replace);
    const isThere = added.some(({ key }) => key === change.current);
    return {
      entries: added, current: isThere ? change.current ?? null : null, position: isThere ? change.position ?? 0 : 0,
      source: change.source ?? null, former: entries.length ? formerOf(state) : state.former,
    };
  }
  if (change.place !== undefined) {
    if (!entries.some(({ key }) => key === change.place)) return state;
    return { ...state, current: change.place, position: change.position ?? 0 };
  }
  if (change.source !== undefined) return { ...state, source: change.source };
  // What only the server has comes from there.
  if (change.restore && state.former?.state) return { ...state.former.state, former: formerOf(state) };
  return state;
}

/**
 * What takes a change back; nothing for where one is.
 * @param {State} state before the change @param {Change} change @returns {Change[]}
 */
export function inverse(state, change) {
  const { entries } = state;
  const known = new Set(entries.map(({ key }) => key));
  /**
   * Each run of entries that stands apart, with what it stands behind.
   * @param {Set<number>} keys
   */
  const runs = (keys) => {
    /** @type {{after: number | null, run: Entry[]}[]} */
    const found = [];
    entries.forEach((entry, i) => {
      if (!keys.has(entry.key)) return;
      const before = entries[i - 1];
      if (before && keys.has(before.key)) found[found.length - 1].run.push(entry);
      else found.push({ after: before?.key ?? null, run: [entry] });
    });
    return found;
  };
  if (change.insert) return [{ remove: change.insert.map(({ key }) => key).filter((key) => !known.has(key)) }];
  if (change.move) {
    return runs(new Set(change.move)).map(({ after, run }) => ({ move: run.map(({ key }) => key), after }));
  }
  if (change.remove) return runs(new Set(change.remove)).map(({ after, run }) => ({ insert: run, after }));
  if (change.replace || change.restore) return [{ restore: true }];
  return [];
}

/**
 * A number that no other entry has: 48 random bits.
 */
export const newKey = () => 1 + Math.floor(Math.random() * 2 ** 48);

/** @param {Entry} entry as the server takes it */
const entryForServer = ({ key, row, rank }) => ({
  entry: key, track: row.id, file: row.file ?? null, part: row.part?.number ?? null, rank,
});

/**
 * A change as the server takes it.
 * @param {Change} change
 */
export function changeForServer({ insert, replace, position, ...rest }) {
  return {
    ...rest, ...(insert && { insert: insert.map(entryForServer) }),
    ...(replace && { replace: replace.map(entryForServer) }),
    ...(position !== undefined && { position_ms: Math.max(0, Math.round(position)) }),
  };
}

/**
 * The queue as the server tells it.
 * @param {any} answer @returns {State}
 */
export function stateOf({ rows, current, position_ms: position, source, former }) {
  return {
    entries: rows.map((/** @type {any} */ { entry: key, rank, ...row }) => {
      const { part } = row;
      if (part) row.title = part.title ??= `Part ${part.number}`;
      if (part?.artist) row.artist = part.artist;
      return { key, rank, row };
    }),
    current, position, source,
    former: former && {
      tracks: former.tracks, title: former.title, position: former.position_ms, changedAt: former.changed_at,
    },
  };
}
