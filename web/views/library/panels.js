/** Views of the library that are no table of tracks, and the place where one of them stands. */

import { groups } from './groups.js';

/** @typedef {import('../../core/router.js').View} LibraryPanel is shown again when the library has changed */

/** Their names in the address, which the loader of views knows, too, and their tabs. */
export const panels = [
  ...groups.map(({ name, label }) => ({ name, label })),
  { name: 'duplicates', label: 'Duplicates' },
  { name: 'map', label: 'Map' },
];

/** At most one panel at the end of the library. */
export class PanelPlace {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {LibraryPanel | null} */
    this.panel = null;
  }

  /** @param {LibraryPanel | null} panel the one that was there ends what it does */
  put(panel) {
    if (this.panel === panel) return;
    this.hide();
    this.panel?.element.remove();
    this.panel = panel;
    if (panel) this.element.append(panel.element);
  }

  /** Ends what a panel does that nobody sees. */
  hide() {
    this.panel?.hide?.();
  }
}
