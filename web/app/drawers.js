/** Puts drawers over the page, which are loaded when they are first opened, and takes edits of the queue back. */

import { drawers } from '../components/drawer.js';
import { toast, toastFailure } from '../components/toast.js';
import { place } from '../core/router.js';
import { effect } from '../core/signals.js';
import { player } from '../player/player.js';
import { viewOf } from './views.js';

/** @returns {boolean} whether there was an edit to take back */
function undoEdit() {
  const words = player.undoEdit();
  if (words) toast(`Undone: ${words}.`);
  return words !== null;
}

/**
 * @param {import('../components/drawer.js').Drawer} name
 * @param {import('../core/signals.js').Signal<boolean>} isOpen
 */
function watchDrawer(name, isOpen) {
  /** @type {import('../core/router.js').View | null} */
  let shown = null;
  /** @type {Element | null} What had the focus before. */
  let focused = null;
  effect(() => {
    if (!isOpen.value) {
      const had = shown?.element.contains(document.activeElement);
      shown?.hide?.();
      shown?.element.remove();
      shown = null;
      if (had && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
      return;
    }
    focused = document.activeElement;
    viewOf(name).then((view) => {
      if (!isOpen.peek()) return;
      shown = view;
      document.querySelector('.player')?.before(view.element);
      view.show(place.peek());
    }, (error) => {
      isOpen.value = false;
      toastFailure(`This view cannot be loaded: ${error.message}`);
    });
  });
}

export function watchDrawers() {
  const open = /** @type {[import('../components/drawer.js').Drawer, any][]} */ (Object.entries(drawers));
  for (const [name, isOpen] of open) watchDrawer(name, isOpen);
  // Who goes to another page wants to see it.
  effect(() => {
    place.value;
    drawers.playing.value = false;
  });
  document.addEventListener('keydown', (event) => {
    const types = /** @type {Element} */ (event.target).closest('input:not([type=range]), select, textarea, dialog');
    if (event.defaultPrevented || types) return;
    const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const last = [drawers.queue, drawers.playing].find((isOpen) => isOpen.peek());
    if (isUndo ? !undoEdit() : event.key !== 'Escape' || !last) return;
    if (!isUndo && last) last.value = false;
    event.preventDefault();
  });
}
