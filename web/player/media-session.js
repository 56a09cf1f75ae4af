/** Keys and panels of the system: Media Session. */

import { effect } from '../core/signals.js';
import { coverOfTrack } from '../data/covers.js';
import { titleOf } from '../data/tracks.js';
import { player } from './player.js';

/** Ten silent seconds: system controls appear only while an element plays, whatever Web Audio does. */
function silence() {
  const bytes = new Uint8Array(44 + 80_000).fill(128);
  const view = new DataView(bytes.buffer);
  const text = (/** @type {number} */ at, /** @type {string} */ word) =>
    [...word].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  [16, 0x10001, 8000, 8000, 0x80001].forEach((word, i) => view.setUint32(16 + 4 * i, word, true));
  text(36, 'data');
  view.setUint32(40, 80_000, true);
  const element = new Audio(URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' })));
  element.loop = true;
  return element;
}

/** Tells the system what plays, and obeys its keys. */
export function joinMediaSession() {
  const session = navigator.mediaSession;
  if (!session) return;
  /** @type {HTMLAudioElement | null} */
  let carrier = null;
  effect(() => {
    const track = player.track.value;
    if (!track) return;
    const { artist, album } = track.row;
    const artwork = [{ src: coverOfTrack(track.id, 256) }];
    session.metadata = new MediaMetadata({
      title: titleOf(track.row), artist: artist ?? '', album: album ?? '', artwork,
    });
  });
  effect(() => {
    const playing = player.playing.value;
    session.playbackState = playing ? 'playing' : player.track.value ? 'paused' : 'none';
    if (playing) (carrier ??= silence()).play().catch(() => {});
    else carrier?.pause();
  });
  /** @type {[MediaSessionAction, (details: MediaSessionActionDetails) => void][]} */
  const actions = [
    ['play', () => player.playing.peek() || player.toggle()],
    ['pause', () => player.playing.peek() && player.toggle()],
    ['previoustrack', () => player.back()],
    ['nexttrack', () => player.skip()],
    ['seekbackward', (details) => player.seekBy(-(details.seekOffset ?? 10))],
    ['seekforward', (details) => player.seekBy(details.seekOffset ?? 10)],
    ['seekto', (details) => player.seek((details.seekTime ?? 0) * (player.track.peek()?.rate ?? 0))],
  ];
  for (const [action, obey] of actions) session.setActionHandler(action, obey);
  setInterval(() => {
    const track = player.track.peek();
    if (!track) return;
    const duration = track.frames / track.rate;
    session.setPositionState({
      duration, playbackRate: track.effects?.rate ?? 1, position: Math.min(duration, player.frame() / track.rate),
    });
  }, 1000);
}
