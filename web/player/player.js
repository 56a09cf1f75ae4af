/** The player: which track, where in it, and what comes next. One for the page. */

import { factor, gainOf, volumeFactor } from '../audio/gain.js';
import { StreamEngine, canStream } from '../audio/stream-engine.js';
import { change, getJSON } from '../core/api.js';
import { settings } from '../core/settings.js';
import { effect, signal } from '../core/signals.js';
import { settingsOf } from '../data/presets.js';
import { partsOf, titleOf } from '../data/tracks.js';
import { Queue } from './queue.js';

/** Of the engines only the one that can play is loaded. */
const Engine = canStream() ? StreamEngine : (await import('../audio/element-engine.js')).ElementEngine;

/** @typedef {import('../data/documents.js').TrackDetail} TrackDetail */
/** @typedef {import('../data/documents.js').TrackRow} TrackRow */

/**
 * @typedef {{
 *   key: number, id: number, rate: number, gain: number, effects: import('../data/presets.js').Settings | null,
 *   frames: number, row: TrackRow, detail: TrackDetail, heard: number, since: Date, from: number, until: number,
 *   isChained: boolean, join?: import('../data/transitions.js').Join | null,
 * }} Loaded a track that can be played, or the part of it `from` a frame `until` another
 * @typedef {{start: number, end: number}} Range in frames
 */

/**
 * Whether each packet depends on all before it (docs/decisions/0012-positions-are-exact.md).
 * @param {string | null | undefined} codec
 */
const isChained = (codec) => codec === 'opus';

/** @param {string} verb @param {TrackRow[]} rows */
const wordsFor = (verb, rows) =>
  `${verb} ${rows.length === 1 ? `“${titleOf(rows[0])}”` : `${rows.length} tracks`}`;

class Player {
  constructor() {
    this.track = signal(/** @type {Loaded | null} */ (null));
    this.playing = signal(false);
    this.waiting = signal(false);
    /** The part of the way to a distant place that is done; null when there is none. */
    this.way = signal(/** @type {number | null} */ (null));
    /** What keeps it from playing, for people. */
    this.trouble = signal('');
    /** The row that comes next, if it is known. */
    this.following = signal(/** @type {TrackRow | null} */ (null));
    /** How the track leads to it. */
    this.transition = signal(/** @type {import('../data/transitions.js').Transition | null} */ (null));
    /** How often the queue has changed. */
    this.queued = signal(0);
    /** Whether it stands where it was stopped before, until it goes on. */
    this.rested = signal(false);
    this.loop = signal(/** @type {Range | null} */ (null));
    /** How often somebody has gone to another place: what shows the place is drawn again, even while nothing plays. */
    this.sought = signal(0);
    this.queue = new Queue();
    this.queue.edited = (changes) => this.edited(changes);
    /**
     * Passes on edits to who keeps the queue.
     * @type {(changes: import('./queue-changes.js').Change[]) => void}
     */
    this.keeper = () => {};
    this.keys = 0;
    /** Which of the tracks that were asked for is the last one. */
    this.turn = 0;
    /** Which of the searches for what comes next is the last one. */
    this.search = 0;
    /** @type {import('../data/tracks.js').Part[]} */
    this.knownParts = [];
    /** @type {TrackDetail | null} The document that `knownParts` are of. */
    this.partsFor = null;
    /** @type {{loaded: Loaded, step: {track: TrackRow, key: number | null}} | null} */
    this.prepared = null;
    const listener = {
      moved: (/** @type {number} */ key) => this.moved(key),
      ended: () => this.ended(),
      waiting: (/** @type {boolean} */ isWaiting) => (this.waiting.value = isWaiting),
      failed: (/** @type {string} */ message) => this.fail(message),
      restarted: () => this.giveNext(),
      approaching: (/** @type {number | null} */ way) => (this.way.value = way),
    };
    this.engine = new Engine(listener);
    effect(() => this.engine.setVolume(volumeFactor(settings.volume.value)));
    // The choice is kept before it is followed: what is read on the way runs these again.
    let modes = '';
    effect(() => {
      const before = modes;
      modes = `${settings.shuffle.value} ${settings.repeat.value}`;
      if (!before || before === modes) return;
      if (before.split(' ')[0] !== modes.split(' ')[0]) this.queue.reorder(settings.shuffle.peek());
      this.prepare();
    });
    let gains = '';
    effect(() => {
      const before = gains;
      gains = `${settings.replayGain.value} ${settings.protectPeaks.value}`;
      if (before && before !== gains) this.regain();
    });
    let style = '';
    effect(() => {
      const before = style;
      style = settings.transitions.value;
      if (this.engine instanceof StreamEngine) this.engine.mixes = style === 'smart';
      if (before && before !== style) this.join();
    });
    setInterval(() => this.tick(), 250);
  }

