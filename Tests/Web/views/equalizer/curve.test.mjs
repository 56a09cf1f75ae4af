/** Where the curve and its points are, and how keys move them. */

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import '../../browser.mjs';
import { Curves } from '/audio/effects.js';
import { flat } from '/data/presets.js';
import { Curve } from '/views/equalizer/curve.js';
import { Draft } from '/views/equalizer/draft.js';

describe('the curve', () => {
  let curves, draft, curve;
  before(async () => (curves = await Curves.load()));
  beforeEach(() => {
    draft = new Draft();
    draft.open({ ...flat('x'), bands: [{ type: 'parametric', frequency_hz: 200, gain_db: 6, q: 2 }, { type: 'low-pass', frequency_hz: 2000, bypassed: true }] });
    curve = new Curve(draft);
    curve.canvas.size = { width: 600, height: 270 };
  });
  const bands = () => draft.preset.peek().bands;
  const press = (key, more = {}) => curve.points.children[0].emit('keydown', { key, ...more });

  test('has each point at its frequency and gain', () => {
    const [peak, pass] = curve.points.children;
    // 200 Hz is a decade above 20; 13.5 dB are half of the height.
    assert.ok(Math.abs(parseFloat(peak.style.left) - 100 / 3) < 1e-9);
    assert.ok(Math.abs(parseFloat(peak.style.top) - 100 * (0.5 - 6 / 27)) < 1e-9);
    assert.ok(Math.abs(parseFloat(pass.style.left) - 200 / 3) < 1e-9);
    assert.deepEqual([pass.style.top, pass.classList.contains('off'), peak.classList.contains('off')], ['50%', true, false]);
  });

  test('says what a point is', () => {
    assert.deepEqual(curve.points.children.map((point) => point.getAttribute('aria-valuetext')), ['200 Hz  +6.0 dB  Q 2.00', '2.00 kHz  off']);
    assert.deepEqual(curve.points.children.map((point) => point.getAttribute('aria-label')), ['Band 1, Peak', 'Band 2, Low pass']);
  });

  test('points beyond its edges stand at them', () => {
    draft.setGain(0, 24);
    assert.equal(curve.points.children[0].style.top, '0%');
    draft.setGain(0, -96);
    assert.equal(curve.points.children[0].style.top, '100%');
  });

  test('a place is a frequency and a gain', () => {
    for (const [x, y, hertz, gain] of [[0, 0, 20, 13.5], [600, 270, 20_000, -13.5], [300, 135, Math.sqrt(20 * 20_000), 0], [900, 0, 20_000, 13.5], [-50, 0, 20, 13.5]]) {
      const at = curve.at({ clientX: x, clientY: y });
      assert.ok(Math.abs(at.hertz - hertz) < 1e-6 && Math.abs(at.gain - gain) < 1e-9, `${x}, ${y}: ${at.hertz} ${at.gain}`);
    }
  });

  test('a double click makes a band there', () => {
    curve.frame.emit('dblclick', { target: curve.canvas, clientX: 200, clientY: 45 });
    assert.deepEqual([bands().length, bands()[draft.selected.peek()].frequency_hz, bands()[draft.selected.peek()].gain_db], [3, 200, 9]);
  });

  for (const [key, more, wanted] of [
    ['ArrowUp', {}, [200, 6.5, 2]], ['ArrowDown', { shiftKey: true }, [200, 5.9, 2]], ['ArrowRight', {}, [Math.round(2000 * 2 ** (1 / 12)) / 10, 6, 2]],
    ['ArrowLeft', { shiftKey: true }, [Math.round(2000 * 2 ** (-1 / 60)) / 10, 6, 2]], ['PageUp', {}, [200, 6, 2.2]], ['PageDown', {}, [200, 6, 1.818]],
  ])
    test(`${key} ${more.shiftKey ? 'with Shift ' : ''}moves a point to ${wanted}`, () => {
      assert.equal(press(key, more).defaultPrevented, true);
      assert.deepEqual([bands()[0].frequency_hz, bands()[0].gain_db, bands()[0].q], wanted);
    });

  test('other keys, and those with Control, are for others', () => {
    for (const [key, more] of [['a', {}], ['ArrowUp', { ctrlKey: true }], ['ArrowUp', { altKey: true }]]) assert.ok(!press(key, more).defaultPrevented, key);
    assert.equal(draft.steps.peek(), 0);
  });

  test('Delete removes a band, and b turns it off', () => {
    press('b');
    assert.equal(bands()[0].bypassed, true);
    press('Delete');
    assert.deepEqual(bands().map(({ type }) => type), ['low-pass']);
  });

  test('is drawn through the gain of each band, and says its range', () => {
    curve.curves = curves;
    curve.paint();
    assert.equal(curve.canvas.getAttribute('aria-label'), 'Curve of 2 bands, 0.0 to +6.0 dB');
    const lines = curve.canvas.context.of('lineTo');
    assert.equal(lines.length % 512, 0);
    const total = lines.slice(-512).map(({ values }) => values);
    // At a third of the width, 200 Hz, it is at its highest.
    const [x] = total.reduce((highest, point) => (point[1] < highest[1] ? point : highest));
    assert.ok(Math.abs(x - 200) < 2, String(x));
    assert.ok(Math.abs(Math.min(...total.map(([, y]) => y)) - 270 * (0.5 - 6 / 27)) < 0.5);
  });
});
