/** The parts of a track as a list: each is played by a click, or queued. */

import { toast } from '../../components/toast.js';
import { h } from '../../core/dom.js';
import { time } from '../../core/format.js';
import { effect } from '../../core/signals.js';
import { partAt, partsOf, rowOfPart } from '../../data/tracks.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

export class Chapters {
  /** @param {import('../../data/documents.js').TrackDetail} detail @param {TrackRow} row */
  constructor(detail, row) {
    this.id = detail.id;
    this.parts = partsOf(detail);
    const rate = detail.format?.sample_rate_hz ?? NaN;
    this.items = this.parts.map((part) => {
      const length = (part.end - part.start) / rate;
      return h('li', {},
        h('button', { type: 'button', class: 'part', onclick: () => this.play(row, part) },
          h('span', { class: 'index', 'aria-hidden': 'true' }, String(part.number)),
          h('span', { class: 'name' }, part.title),
          h('span', { class: 'second' }, part.artist && part.artist !== row.artist ? part.artist : ''),
          h('span', { class: 'number' }, time(part.start / rate)), h('span', { class: 'number second' }, time(length))),
        h('button', { type: 'button', class: 'word', 'aria-label': `Queue ${part.title}`, onclick: () => {
          player.ask(rowOfPart(row, part));
          toast(`“${part.title}” plays next.`);
        } }, 'Queue'));
    });
    const source = detail.parts?.[0]?.source ?? '';
    const isSheet = source.startsWith('cue') || source === 'flac-cuesheet';
    const kind = isSheet ? 'Tracks of the CUE sheet' : 'Chapters';
    this.element = h('section', { class: 'chapters' }, h('h2', { class: 'label' }, kind), h('ol', {}, this.items));
    this.stop = effect(() => {
      player.track.value;
      this.tick();
    });
  }

  /** @param {TrackRow} row @param {import('../../data/tracks.js').Part} part */
  play(row, part) {
    if (player.track.peek()?.id !== this.id) return player.begin(row, part.start, true);
    player.seek(part.start);
    if (!player.playing.peek()) player.toggle();
  }

  /** Marks the part that sounds. */
  tick() {
    const now = player.track.peek()?.id === this.id ? partAt(this.parts, player.frame()) : null;
    this.items.forEach((/** @type {Element} */ item, /** @type {number} */ i) => {
      if (this.parts[i] === now) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
    });
  }
}
