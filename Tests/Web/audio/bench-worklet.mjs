/**
 * What the worklet takes of a quantum of 128 frames at 44.1 kHz, alone and in a fade of two tracks, each quantum timed alone.
 *
 * Usage: node --import ./Tests/Web/served.mjs Tests/Web/audio/bench-worklet.mjs
 */

import '../browser.mjs';
import { presetOf, presets } from './presets.mjs';
import { Output, blockSize, effects, ready } from './scope.mjs';
import { settingsOf } from '/data/presets.js';

const rate = 44_100;
const count = 20 * rate;
/** Where the second track begins, and how many quanta are left out, for the compiler. */
const [from, warm] = [2 * rate, (4 * rate) / blockSize];
const preset = settingsOf(presetOf(presets['ten bands']));
const noise = () => [0, 1].map(() => Float32Array.from({ length: count }, () => Math.random() - 0.5));

await ready;
for (const [label, name, isShaped] of [
  ['one track', 'deadwax-player', false], ['one track, ten bands', 'deadwax-player', true],
  ['two tracks', 'deadwax-mixer', false], ['two tracks, ten bands each', 'deadwax-mixer', true],
]) {
  const output = new Output(rate, name);
  output.page.say({ module: effects });
  if (isShaped) for (const item of [1, 2]) output.page.say({ item, effects: preset });
  output.send(1, 1, 0, noise());
  const overlap = count - from;
  if (name === 'deadwax-mixer') output.reader.say({ epoch: 1, join: { after: 1, item: 2, start: 0, end: count, overlap, fadeOut: overlap, fadeIn: overlap } });
  output.send(1, 2, 0, noise());
  const block = [new Float32Array(blockSize), new Float32Array(blockSize)];
  const shares = [];
  for (let i = 0; i < count / blockSize - 10; i += 1) {
    const began = performance.now();
    output.processor.process([], [block]);
    shares.push((performance.now() - began) / ((1000 * blockSize) / rate));
  }
  const some = shares.slice(Math.ceil(warm)).sort((a, b) => a - b);
  const percent = (part) => `${(100 * some[Math.floor(part * (some.length - 1))]).toFixed(2)} %`;
  console.log(`${label}: median ${percent(0.5)}, 90 % below ${percent(0.9)}, 99 % below ${percent(0.99)}`);
}
