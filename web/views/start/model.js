/** Where somebody is who begins with a library. */

import { count, duration } from '../../core/format.js';

/** @typedef {import('../../data/documents.js').Status} Status */

/** @enum {'asking' | 'reading' | 'silent' | 'done'} */
export const Step = Object.freeze({
  /** There are no folders yet. */
  asking: /** @type {'asking'} */ ('asking'),
  /** A scan runs. */
  reading: /** @type {'reading'} */ ('reading'),
  /** The folders have been read, and there is no music in them. */
  silent: /** @type {'silent'} */ ('silent'),
  done: /** @type {'done'} */ ('done'),
});

/** @param {Pick<Status, 'files' | 'roots' | 'scan'>} status @returns {Step} */
export function stepOf({ files, roots, scan }) {
  if (!roots.length) return Step.asking;
  if (scan?.running) return Step.reading;
  return files ? Step.done : Step.silent;
}

/**
 * Title and detail; without a detail it is the promise that nothing is changed.
 * @param {Step} step @param {Pick<Status, 'files' | 'recordings' | 'audio_seconds'>} status
 * @returns {{title: string, detail?: string}}
 */
export function wordsOf(step, { files, recordings, audio_seconds: seconds }) {
  if (step === Step.asking) return { title: 'Where is your music?' };
  if (step === Step.reading) return { title: 'Listening to your music' };
  if (step === Step.silent) {
    return {
      title: 'There is no music here',
      detail: 'No file in these folders is a sound that Deadwax reads. Add another folder.',
    };
  }
  return {
    title: 'Your music is here',
    detail: `${count(files, 'file')}, ${count(recordings, 'recording')}, ${duration(seconds)}.`,
  };
}

/**
 * How many files are not as they should be.
 * @param {Pick<Status, 'states'>} status
 */
export const problemsOf = ({ states }) =>
  Object.entries(states).reduce((sum, [state, files]) => sum + (state === 'ok' ? 0 : files), 0);
