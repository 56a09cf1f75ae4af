/** The player at the bottom of the page: what sounds, where in it, how loud, and what is next. */

import { gainOf } from '../../audio/gain.js';
import { drawers, toggleDrawer } from '../../components/drawer.js';
import { SeekBar } from '../../components/seek-bar.js';
import { shapes, volumeSlider } from '../../components/transport.js';
import { Zoom } from '../../components/waveform-zoom.js';
import { attribute, h, iconButton, setText } from '../../core/dom.js';
import { isEtchable, length, matrixMeaning, matrixNumber, number, time } from '../../core/format.js';
import { isLight, isStill, settings } from '../../core/settings.js';
import { effect } from '../../core/signals.js';
import { coverOfTrack } from '../../data/covers.js';
import { partAt, titleOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';


/**
 * A word that is on or off.
 * @param {string} name @param {import('../../core/signals.js').Signal<boolean>} flag
 */
function toggleWord(name, flag) {
  const button = h('button', { type: 'button', class: 'tool', onclick: () => (flag.value = !flag.peek()) }, name);
  effect(() => attribute(button, 'aria-pressed', String(flag.value)));
  return button;
}

/**
 * To the next of some values, around.
 * @template T
 * @param {import('../../core/signals.js').Signal<T>} chosen @param {readonly T[]} values
 */
function advance(chosen, values) {
  chosen.value = values[(values.indexOf(chosen.peek()) + 1) % values.length];
}

/**
 * A running time: each digit in a cell of the same width.
 * @param {HTMLElement} element @param {string} text
 */
function setClock(element, text) {
  while (element.children.length > text.length) element.lastElementChild?.remove();
  while (element.children.length < text.length) element.append(h('span'));
  [...text].forEach((character, i) => {
    setText(element.children[i], character);
    element.children[i].className = /\d/.test(character) ? 'digit' : 'sign';
  });
}

/** @param {HTMLElement} element @param {string} text */
function setEtched(element, text) {
  setText(element, text);
  element.classList.toggle('foreign', !isEtchable(text));
}

/** @param {number} left how many tracks follow */
const restedWords = (left) => `Stopped here${left > 0 ? `, with ${number(left)} in the queue` : ''}`;

export class Bar {
  constructor() {
    this.zoom = new Zoom();
    this.seekBar = new SeekBar(this.zoom.viewport);
    this.play = iconButton('Play', shapes.play, () => player.toggle(), 'play');
    this.title = h('a', { class: 'etch now', href: '/' });
    this.artist = h('p', { class: 'second' });
    this.clock = h('span', { class: 'clock' });
    this.length = h('span', { class: 'of' });
    this.facts = h('div', { class: 'facts' }, this.presetFact(), this.gainFact(), this.nextFact(), this.volumeFact());
    this.matrix = h('span', { class: 'matrix', title: matrixMeaning });
    this.trouble = h('p', { role: 'status' });
    const words = h('p', { class: 'span' });
    effect(() => setText(words, this.zoom.words.value));
    this.element = h('section', { class: 'player', 'aria-label': 'Player' },
      h('div', { class: 'controls' },
        iconButton('Previous', shapes.previous, () => player.back(), 'previous'), this.play,
        iconButton('Next', shapes.next, () => player.skip(), 'next'),
        this.coverButton(), h('div', { class: 'titles' }, this.title, this.artist, this.trouble),
        this.facts, this.queueWord(),
        h('p', { class: 'times', 'aria-hidden': 'true' }, this.clock, this.length)),
      this.zoom.element,
      h('div', { class: 'tools' }, words, h('div', { class: 'words' },
        toggleWord('Shuffle', settings.shuffle), this.repeatWord(), toggleWord('Follow', settings.follow),
        this.loopWord(), toggleWord('Spectrogram', settings.spectrogram), this.saveWord())),
      h('div', { class: 'whole' }, this.seekBar.element, h('p', { class: 'runout' }, this.matrix)));
    this.watch();
  }

  watch() {
    effect(() => this.name(player.track.value));
    effect(() => {
      const playing = player.playing.value;
      this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
      this.play.querySelector('path')?.setAttribute('d', playing ? shapes.pause : shapes.play);
      this.element.classList.toggle('sounding', playing);
      if (playing) this.run();
    });
    effect(() => {
      const [trouble, way] = [player.trouble.value, player.way.value];
      const rested = player.rested.value && player.queued.value >= 0 ? restedWords(player.queue.left) : '';
      this.trouble.className = trouble || (way === null && !rested) ? 'trouble' : 'way';
      setText(this.trouble, trouble || (way === null ? rested : `Decoding up to there: ${Math.round(100 * way)} %`));
    });
    effect(() => {
      player.sought.value;
      this.tick();
    });
  }

  /** @param {import('../../player/player.js').Loaded | null} track */
  name(track) {
    this.element.classList.toggle('idle', !track);
    if (!track) {
      setEtched(this.title, 'Nothing is playing.');
      const isTouch = matchMedia('(pointer: coarse)').matches;
      setText(this.artist, isTouch ? 'Tap a track.' : 'Choose a track and press Enter.');
      setClock(this.clock, '0:00.0');
      return;
    }
    const { row, detail } = track;
    this.title.href = `/track/${track.id}`;
    setEtched(this.title, titleOf(row));
    setText(this.length, length(track.frames / track.rate));
    setText(this.matrix, matrixNumber(detail.hash));
    document.title = `${titleOf(row)} \u2013 Deadwax`;
    this.tick();
  }

  /** Moves what moves, as long as it sounds; with reduced motion ten times a second. */
  run() {
    if (this.isRunning) return;
    this.isRunning = true;
    const step = () => {
      this.tick();
      this.isRunning = player.playing.peek();
      if (!this.isRunning) return;
      if (isStill.peek()) setTimeout(step, 100);
      else requestAnimationFrame(step);
    };
    step();
  }

  tick() {
    const track = player.track.peek();
    if (!track) return;
    setClock(this.clock, time(player.frame() / track.rate, 1));
    const part = track.row.part ? null : partAt(player.parts, player.frame());
    setText(this.artist, [part && `${part.number} ${part.title}`, track.row.artist, track.row.album]
      .filter(Boolean).join(' \u00b7 '));
    this.zoom.render();
    this.seekBar.render();
  }

  /** @param {string} label @param {Element} value */
  fact(label, value) {
    return h('div', { class: 'fact' }, h('span', { class: 'label' }, label), value);
  }

  presetFact() {
    const value = h('span');
    const fact = this.fact('Preset', value);
    effect(() => {
      const detail = player.track.value?.detail;
      fact.hidden = !detail?.preset;
      value.replaceChildren(detail?.preset ?? '',
        h('span', { class: 'second' }, detail?.preset_from ? ` \u00b7 ${detail.preset_from}` : ''));
    });
    return fact;
  }

  gainFact() {
    const modes = /** @type {const} */ (['track', 'album', 'off']);
    const button = h('button', { type: 'button', class: 'value', onclick: () => advance(settings.replayGain, modes) });
    effect(() => {
      const mode = settings.replayGain.value;
      const track = player.track.value;
      const { decibels, isLimited } = gainOf(track?.detail);
      const value = mode === 'off' ? 'off' : `${number(decibels, 1)} dB`;
      button.replaceChildren(value,
        h('span', { class: 'second' }, mode === 'off' ? '' : ` \u00b7 ${mode}${isLimited ? ', peak' : ''}`));
      button.setAttribute('aria-label', `ReplayGain: ${value}${mode === 'off' ? '' : `, of the ${mode}`}`);
    });
    return this.fact('ReplayGain', button);
  }

  nextFact() {
    const value = h('span', { class: 'next-title' });
    const fact = this.fact('Next', value);
    effect(() => {
      const next = player.following.value;
      fact.hidden = !next;
      setText(value, next ? titleOf(next) : '');
    });
    return fact;
  }

  /** The cover of what plays, which opens it as large as the page. */
  coverButton() {
    const image = h('img', { alt: '', width: 44, height: 44 });
    const button = h('button', {
      type: 'button', class: 'icon small-cover', 'aria-label': 'Now playing', onclick: () => toggleDrawer('playing'),
    }, image);
    effect(() => {
      const track = player.track.value;
      isLight.value;
      if (track) image.src = coverOfTrack(track.id, 44);
    });
    effect(() => attribute(button, 'aria-expanded', String(drawers.playing.value)));
    return button;
  }

  /** Opens the queue; says how many tracks follow. */
  queueWord() {
    const figure = h('span', { class: 'figure' });
    const button = h('button', {
      type: 'button', class: 'word queue-word', onclick: () => toggleDrawer('queue'),
    }, h('span', { class: 'name' }, 'Queue'), figure);
    effect(() => {
      player.queued.value;
      const { left } = player.queue;
      setText(figure, left > 0 ? ` ${number(left)}` : '');
    });
    effect(() => attribute(button, 'aria-expanded', String(drawers.queue.value)));
    return button;
  }

  volumeFact() {
    const fact = this.fact('Volume', volumeSlider());
    fact.classList.add('loudness');
    return fact;
  }

  saveWord() {
    const open = () => import('../../components/save-dialog.js').then(({ openSave }) => openSave());
    return h('button', { type: 'button', class: 'tool', 'aria-label': 'Save a part', onclick: open },
      'Save', h('span', { class: 'roomy' }, '\u00a0a part'));
  }

  repeatWord() {
    const modes = /** @type {const} */ (['off', 'all', 'one']);
    const words = { off: 'Repeat', all: 'Repeat all', one: 'Repeat one' };
    const button = h('button', { type: 'button', class: 'tool', onclick: () => advance(settings.repeat, modes) });
    effect(() => {
      setText(button, words[settings.repeat.value]);
      attribute(button, 'aria-pressed', String(settings.repeat.value !== 'off'));
    });
    return button;
  }

  /** Off: drag over the waveform to choose what is repeated. */
  loopWord() {
    const { selecting } = this.zoom;
    const button = h('button', { type: 'button', class: 'tool loop-word', onclick: () => {
      if (player.loop.peek()) player.setLoop(null);
      else selecting.value = !selecting.peek();
    } });
    effect(() => {
      const isOn = player.loop.value !== null || selecting.value;
      setText(button, selecting.value ? 'Loop: drag over the waveform' : 'Loop');
      attribute(button, 'aria-pressed', String(isOn));
      this.zoom.element.classList.toggle('selecting', selecting.value);
    });
    return button;
  }
}
