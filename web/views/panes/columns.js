/** The columns of lists at the left: a name, and how much it has. */

import { h, setText } from '../../core/dom.js';

/** @typedef {import('../../components/table.js').Column} Column */
/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */

/**
 * @param {(row: GroupRow) => string} show
 * @returns {Column}
 */
export const nameColumn = (show) => ({
  key: 'name', label: 'Name', width: 'minmax(0, 1fr)', name: 'title', make: () => h('span'),
  fill: (cell, row) => setText(cell, show(row)),
});

/**
 * @param {(row: GroupRow) => string} show
 * @returns {Column}
 */
export const figureColumn = (show) => ({
  key: 'figure', label: 'Tracks', width: '48px', isNumber: true, name: 'figure',
  fill: (cell, row) => setText(cell, show(row)),
});
