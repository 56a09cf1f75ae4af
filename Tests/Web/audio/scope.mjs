/** Where the worklet runs, without a browser: blocks of 128 frames that are asked for one after the other, and ports that keep what they are told. */

import { readFileSync } from 'node:fs';
import '../browser.mjs';
import { web } from '../paths.mjs';

export const blockSize = 128;

/** A port whose other end is the test. */
export class Port {
  posted = [];

  /** Keeps a copy, as a browser makes it: what is moved is gone. */
  postMessage(message, moved = []) {
    this.posted.push(structuredClone(message, { transfer: moved }));
  }

  /** Says something to who listens. */
  say(data) {
    this.onmessage({ data });
  }

  /** What was told with this name. */
  told(name) {
    return this.posted.filter((message) => name in message).map((message) => message[name]);
  }

  close() {
    this.isClosed = true;
  }
}

/** @type {Record<string, any>} */
const processors = {};
Object.assign(globalThis, {
  sampleRate: 44_100, currentTime: 0,
  AudioWorkletProcessor: class { port = new Port(); },
  registerProcessor: (name, made) => (processors[name] = made),
});
export const ready = import('/audio/mixing-worklet.js');

/** The effects, compiled, as the page gives them. */
export const effects = new WebAssembly.Module(readFileSync(new URL('effects.wasm', web)));

/** A worklet in a context of a rate, with what the page and the reader say to it. */
export class Output {
  constructor(rate = 44_100, name = 'deadwax-player') {
    Object.assign(globalThis, { sampleRate: rate, currentTime: 0 });
    this.rate = rate;
    this.processor = new processors[name]();
    this.page = this.processor.port;
    this.reader = new Port();
    this.page.say({ reader: this.reader, playing: true });
  }

  /** Sends a part of a track as the reader does. */
  send(epoch, item, frame, planes, gain = 1) {
    this.reader.say({ epoch, item, frame, gain, planes });
  }

  /** Lets blocks leave; gives their left and right samples. */
  play(frameCount) {
    const [left, right] = [new Float32Array(frameCount), new Float32Array(frameCount)];
    for (let at = 0; at < frameCount; at += blockSize) {
      // A browser gives silence, and wants the block filled.
      const block = [new Float32Array(blockSize), new Float32Array(blockSize)];
      if (this.processor.process([], [block]) !== true) throw new Error('the worklet has ended');
      globalThis.currentTime += blockSize / this.rate;
      const count = Math.min(blockSize, frameCount - at);
      left.set(block[0].subarray(0, count), at);
      right.set(block[1].subarray(0, count), at);
    }
    return [left, right];
  }
}