  /**
   * Plays a row of a result; what follows it there comes next.
   * @param {TrackRow} row @param {import('./queue.js').Result} result @param {number} index
   * @param {number} [frame] where in the row
   */
  async playFrom(row, result, index, frame = 0) {
    this.queue.begin(row, result, index, settings.shuffle.peek());
    await this.begin(row, frame, true);
  }

  /**
   * Tracks that play before what comes next; at once if nothing plays.
   * @param {...TrackRow} rows
   */
  ask(...rows) {
    this.queue.askNext(rows, wordsFor('adding', rows));
    this.startOr(() => this.prepare());
  }

  /**
   * Tracks that play after everything else.
   * @param {...TrackRow} rows
   */
  askLast(...rows) {
    this.queue.askLast(rows, wordsFor('adding', rows));
    this.startOr(() => this.prepare());
  }

  /**
   * Plays tracks, and nothing behind them.
   * @param {TrackRow[]} rows
   */
  async playRows(rows) {
    this.queue.beginRows(rows, settings.shuffle.peek());
    await this.openCurrent(true, 0);
  }

  /** @param {() => void} otherwise if a track is open already */
  startOr(otherwise) {
    if (this.track.peek()) otherwise();
    else this.skip();
  }

  /**
   * Plays an entry of the queue.
   * @param {number} key
   */
  async playEntry(key) {
    const entry = this.queue.entries.find((one) => one.key === key);
    if (!entry) return;
    this.queue.goTo(key);
    await this.begin(entry.row, 0, true);
  }

  /**
   * Opens the current entry of a queue that has come from elsewhere, at its place.
   * @param {boolean} playing @param {number} [frame] its exact place, if it is known
   */
  async openCurrent(playing, frame) {
    const { queue } = this;
    const entry = queue.entries[queue.place];
    if (!entry) return;
    const start = frame ?? Math.round((queue.state.position / 1000) * (entry.row.rate ?? 0));
    await this.begin(entry.row, start, playing);
  }

  /**
   * What has been changed here is kept, and who shows the queue draws it.
   * @param {import('./queue-changes.js').Change[]} changes
   */
  edited(changes) {
    this.keeper(changes);
    this.queued.value = this.queued.peek() + 1;
  }

  /** The queue has been changed, not by playing: what comes next may be something else. */
  rearranged() {
    if (this.track.peek() && settings.repeat.peek() !== 'one') this.prepare();
  }

  /**
   * Takes back the latest edit of the queue.
   * @returns {string | null} what it was
   */
  undoEdit() {
    const { current } = this.queue.state;
    const words = this.queue.undo();
    if (words === null) return null;
    const now = this.queue.state.current;
    if (now !== null && now !== current) this.openCurrent(this.playing.peek());
    else this.rearranged();
    return words;
  }

  /**
   * Takes what the queue has become elsewhere. What plays goes on; a player at rest follows to where one was.
   * @param {import('./queue-changes.js').State} state
   */
  adopt(state) {
    const { current, position } = this.queue.state;
    const isThere = state.entries.some(({ key }) => key === current);
    const staysHere = this.playing.peek() && isThere;
    this.queue.state = staysHere ? { ...state, current, position } : state;
    this.queued.value = this.queued.peek() + 1;
    if (this.playing.peek()) return this.rearranged();
    if (state.current === current && Math.abs(state.position - position) < 1500) return this.rearranged();
    return this.rest();
  }

  /**
   * Opens the current entry without playing, and says so.
   * @param {number} [frame] its exact place, if it is known
   */
  async rest(frame) {
    await this.openCurrent(false, frame);
    this.rested.value = !this.playing.peek() && this.track.peek() !== null;
  }

  /** Keeps where one is in the track that plays. */
  keepPlace() {
    const [track, { current }] = [this.track.peek(), this.queue.state];
    if (track && current !== null) {
      this.queue.edit([{ place: current, position: Math.round((1000 * this.frame()) / track.rate) }]);
    }
  }

