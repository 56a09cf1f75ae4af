/** A word that copies the path of a file or folder. */

import { toast } from './toast.js';
import { h } from '../core/dom.js';

/**
 * A word that copies a path.
 * @param {string} path
 */
export const copyButton = (path) => h('button', { type: 'button', class: 'link', onclick: async () => {
  try {
    await navigator.clipboard.writeText(path);
    toast('Path copied.');
  } catch {
    toast(`The browser does not allow copying: ${path}`);
  }
} }, 'Copy path');
