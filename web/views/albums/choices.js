/** How this browser shows albums. */

import { kept } from '../../core/settings.js';

/** As a grid of covers, else as a list. */
export const albumGrid = kept('albumGrid', true, (value) => typeof value === 'boolean');
/** About the side of a cover in the grid, in CSS pixels. */
export const albumSide = kept('albumSide', 176, (value) => typeof value === 'number' && value >= 128 && value <= 256);