  /** @param {TrackRow} row @param {number} frame @param {boolean} playing */
  async begin(row, frame, playing) {
    this.trouble.value = '';
    this.rested.value = false;
    this.leave(false);
    const turn = (this.turn += 1);
    this.playing.value = playing;
    const loading = this.load(row, (this.keys += 1));
    const first = Math.max(frame, row.part?.start ?? 0);
    this.engine.expect(row.id, isChained(row.codec) && first ? null : first, row.rate);
    let loaded;
    try {
      loaded = await loading;
    } catch (error) {
      return this.fail(/** @type {Error} */ (error).message);
    }
    if (turn !== this.turn) return;
    this.loop.value = null;
    this.engine.setLoop(null);
    // First what is heard, then what is drawn.
    const started = this.engine.start(loaded, Math.max(frame, loaded.from), this.playing.peek());
    this.track.value = loaded;
    await started;
    this.prepare();
  }

  /** The parts of the track that plays. */
  get parts() {
    const track = this.track.peek();
    if (track && this.partsFor !== track.detail) {
      [this.partsFor, this.knownParts] = [track.detail, partsOf(track.detail)];
    }
    return track ? this.knownParts : [];
  }

  /** @param {TrackRow} row @param {number} key @returns {Promise<Loaded>} */
  async load(row, key) {
    const detail = await getJSON(`/tracks/${row.id}`);
    const { sample_rate_hz: rate, decoded_frames: frames } = detail.format ?? {};
    if (!rate || !frames) {
      throw new Error(detail.files?.[0]?.problem?.reason ?? 'This file contains no audio that can be decoded.');
    }
    const effects = await this.effectsOf(row.id, detail);
    const { start: from, end: until } = row.part ?? { start: 0, end: frames };
    return {
      key, id: row.id, rate, frames, row, detail, effects, gain: factor(gainOf(detail).decibels), heard: 0,
      since: new Date(), from, until,
      isChained: isChained(detail.format.codec),
    };
  }

  /**
   * What a track goes through: its preset, if one applies.
   * @param {number} id @param {TrackDetail} detail
   */
  async effectsOf(id, detail) {
    if (!detail.preset || !settings.presets.peek()) return null;
    const { preset } = await getJSON(`/tracks/${id}/preset`);
    return preset?.document ? settingsOf(preset.document) : null;
  }

  /**
   * Lets what plays sound otherwise from now on.
   * @param {import('../data/presets.js').Settings | null} effects
   */
  shape(effects) {
    const track = this.track.peek();
    if (!track) return;
    track.effects = effects;
    this.engine.shape(track.key, effects);
  }

  /** What listens to what leaves; null where the browser plays by itself. */
  meter() {
    return this.engine.meter;
  }

  /** By how many seconds what is heard is late. */
  delay() {
    return this.engine.delay();
  }

  /** Finds what comes next and gives it to the engine, which reads ahead. */
  async prepare() {
    const track = this.track.peek();
    if (!track) return;
    const search = (this.search += 1);
    const isOver = () => search !== this.search || track !== this.track.peek();
    this.prepared = null;
    const repeat = settings.repeat.peek();
    try {
      const step = repeat === 'one'
        ? { track: track.row, key: this.queue.state.current }
        : await this.queue.next(repeat);
      if (isOver()) return;
      this.following.value = step?.track ?? null;
      const loaded = step && (await this.load(step.track, (this.keys += 1)));
      const style = settings.transitions.peek();
      const transition = loaded && style !== 'gapless'
        ? await import('../data/transitions.js')
          .then((plans) => plans.transitionTo(track, loaded, style))
          .catch(() => null)
        : null;
      if (isOver()) return;
      this.transition.value = transition;
      this.prepared = loaded && { loaded: { ...loaded, join: transition?.join }, step };
    } catch {
      // What cannot be heard is told when it is its turn.
      if (isOver()) return;
    }
    this.giveNext();
  }

  /** Tells the engine again what comes next, which it forgets whenever it starts. */
  giveNext() {
    const track = this.track.peek();
    if (track) this.engine.setNext(this.prepared?.loaded ?? null, track.key);
  }

  /**
   * The engine has gone on to the next track.
   * @param {number} key
   */
  moved(key) {
    if (key === this.track.peek()?.key || key !== this.prepared?.loaded.key) return;
    const { loaded, step } = this.prepared;
    this.leave(true);
    if (step.key !== null) this.queue.goTo(step.key);
    this.loop.value = null;
    this.track.value = { ...loaded, since: new Date() };
    this.prepare();
  }

