/** Which part of a track a waveform shows: frames and pixels, from the whole track to single samples. */

/** The nearest zoom: one frame is 16 pixels. */
export const nearest = 1 / 16;
/** Seconds a pixel at first: a screen shows some fifteen seconds. */
const firstZoom = 0.0097;

export class Viewport {
  constructor() {
    /** The frame at the left edge; below zero where the track begins later. */
    this.start = 0;
    /** Frames a pixel. */
    this.zoom = 430;
    /** In pixels. */
    this.width = 1;
    /** Of the track; 0 while there is none. */
    this.frames = 0;
  }

  /** The zoom at which the whole track is seen. */
  get farthest() {
    return (this.frames || 1) / this.width;
  }

  /** Whether the whole track is seen. */
  get isWhole() {
    return this.zoom >= this.farthest * 0.98;
  }

  /**
   * Begins with another track, in its middle a frame.
   * @param {{frames: number, rate: number}} track @param {number} frame
   */
  open({ frames, rate }, frame) {
    this.frames = frames;
    this.zoom = Math.min(rate * firstZoom, this.farthest);
    this.centre(frame);
  }

  /** @param {number} width in pixels; the middle stays */
  resize(width) {
    const middle = this.start + (this.zoom * this.width) / 2;
    this.width = Math.max(1, width);
    if (this.frames) this.zoom = Math.min(this.zoom, this.farthest);
    this.centre(middle);
  }

  /** @param {number} frame */
  centre(frame) {
    this.start = frame - (this.zoom * this.width) / 2;
  }

  /** @param {number} zoom frames a pixel; what is possible of it */
  within(zoom) {
    return Math.max(nearest, Math.min(zoom, this.farthest));
  }

  /** @param {number} zoom frames a pixel @param {number} x the pixel whose frame stays where it is */
  zoomTo(zoom, x) {
    const frame = this.start + x * this.zoom;
    this.zoom = this.within(zoom);
    this.start = frame - x * this.zoom;
  }

  /** @param {number} pixels to the right */
  pan(pixels) {
    this.start += pixels * this.zoom;
    this.clamp();
  }

  /** Shows nothing beyond the ends of the track; a shorter one stands in the middle. */
  clamp() {
    const shown = this.zoom * this.width;
    const room = this.frames - shown;
    this.start = room <= 0 ? room / 2 : Math.max(0, Math.min(this.start, room));
  }

  /** @param {number} x in pixels @returns {number} a frame of the track */
  frameAt(x) {
    return Math.max(0, Math.min(this.start + x * this.zoom, (this.frames || 1) - 1));
  }

  /** @param {number} frame @returns {number} in pixels */
  placeOf(frame) {
    return (frame - this.start) / this.zoom;
  }

  /**
   * Where it begins to be drawn: a waveform that stands still on device pixels does not shimmer while it moves.
   * @param {number} ratio device pixels a pixel
   */
  drawnStart(ratio) {
    const size = this.zoom / ratio;
    return size >= 1 ? Math.round(this.start / size) * size : this.start;
  }
}
