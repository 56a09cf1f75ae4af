/**
 * Lets Node load the page's modules as they are served: `/player/queue.js` is the file below web/, and a module.
 * Usage: node --import ./Tests/Web/served.mjs --test …
 */

import { register } from 'node:module';

register('./paths.mjs', import.meta.url);
