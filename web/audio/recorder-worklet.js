/** Passes on what a microphone gives, as one channel; lets nothing out. */

registerProcessor('deadwax-recorder', class extends AudioWorkletProcessor {
  /** @param {Float32Array[][]} inputs */
  process([input]) {
    if (input.length) this.port.postMessage(input[0].slice());
    return true;
  }
});
