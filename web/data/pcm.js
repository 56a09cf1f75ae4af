/** Exact frames of a track. */

import { ApiError, address, credentials } from '../core/api.js';

const halfPower = Math.SQRT1_2;
/**
 * To which side each channel after the first two goes, at half its power, by the number of channels, in the order of
 * WAVE files: left, right, both, or neither as the bass.
 * @type {Record<number, ('left' | 'right' | 'both' | 'neither')[]>}
 */
const sides = {
  3: ['both'], 4: ['left', 'right'], 5: ['both', 'left', 'right'], 6: ['both', 'neither', 'left', 'right'],
  7: ['both', 'neither', 'both', 'left', 'right'], 8: ['both', 'neither', 'left', 'right', 'left', 'right'],
};

/**
 * Frames as one or two planes of floats, bit for bit those of `deadwax segment`; more channels are mixed down with the
 * weights by which Web Audio mixes six.
 * @param {number} id @param {number} start @param {number} count @param {AbortSignal} [signal]
 * @returns {Promise<{planes: Float32Array[], total: number}>}
 */
export async function getPCM(id, start, count, signal) {
  const response = await fetch(address(`/tracks/${id}/pcm`, { start, count, format: 'f32' }),
    { signal, headers: credentials() });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new ApiError(problem.detail ?? `The server answered ${response.status}.`, response.status);
  }
  const total = Number(response.headers.get('Deadwax-Total'));
  const channels = Number(response.headers.get('Deadwax-Channels')) || 1;
  return { planes: separate(new Float32Array(await response.arrayBuffer()), channels), total };
}

/** @param {Float32Array} samples interleaved @param {number} channels @returns {Float32Array[]} */
function separate(samples, channels) {
  if (channels === 1) return [samples];
  const count = samples.length / channels;
  const [left, right] = [new Float32Array(count), new Float32Array(count)];
  const further = sides[Math.min(8, channels)] ?? [];
  for (let i = 0, at = 0; i < count; i += 1, at += channels) {
    left[i] = samples[at];
    right[i] = samples[at + 1];
  }
  further.forEach((side, channel) => {
    for (let i = 0, at = channel + 2; i < count; i += 1, at += channels) {
      if (side === 'left' || side === 'both') left[i] += samples[at] * halfPower;
      if (side === 'right' || side === 'both') right[i] += samples[at] * halfPower;
    }
  });
  return [left, right];
}
