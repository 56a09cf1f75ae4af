/** What a microphone hears, as samples: nothing is encoded, so nothing is lost before it is compared. */

import { signal } from '../core/signals.js';

export const canRecord = () =>
  isSecureContext && 'AudioWorkletNode' in globalThis && navigator.mediaDevices !== undefined;

export class Recorder {
  constructor() {
    /** @type {Float32Array[]} */
    this.blocks = [];
    this.frames = 0;
    this.rate = 48_000;
    /** Of the latest blocks: 0…1. */
    this.level = signal(0);
    /** @type {MediaStream | null} */
    this.stream = null;
    /** @type {AudioContext | null} */
    this.context = null;
  }

  /** Asks for the microphone, and begins. */
  async start() {
    // What makes speech clear would take the music away.
    const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    this.stream = await navigator.mediaDevices.getUserMedia({ audio });
    this.context = new AudioContext();
    this.rate = this.context.sampleRate;
    await this.context.audioWorklet.addModule('/audio/recorder-worklet.js');
    const node = new AudioWorkletNode(this.context, 'deadwax-recorder', { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }) => {
      this.blocks.push(data);
      this.frames += data.length;
      this.level.value = Math.max(0.9 * this.level.peek(), ...data.map(Math.abs));
    };
    this.context.createMediaStreamSource(this.stream).connect(node);
  }

  get seconds() {
    return this.frames / this.rate;
  }

  /** What was heard so far as a WAV file of 16 bits. */
  file() {
    const bytes = new DataView(new ArrayBuffer(44 + 2 * this.frames));
    const text = (/** @type {number} */ at, /** @type {string} */ word) =>
      [...word].forEach((letter, i) => bytes.setUint8(at + i, letter.charCodeAt(0)));
    text(0, 'RIFF');
    bytes.setUint32(4, 36 + 2 * this.frames, true);
    text(8, 'WAVEfmt ');
    bytes.setUint32(16, 16, true);
    bytes.setUint16(20, 1, true);
    bytes.setUint16(22, 1, true);
    bytes.setUint32(24, this.rate, true);
    bytes.setUint32(28, 2 * this.rate, true);
    bytes.setUint16(32, 2, true);
    bytes.setUint16(34, 16, true);
    text(36, 'data');
    bytes.setUint32(40, 2 * this.frames, true);
    let at = 44;
    for (const block of this.blocks)
      for (const sample of block) {
        bytes.setInt16(at, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true);
        at += 2;
      }
    return new Blob([bytes], { type: 'audio/wav' });
  }

  stop() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.context?.close();
    this.level.value = 0;
  }
}
