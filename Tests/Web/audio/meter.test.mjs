/** What listens to what leaves. The nodes are stand-ins that know their connections. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import '../browser.mjs';
import { amplitude, dice, sine } from '../signals.mjs';
import { Meter } from '/audio/meter.js';

class Node {
  constructor(context, options = {}) {
    Object.assign(this, { context, options, targets: [], delayTime: { value: 0 } });
  }

  connect(target) {
    if (!this.targets.includes(target)) this.targets.push(target);
    return target;
  }

  disconnect(target) {
    this.targets = target ? this.targets.filter((one) => one !== target) : [];
  }
}

class Analyser extends Node {
  getFloatTimeDomainData(into) {
    into.set(this.samples ?? new Float32Array(into.length));
  }
}

class Worklet extends Node {
  port = { posted: [], postMessage: (message) => this.port.posted.push(message) };
}

Object.assign(globalThis, { DelayNode: Node, ChannelSplitterNode: Node, AnalyserNode: Analyser, AudioWorkletNode: Worklet });

describe('meter', () => {
  let context, source, latency, meter;
  beforeEach(() => {
    latency = 0;
    context = { sampleRate: 44_100, audioWorklet: { addModule: async () => {} } };
    source = new Node(context);
    meter = new Meter(context, source, () => latency);
  });

  test('the level of a sine is that of its peak', () => {
    for (const decibels of [0, -6, -60]) {
      const level = Meter.level(sine(1000, 44_100, 16_384, amplitude(decibels)));
      assert.ok(Math.abs(level - decibels) < 0.05, `${level}, not ${decibels}`);
    }
  });

  test('the level is that of the last samples, and silence has a floor', () => {
    const samples = new Float32Array(16_384);
    samples.fill(1, 0, 16_384 - 4096);
    assert.equal(Meter.level(samples), -120);
    // White noise from -1 to 1 has a third of the power of a square wave: 10 lg (2 / 3) dB.
    const random = dice(4);
    assert.ok(Math.abs(Meter.level(Float32Array.from({ length: 8192 }, () => 2 * random() - 1)) - 10 * Math.log10(2 / 3)) < 0.2);
  });

  test('each channel has its own samples', () => {
    const [left, right] = [sine(440, 44_100, 16_384), sine(660, 44_100, 16_384)];
    [meter.taps[0].samples, meter.taps[1].samples] = [left, right];
    assert.deepEqual([meter.latest(0), meter.latest(1)], [left, right]);
    assert.equal(meter.latest(0).length, 16_384);
  });

  test('it hears as late as one does, in whole frames, and does not follow every tremble', () => {
    for (const [seconds, wanted] of [[0.04, Math.round(0.04 * 44_100) / 44_100], [0.043, Math.round(0.04 * 44_100) / 44_100], [0.1, 4410 / 44_100], [7, 1]]) {
      latency = seconds;
      meter.latest(0);
      assert.ok(Math.abs(meter.delay.delayTime.value - wanted) < 1e-12, `${seconds}: ${meter.delay.delayTime.value}`);
    }
  });

  test('loudness is measured when it is wanted, once, and begins anew each time', async () => {
    const heard = [];
    await meter.measure((measured) => heard.push(measured));
    const { loudness } = meter;
    assert.ok(meter.delay.targets.includes(loudness));
    loudness.port.onmessage({ data: { momentary: -20 } });
    await meter.measure((measured) => heard.push(['again', measured]));
    assert.equal(meter.loudness, loudness);
    loudness.port.onmessage({ data: { momentary: -21 } });
    assert.deepEqual(heard, [{ momentary: -20 }, ['again', { momentary: -21 }]]);
    assert.deepEqual(loudness.port.posted, ['start', 'start']);
  });

  test('it rests when nobody looks', async () => {
    await meter.measure(() => {});
    const { loudness } = meter;
    meter.rest();
    assert.deepEqual([meter.loudness, meter.delay.targets.includes(loudness)], [null, false]);
    meter.rest();
    await meter.measure(() => {});
    assert.notEqual(meter.loudness, loudness);
  });

  test('it also rests if that was said while it began', async () => {
    let loaded;
    context.audioWorklet.addModule = () => new Promise((done) => (loaded = done));
    const measuring = meter.measure(() => {});
    meter.rest();
    loaded();
    await measuring;
    assert.equal(meter.loudness, null);
    assert.equal(meter.delay.targets.length, 1, 'only the taps listen');
  });

  test('two that ask while it begins share what measures, and the last one hears', async () => {
    let loaded = [];
    context.audioWorklet.addModule = () => new Promise((done) => loaded.push(done));
    const heard = [];
    const both = [meter.measure(() => heard.push('first')), meter.measure(() => heard.push('second'))];
    for (const done of loaded) done();
    await Promise.all(both);
    meter.loudness.port.onmessage({ data: {} });
    assert.deepEqual(heard, ['second']);
    assert.equal(meter.delay.targets.length, 2);
  });
});
