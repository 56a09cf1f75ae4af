/** Goes on where one was: the queue of this browser and of the server, and the place in its current track. */

import { isSomebody } from '../core/api.js';
import { effect } from '../core/signals.js';
import { player } from './player.js';
import { QueueKeeper } from './queue-keeper.js';

/**
 * Opens what was heard when the page was left, without playing, and keeps what follows.
 * @returns {QueueKeeper} to be asked again when something has changed
 */
export function resume() {
  const { queue } = player;
  const keeper = new QueueKeeper((state) => player.adopt(state));
  keeper.isShared = isSomebody();
  const known = keeper.remembered();
  const { entries, state } = queue;
  // Who was quicker than this has another queue already.
  if (entries.length) keeper.edited([{
    replace: entries, current: state.current, position: state.position, source: state.source,
  }], state);
  else if (known) {
    queue.state = known.state;
    player.queued.value += 1;
    player.rest(known.frame ?? undefined);
  }
  player.keeper = (changes) => keeper.edited(changes, queue.state);
  const rememberPlace = () => {
    const { current } = queue.state;
    if (player.track.peek() && current !== null) keeper.rememberPlace(current, player.frame());
  };
  effect(() => {
    player.sought.value;
    rememberPlace();
  });
  // The last samples are heard a little later.
  let timer = 0;
  effect(() => {
    clearTimeout(timer);
    if (player.playing.value) return;
    timer = setTimeout(() => {
      const { current, position } = queue.state;
      const { rate } = player.track.peek() ?? {};
      if (current !== null && rate && Math.abs((1000 * player.frame()) / rate - position) > 5) player.keepPlace();
    }, 400);
  });
  setInterval(() => player.playing.peek() && rememberPlace(), 2000);
  addEventListener('pagehide', rememberPlace);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') keeper.refresh();
    else if (player.playing.peek()) player.keepPlace();
  });
  keeper.refresh();
  return keeper;
}