  async ended() {
    const { prepared } = this;
    if (prepared) {
      this.moved(prepared.loaded.key);
      await this.engine.start(prepared.loaded, prepared.loaded.join?.start ?? prepared.loaded.from, true);
      return this.prepare();
    }
    this.leave(true);
    this.playing.value = false;
    const track = this.track.peek();
    if (track) await this.engine.start(track, track.from, false);
    this.following.value = null;
  }

  toggle() {
    if (!this.track.peek()) return;
    this.playing.value = !this.playing.peek();
    this.rested.value = false;
    this.engine.setPlaying(this.playing.peek());
  }

  /** To the next track, whatever is repeated. */
  async skip() {
    const step = await this.queue.next('all');
    if (!step) return;
    this.queue.goTo(step.key);
    await this.begin(step.track, 0, this.playing.peek() || !this.track.peek());
  }

  /** To the start of the track, or in its first three seconds to the track before. */
  async back() {
    const track = this.track.peek();
    if (!track) return;
    if (this.frame() > track.from + 3 * track.rate) return this.seek(track.from);
    const before = await this.queue.previous();
    if (!before) return this.seek(0);
    this.queue.edit([{ place: before.key, position: 0 }]);
    await this.begin(before.track, 0, this.playing.peek());
  }

  /** @param {number} frame */
  async seek(frame) {
    const track = this.track.peek();
    if (!track) return;
    const target = Math.round(Math.min(Math.max(0, frame), track.frames - 1));
    // Who goes outside of a queued part wants the whole.
    if (target < track.from || target >= track.until) Object.assign(track, { from: 0, until: track.frames });
    const loop = this.loop.peek();
    if (loop && (target < loop.start || target >= loop.end)) this.setLoop(null);
    const started = this.engine.start(track, target, this.playing.peek());
    this.sought.value = this.sought.peek() + 1;
    await started;
    if (this.prepared) this.giveNext();
  }

  /** @param {number} seconds */
  seekBy(seconds) {
    const track = this.track.peek();
    if (track) this.seek(this.frame() + seconds * track.rate);
  }

  /** @param {Range | null} range */
  setLoop(range) {
    this.loop.value = range;
    this.engine.setLoop(range);
    const track = this.track.peek();
    if (!range || !track) return;
    const frame = this.frame();
    // What has been read beyond the new end must not be heard.
    this.engine.start(track, frame >= range.start && frame < range.end ? frame : range.start, this.playing.peek());
    if (this.prepared) this.giveNext();
  }

  /** The frame that is heard now. */
  frame() {
    const track = this.track.peek();
    return track ? Math.min(this.engine.frame(), track.frames) : 0;
  }

  /** Applies another choice of ReplayGain from here on. */
  async regain() {
    const track = this.track.peek();
    if (!track) return;
    this.track.value = { ...track, gain: factor(gainOf(track.detail).decibels) };
    await this.seek(this.frame());
    this.prepare();
  }

  /** Applies another choice of transitions. */
  async join() {
    const { engine } = this;
    const track = this.track.peek();
    // Two tracks at once need another worklet.
    if (track && engine instanceof StreamEngine && !engine.fits(track.rate)) await this.seek(this.frame());
    this.prepare();
  }

  /** @param {string} message */
  fail(message) {
    this.playing.value = false;
    this.waiting.value = false;
    this.way.value = null;
    this.trouble.value = message;
  }

  tick() {
    const track = this.track.peek();
    if (!track || !this.playing.peek()) return;
    if (this.engine.isHeldBack()) this.trouble.value = 'Paused by the browser: press play to hear it.';
    else {
      track.heard += 0.25;
      if (this.trouble.peek().startsWith('Paused')) this.trouble.value = '';
    }
  }

  /**
   * Counts a play that is over, if it was heard for ten seconds or to its end.
   * @param {boolean} finished
   */
  leave(finished) {
    const track = this.track.peek();
    if (!track || (track.heard < 10 && !finished)) return;
    const started = track.since.toISOString().replace(/\.\d+/, '');
    const body = { track: track.id, started_at: started, seconds: track.heard, finished };
    track.heard = 0;
    change('POST', '/plays', body).catch(() => {});
  }
}

export const player = new Player();
