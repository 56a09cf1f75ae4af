/** Canvases as large as they are shown, in the pixels of the device. */

/** @type {WeakMap<Element, {width: number, height: number}>} Of canvases that are shown, in CSS pixels. */
const sizes = new WeakMap();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect: { width, height } } of entries) {
    if (width && height) sizes.set(target, { width: Math.round(width), height: Math.round(height) });
    else observer.unobserve(target), sizes.delete(target);
  }
});

/**
 * How large a canvas is shown. The browser tells when that changes: to read it while something is drawn would lay the
 * page out each time.
 * @param {HTMLCanvasElement} canvas
 */
export function sizeOf(canvas) {
  const known = sizes.get(canvas);
  if (known) return known;
  observer.observe(canvas);
  return { width: canvas.clientWidth, height: canvas.clientHeight };
}

/**
 * Makes a canvas as large as its place, in device pixels, and gives its context.
 * @param {HTMLCanvasElement} canvas
 * @returns {{context: CanvasRenderingContext2D, width: number, height: number, ratio: number}}
 */
export function prepare(canvas) {
  const ratio = devicePixelRatio || 1;
  const size = sizeOf(canvas);
  const width = Math.max(1, Math.round(size.width * ratio));
  const height = Math.max(1, Math.round(size.height * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  return { context, width, height, ratio };
}

