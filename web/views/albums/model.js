/** In which orders albums are shown. */

/** Those that the server knows, with their words. */
export const orders = [
  { name: 'artist', label: 'Artist' }, { name: 'album', label: 'Title' }, { name: 'year', label: 'Year' },
  { name: 'added', label: 'Added' },
];

/** Of these the latest are first, at first. */
const latestFirst = ['year', 'added'];

/**
 * The order that an address names; that of the artists for any other.
 * @param {string} sort
 */
export const orderOf = (sort) =>
  (orders.some(({ name }) => name === sort || (latestFirst.includes(name) && `${name}-` === sort)) ? sort : 'artist');

/**
 * What a press on the word of an order leads to: pressed again it is reversed, if it can be.
 * @param {string} order that is shown @param {string} name
 */
export function nextOrder(order, name) {
  if (!latestFirst.includes(name)) return name;
  return order === `${name}-` ? name : `${name}-`;
}
