/** Where the points of the map are, and which one is near. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { dice } from '../../signals.mjs';
import { MapModel, meanings, shadeCount, shadeOf } from '/views/similarity/map-model.js';

describe('the map', () => {
  /** @type {MapModel} */
  let model;
  beforeEach(() => {
    model = new MapModel();
    model.size = { width: 856, height: 456 };
    model.points = [[0, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]].map(([x, y], id) => ({ id, x, y }));
  });

  test('lies within its margin', () => {
    assert.deepEqual(model.points.map((point) => model.at(point)), [[28, 28], [828, 28], [428, 228], [28, 428], [828, 428]]);
    assert.deepEqual(model.middle, [428, 228]);
  });

  test('knows the nearest point within reach, and none beyond', () => {
    assert.equal(model.near(430, 230, 14), 2);
    assert.equal(model.near(430, 250, 14), -1);
    assert.equal(model.near(800, 400, Infinity), 4);
  });

  test('knows the next point in a direction, less than 45 degrees off it', () => {
    assert.equal(model.next(2, 0, 1), -1);
    model.points.push({ id: 5, x: 0.9, y: 0.55 });
    assert.equal(model.next(2, 1, 0), 5);
    assert.equal(model.next(0, 0, 1), 3);
  });

  test('is zoomed about a pixel, and never shows less than one edge', () => {
    const random = dice(3);
    for (let i = 0; i < 100; i += 1) {
      const [x, y] = [856 * random(), 456 * random()];
      const point = { x: model.view.x + (x - 428) / 800 / model.view.zoom, y: model.view.y + (y - 228) / 400 / model.view.zoom };
      model.zoomBy(1.2, x, y);
      const [px, py] = model.at(point);
      const isFree = model.view.x > 0.5 / model.view.zoom + 1e-9 && model.view.x < 1 - 0.5 / model.view.zoom - 1e-9;
      if (isFree) assert.ok(Math.abs(px - x) < 1e-6 && Number.isFinite(py));
      assert.ok(model.view.zoom <= 200);
    }
    model.zoomBy(1e-9, 0, 0);
    assert.deepEqual(model.view, { x: 0.5, y: 0.5, zoom: 1 });
  });

  test('is moved by pixels as long as there is something to see', () => {
    model.look(0.5, 0.5, 4);
    model.pan(-80, 40);
    assert.ok(Math.abs(model.view.x - 0.525) < 1e-9 && Math.abs(model.view.y - 0.475) < 1e-9);
    model.pan(1e6, 1e6);
    assert.deepEqual(model.view, { x: 0.125, y: 0.125, zoom: 4 });
  });

  test('tells what is inside of its frame', () => {
    assert.deepEqual([[0, 0], [856, 456], [-1, 0], [0, 457]].map((pixel) => model.isInside(pixel)), [true, true, false, false]);
  });
});

test('shades go from one end of a meaning to the other, and are none for what is not known', () => {
  assert.deepEqual([60, 70, 119, 170, 200].map((bpm) => shadeOf({ bpm }, 'tempo')), [0, 0, 3, shadeCount - 1, shadeCount - 1]);
  assert.equal(shadeOf({ bpm: null }, 'tempo'), -1);
  assert.deepEqual([147, 8200].map((hertz) => shadeOf({ centroid_hz: hertz }, 'centroid')), [0, shadeCount - 1]);
  for (const meaning of Object.values(meanings)) assert.equal(meaning.ends.length, 2);
});
