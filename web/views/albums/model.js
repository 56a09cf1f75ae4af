/** In which orders albums are shown. */

/**
 * Those that the server knows, with their words. What can be reversed says how it begins: with `-` the greatest or
 * latest are first.
 * @type {{name: string, label: string, first?: '' | '-'}[]}
 */
export const orders = [
  { name: 'artist', label: 'Artist' }, { name: 'album', label: 'Title' }, { name: 'year', label: 'Year', first: '-' },
  { name: 'added', label: 'Added', first: '-' }, { name: 'played', label: 'Played', first: '-' },
  { name: 'plays', label: 'Most played', first: '-' }, { name: 'loudness', label: 'Loudness', first: '-' },
  { name: 'brightness', label: 'Brightness', first: '' },
];

/**
 * The order that an address names; that of the artists for any other.
 * @param {string} sort
 */
export const orderOf = (sort) =>
  (orders.some(({ name, first }) => name === sort || (first !== undefined && `${name}-` === sort)) ? sort : 'artist');

/**
 * What a press on the word of an order leads to: pressed again it is reversed, if it can be.
 * @param {string} order that is shown @param {string} name
 */
export function nextOrder(order, name) {
  const first = orders.find((known) => known.name === name)?.first;
  if (first === undefined) return name;
  const begin = name + first;
  return order === begin ? name + (first ? '' : '-') : begin;
}
