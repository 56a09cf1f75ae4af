/** What is written into files: a plan that the server makes, how far it is, and what is said of it. */

import { change, getJSON } from '../../core/api.js';
import { count, matrixNumber, number, size } from '../../core/format.js';

/**
 * @typedef {import('../../data/documents.js').WritingPlan} WritingPlan
 * @typedef {import('../../data/documents.js').PlannedFile} PlannedFile
 * @typedef {'corrections' | 'cover' | 'no-cover'} Subject
 */

const running = ['planning', 'writing', 'undoing'];

/** Files whose rows are asked for at once. */
export const rowsShown = 100;

/**
 * Follows a plan until it has ended what it does.
 * @param {number} id @param {(plan: WritingPlan) => void} show is told how far it is @param {AbortSignal} signal
 * @returns {Promise<WritingPlan>} with its first rows
 */
export async function follow(id, show, signal) {
  for (let wait = 100; ; wait = Math.min(wait * 1.5, 1000)) {
    const plan = await getJSON(`/plans/${id}`, { limit: rowsShown }, signal);
    show(plan);
    if (!running.includes(plan.state)) return plan;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** @param {number[]} files their ids @param {Subject} subject @returns {Promise<number>} its id */
export const makePlan = async (files, subject) => (await change('POST', '/plans', { files, write: subject })).id;

/** @param {number} id */
export const writePlan = (id) => change('POST', `/plans/${id}/write`, {});

/** @param {number} id */
export const endPlan = (id) => change('DELETE', `/plans/${id}`);

/** @param {number} id of a change @returns {Promise<number>} the id of the plan that takes it back */
export const undoWriting = async (id) => (await change('POST', `/file-changes/${id}/undo`, {})).id;

/** @param {number} id @param {number} from @returns {Promise<PlannedFile[]>} */
export const moreRows = async (id, from) => (await getJSON(`/plans/${id}`, { from, limit: rowsShown })).rows;

/** @param {WritingPlan} plan */
const mostWords = ({ state, done, total, error, changing, refused, unwritten, values, bytes, written }) => {
  const others = (refused ? `, ${count(refused, 'file')} not` : '')
    + (unwritten ? `, ${count(unwritten, 'field')} only in the library` : '');
  switch (state) {
    case 'planning': return `Looking at ${number(done)} of ${number(total)}`;
    case 'writing': return `Writing ${number(done)} of ${number(total)}`;
    case 'undoing': return `Taking back ${number(done)} of ${number(total)}`;
    case 'ready':
      return changing ? `${count(values, 'value')} in ${count(changing, 'file')}${others} \u00b7 ${size(bytes)}`
        : refused ? `No file can be written${others}` : 'The files say already what counts.';
    case 'done': return `${count(written, 'file')} written${others}`;
    case 'stopped': return `Stopped: ${count(written, 'file')} written${others}`;
    default: return error ?? 'It failed.';
  }
};

/**
 * How far a plan is, in words.
 * @param {WritingPlan} plan @param {boolean} [isUndo]
 */
export const planWords = (plan, isUndo = false) =>
  (isUndo && plan.state === 'done'
    ? `${count(plan.written, 'file is', 'files are')} as before`
      + (plan.refused ? `, ${count(plan.refused, 'file')} not` : '')
    : mostWords(plan));

/**
 * The first digits of the hash of what sounds in a file.
 * @param {string} hash
 */
export const soundNumber = (hash) => matrixNumber(hash).replace('DW ', '');

/** @param {PlannedFile} file @returns {string} what is compared */
export function proofWords({ proof }) {
  if (!proof) return '';
  const { before, after, unchanged } = proof;
  const frames = before.frames === null ? '' : `, ${number(before.frames)} frames`;
  const sound = `${size(before.bytes)} of sound${frames}`;
  return unchanged ? `Sound unchanged: ${sound}, hash\u00a0before\u00a0=\u00a0after.`
    : `The sound would be another one: ${soundNumber(before.hash)} became ${soundNumber(after.hash)}.`;
}

/** @param {string} path */
export const fileName = (path) => path.split('/').pop() ?? path;
