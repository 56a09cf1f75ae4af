internal import Glibc

/// The shapes of rings, in pixels from the top left corner.
struct EngravedShapes {
  /// Shapes that are drawn together, the first layer below the others.
  struct Layer {
    /// Over the ground.
    var opacity: Double
    var shapes: [BandMixture: [Quadrangle]] = [:]
  }

  let layout: EngravingLayout
  let sound: EngravedSound

  private static let narrowestLine = 0.45
  private static let narrowestTone = 0.4
  private static let shortestHalfStroke = 0.4

  /// Faint bands, peaks and mean levels, of all rings together: rings do not overlap, and a few large fills are much faster than many
  /// small ones.
  var layers: [Layer] {
    var (bands, peaks, levels) = (Layer(opacity: 0.4), Layer(opacity: 0.5), Layer(opacity: 1))
    for ring in layout.rings {
      switch ring.style {
      case .line: addBand(of: ring, to: &levels) { max(Self.narrowestLine, ring.width * (0.1 + 0.78 * $0)) }
      case .strokes:
        if layout.hasTone {
          addBand(of: ring, to: &bands) { max(Self.narrowestTone, ring.width * (0.05 + 0.95 * $0)) }
        }
        addStrokes(of: ring, peaks: &peaks, levels: &levels)
      }
    }
    return [bands, peaks, levels]
  }

  /// A band around the middle of a ring.
  ///
  /// - Parameter thickness: From the share of a level.
  private func addBand(of ring: EngravingLayout.Ring, to layer: inout Layer, thickness: (Double) -> Double) {
    let count = layout.pieceCount(of: ring, columnCount: sound.columnCount(of: ring.tracks))
    let step = 2 * .pi / Double(count)
    for (index, span) in sound.spans(of: ring.tracks, count: count).enumerated() {
      let half = thickness(span.share) / 2
      // Each reaches under the next one, or their antialiased edges would leave a seam.
      let (start, end) = (direction(Double(index) * step), direction((Double(index) + 1.2) * step))
      let (inner, outer) = (ring.middleRadius - half, ring.middleRadius + half)
      layer.shapes[span.mixture, default: []].append(
        Quadrangle(corners: (place(inner, start), place(outer, start), place(outer, end), place(inner, end))))
    }
  }

  /// Mean levels, and what peaks have beyond them.
  private func addStrokes(of ring: EngravingLayout.Ring, peaks: inout Layer, levels: inout Layer) {
    let count = layout.strokeCount(of: ring)
    for (index, span) in sound.spans(of: ring.tracks, count: count).enumerated() {
      let direction = direction((Double(index) + 0.5) * 2 * .pi / Double(count))
      let half = max(Self.shortestHalfStroke, ring.width / 2 * (0.05 + 0.95 * span.share))
      let halfOfPeak = ring.width / 2 * min(1, 0.1 + 0.9 * span.peakShare)
      if span.peakShare > 0, halfOfPeak > half {
        peaks.shapes[span.mixture, default: []].append(
          stroke(direction, ring.middleRadius, halfOfPeak, width: 0.62 * layout.strokeWidth))
      }
      levels.shapes[span.mixture, default: []].append(
        stroke(direction, ring.middleRadius, half, width: layout.strokeWidth))
    }
  }

  private typealias Direction = (x: Double, y: Double)

  /// - Parameter angle: From 12 o'clock, clockwise.
  private func direction(_ angle: Double) -> Direction { (sin(angle), -cos(angle)) }

  private func place(_ radius: Double, _ direction: Direction) -> Quadrangle.Corner {
    (layout.side / 2 + radius * direction.x, layout.side / 2 + radius * direction.y)
  }

  private func stroke(_ direction: Direction, _ radius: Double, _ half: Double, width: Double) -> Quadrangle {
    let (inner, outer) = (place(radius - half, direction), place(radius + half, direction))
    let (x, y) = (-direction.y * width / 2, direction.x * width / 2)
    return Quadrangle(
      corners: (
        (inner.x - x, inner.y - y), (outer.x - x, outer.y - y), (outer.x + x, outer.y + y), (inner.x + x, inner.y + y)
      ))
  }
}
