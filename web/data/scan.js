/** The scan that runs, in words. */

import { count, duration, number } from '../core/format.js';
import { signal } from '../core/signals.js';

/** @typedef {import('./documents.js').ScanProgress} ScanProgress */

/** Where the scan stands that the server has told of last; null before it has. */
export const scan = signal(/** @type {ScanProgress | null} */ (null));

/** @param {ScanProgress} progress */
export function paceOf({ audio_seconds: seconds, elapsed_seconds: elapsed, remaining_seconds: remaining }) {
  const speed = seconds && elapsed ? seconds / elapsed : 0;
  return [
    speed >= 1 ? `${number(speed)} \u00d7 real time` : '',
    typeof remaining === 'number' && remaining >= 1 ? `${duration(remaining)} left` : '',
  ].filter(Boolean).join(' \u00b7 ');
}

/**
 * What has been done, in a few words, and the share of it; null while files are only counted.
 * @param {ScanProgress} progress
 */
export function scanWords(progress) {
  const { done, total, found = 0, new: fresh, audio_seconds: seconds, reading } = progress;
  const isReading = Boolean(total);
  return {
    share: isReading ? (done ?? 0) / (total ?? 1) : null,
    count: isReading ? `${number(done)} of ${count(total ?? 0, 'file')}` : `${count(found ?? 0, 'file')} found`,
    pace: paceOf(progress),
    parts: [
      fresh ? `${number(fresh)} new` : '', seconds ? `${duration(seconds)} heard` : '',
    ].filter(Boolean).join(' \u00b7 '),
    reading: isReading && reading ? reading.slice(reading.lastIndexOf('/') + 1) : '',
  };
}
