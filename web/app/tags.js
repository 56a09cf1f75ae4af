/** Where tags are edited: links and keys that open the panel of tags. */

import { toastFailure } from '../components/toast.js';
import { go, place } from '../core/router.js';
import { addressOfTags } from '../data/names.js';
import { opened, viewOf } from './views.js';

const narrow = matchMedia('(max-width: 799.9px)');

/** @param {string} address of the page of tags */
function open(address) {
  if (narrow.matches) return go(address);
  const query = address.slice(address.indexOf('?') + 1);
  return viewOf('tags').then(
    (view) => /** @type {import('../views/tags/tags.js').TagsPage} */ (view).openBeside(query),
    (error) => toastFailure(`The tags cannot be shown: ${error.message}`));
}

/**
 * Edits the tags of the row that is marked or the track that is shown, or of all that the query finds.
 * @param {boolean} isAll
 */
export function editTags(isAll) {
  const { page, ids, q } = place.peek();
  const library = /** @type {import('../views/library/library.js').Library | undefined} */ (opened.library);
  const row = library?.table.rows?.at(library.table.active);
  if (page === 'track' && ids.length === 1) open(addressOfTags(`id:${ids[0]}`));
  else if (page === 'album' && ids.length === 1) open(addressOfTags(`album-id:${ids[0]}`));
  else if (page !== 'library' || library?.panel) return;
  else if (library && !library.table.selection.isEmpty) open(library.selectionBar?.addressOfTags ?? '/tags');
  else if (isAll) open(addressOfTags(q));
  else if (row?.query) open(addressOfTags(row.query));
  else if (row?.id) open(addressOfTags(`id:${row.id}`));
}

/** Links to the page of tags open the panel instead, where there is room for it. */
export function watchTagLinks() {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a');
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0;
    if (!link || isElsewhere || narrow.matches || link.origin !== location.origin || link.pathname !== '/tags') return;
    event.preventDefault();
    open(link.pathname + link.search);
  }, true);
}
