/** Time that passes only when a test says so, for `setTimeout`. */

import { settle } from './browser.mjs';

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

/** Begins such a time; `end` gives the real one back. */
export function clock() {
  let now = 0;
  let count = 0;
  const waiting = new Map();
  globalThis.setTimeout = (body, milliseconds = 0, ...words) => {
    waiting.set((count += 1), { at: now + milliseconds, body: () => body(...words) });
    return count;
  };
  globalThis.clearTimeout = (id) => waiting.delete(id);
  return {
    /** Lets time pass, and what is due happen in its order. */
    async pass(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...waiting].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
        if (!next) break;
        waiting.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].body();
        await settle();
      }
      now = end;
    },

    end: () => Object.assign(globalThis, real),
  };
}
