/** Which part of a track a waveform shows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice, integers } from '../signals.mjs';
import { Viewport, nearest } from '/components/viewport.js';

const near = (a, b, most = 1e-6) => assert.ok(Math.abs(a - b) <= most * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

/** One of a track of a minute, 1,000 pixels wide. */
function opened(frame = 0, frames = 60 * 44_100) {
  const viewport = new Viewport();
  viewport.resize(1000);
  viewport.open({ frames, rate: 44_100 }, frame);
  return viewport;
}

test('it begins with ten seconds about a frame, or with all of a shorter track', () => {
  const viewport = opened(44_100);
  near(viewport.zoom, 0.0097 * 44_100);
  near(viewport.placeOf(44_100), 500);
  assert.ok(!viewport.isWhole);
  assert.ok(opened(0, 44_100).isWhole);
});

test('zooming leaves the frame under a pixel where it is, within its limits', () => {
  const whole = integers(dice(5));
  const viewport = opened(100_000);
  for (let i = 0; i < 200; i += 1) {
    const x = whole(0, 1000);
    const before = viewport.start + x * viewport.zoom;
    viewport.zoomTo(viewport.zoom * 2 ** whole(-6, 6), x);
    near(viewport.start + x * viewport.zoom, before, 1e-9);
    assert.ok(viewport.zoom >= nearest && viewport.zoom <= viewport.farthest);
  }
});

test('another width leaves the middle where it is', () => {
  const viewport = opened(300_000);
  for (const width of [500, 1, 1440]) {
    viewport.resize(width);
    near(viewport.placeOf(300_000), width / 2);
  }
  viewport.resize(0);
  assert.equal(viewport.width, 1);
});

test('moved by pixels, it stays within the track', () => {
  const viewport = opened(0);
  viewport.pan(-10_000);
  assert.equal(viewport.start, 0);
  viewport.pan(1e9);
  near(viewport.start + 1000 * viewport.zoom, viewport.frames);
  viewport.zoomTo(1e9, 0);
  viewport.clamp();
  near(viewport.start, 0);
  assert.equal(viewport.isWhole, true);
});

test('pixels beyond the track are its first and last frame', () => {
  const viewport = opened(0);
  assert.equal(viewport.frameAt(0), 0);
  assert.equal(viewport.frameAt(1e9), viewport.frames - 1);
  near(viewport.frameAt(700), viewport.start + 700 * viewport.zoom);
});

test('where columns are wider than a frame, they begin on device pixels', () => {
  const viewport = opened(0);
  viewport.start = 1234.5;
  for (const ratio of [1, 2]) {
    const size = viewport.zoom / ratio;
    const columns = viewport.drawnStart(ratio) / size;
    near(columns, Math.round(columns), 1e-9);
    assert.ok(Math.abs(viewport.drawnStart(ratio) - 1234.5) <= size / 2);
  }
  viewport.zoom = 0.5;
  assert.equal(viewport.drawnStart(1), 1234.5);
});
