/** Exact frames of a track. */

import { ApiError, address, credentials } from '../core/api.js';

const halfPower = Math.SQRT1_2;

/**
 * Frames as one or two planes of floats, bit for bit those of `deadwax segment`; more channels are mixed down as Web Audio does
 * it with loudspeakers.
 * @param {number} id @param {number} start @param {number} count @param {AbortSignal} [signal]
 * @returns {Promise<{planes: Float32Array[], total: number}>}
 */
export async function getPCM(id, start, count, signal) {
  const response = await fetch(address(`/tracks/${id}/pcm`, { start, count, format: 'f32' }), { signal, headers: credentials() });
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
  const surround = channels >= 6 ? 4 : channels >= 4 ? 2 : 0;
  for (let i = 0, at = 0; i < count; i += 1, at += channels) {
    left[i] = samples[at];
    right[i] = samples[at + 1];
    if (channels < 3) continue;
    const centre = channels === 4 ? 0 : samples[at + 2] * halfPower;
    left[i] += centre + (surround ? samples[at + surround] * halfPower : 0);
    right[i] += centre + (surround ? samples[at + surround + 1] * halfPower : 0);
  }
  return [left, right];
}
