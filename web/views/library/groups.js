/** What the tabs beside the tracks stand for, and how much of it there is. */

/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */

/**
 * @typedef {{
 *   name: string, label: string, path: string, parameters?: (q: string) => import('../../core/api.js').Parameters,
 *   whole?: (answer: any) => GroupRow[], total?: (answer: any) => number, isCostly?: boolean, isRare?: boolean,
 * }} Group `whole`: reads an answer that has all rows; `total`: one
 *   that says how many there are; `isCostly`: the server counts it by going through all tracks;
 *   `isRare`: many libraries have none, and then no tab
 */

/** @type {Group} */
export const albums = { isCostly: true, name: 'albums', label: 'Albums', path: '/albums' };
/** @type {Group} */
export const artists = { isCostly: true, name: 'artists', label: 'Artists', path: '/artists' };
/** @type {Group[]} */
export const groups = [
  albums, artists,
  { isCostly: true, name: 'genres', label: 'Genres', path: '/genres' },
  { isCostly: true, isRare: true, name: 'composers', label: 'Composers', path: '/composers' },
  { isCostly: true, isRare: true, name: 'works', label: 'Works', path: '/works' },
  { name: 'folders', label: 'Folders', path: '/folders', parameters: () => ({}), whole: ({ rows }) => rows },
  { name: 'lists', label: 'Lists', path: '/lists', parameters: () => ({}), whole: ({ lists }) => lists },
  {
    isCostly: true, name: 'problems', label: 'Problems', path: '/tracks/count', total: ({ files }) => files,
    parameters: (q) => ({ q: `${q} (-state:ok , lossy_source:strong , lossy_source:weak , clipped:>=100)` }),
  },
];
