/** Times as they are typed, and the part that is saved. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { dice, integers } from '../signals.mjs';
import { openSave, seconds } from '/components/save-dialog.js';
import { time } from '/core/format.js';

test('a time is minutes and seconds, hours, or seconds alone', () => {
  for (const [text, wanted] of [['2:15.5', 135.5], ['1:02:03.25', 3723.25], ['62.5', 62.5], [' 0:00 ', 0], ['0', 0], ['90:00', 5400], ['1:75', 135]]) assert.equal(seconds(text), wanted, text);
});

test('anything else is none', () => {
  for (const text of ['', ' ', ':', '1:', ':30', '1:2:3:4', '-1', '1:-2', '1e3', '1,5', '1.5:00', '.5', '5.', 'NaN', 'Infinity', '0x10', '１:００']) assert.ok(Number.isNaN(seconds(text)), text);
});

test('what the page shows is read back to the millisecond', () => {
  const roll = integers(dice(3));
  for (let i = 0; i < 1000; i += 1) {
    const shown = roll(0, 40_000_000) / 1000;
    assert.ok(Math.abs(seconds(time(shown, 3)) - shown) < 1e-6, `${shown}: ${time(shown, 3)}`);
  }
});

describe('a part of ten seconds', () => {
  HTMLElement.prototype.showModal = () => {};

  /** What is loaded when these times are saved, or why nothing is. */
  function saved(from, to) {
    let found = null;
    HTMLElement.prototype.click = function click() {
      found = this.href;
    };
    openSave({ id: 7, row: { title: 'Song' }, rate: 44_100, frames: 441_000 });
    const dialog = document.body.children.at(-1);
    const [start, end, format] = dialog.querySelector('form').children.find((one) => one.getAttribute('class') === 'fields').children;
    [[start, from], [end, to]].forEach(([label, text]) => (label.querySelector('input').value = text));
    format.querySelector('select').value = 'flac';
    const { defaultPrevented = false } = dialog.querySelector('form').emit('submit');
    const fault = dialog.querySelector('[role="alert"]').textContent;
    dialog.emit('close');
    assert.deepEqual([defaultPrevented, document.body.children.includes(dialog)], [Boolean(fault), false]);
    return found ?? fault;
  }

  test('ends with the track at the latest', () => {
    assert.equal(saved('0:01', '0:02.5'), '/api/v1/tracks/7/sound?start=1&end=2.5&format=flac');
    for (const to of ['0:10', '0:10.001', '99:00']) assert.equal(saved('0:01', to), '/api/v1/tracks/7/sound?start=1&end=10&format=flac', to);
  });

  test('has a beginning before its end, and before that of the track', () => {
    for (const [from, to] of [['0:02', '0:02'], ['0:03', '0:02'], ['0:10', '0:11'], ['x', '0:02'], ['0:01', '']]) assert.match(saved(from, to), /^Write both times/, `${from} to ${to}`);
  });
});
