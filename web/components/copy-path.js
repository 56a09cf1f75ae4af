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
    toast('The path is copied.');
  } catch {
    toast(`The browser does not let it be copied: ${path}`);
  }
} }, 'Copy path');
