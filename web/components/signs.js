/** Signs of evidence, 20 by 16: hatching is damage, falling strokes a lossy source, a flat wave clipping. */

/** @type {Record<string, string>} */
const shapes = {
  damaged: 'M2 13 9 3M6 13l7-10M10 13l7-10M14 13l4-6M2 8l3-5',
  missing: 'M3 3l14 10M17 3 3 13',
  lossy: 'M3 13V4M7 13V6M11 13V9M15 13v-2M13 3h1.5M16 3h1.5M10 3h1.5M19 3h1',
  clipped: 'M1 8c2-5 3-5 4-5h4c2 0 2 10 4 10h2c1 0 3-1 4-5',
  silent: 'M1 8h1.5M5 8h1.5M9 8h1.5M13 8h1.5M17 8h1.5',
};

/** @param {string} kind @returns {SVGElement} */
export function sign(kind) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const shape = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 20 16');
  svg.setAttribute('class', 'sign');
  svg.setAttribute('aria-hidden', 'true');
  shape.setAttribute('d', shapes[kind] ?? '');
  svg.append(shape);
  return /** @type {SVGElement} */ (svg);
}
