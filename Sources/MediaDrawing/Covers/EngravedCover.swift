internal import Glibc
package import MediaModel

/// The picture of an album that has none: one engraved ring for each track, drawn from its sound.
///
/// Rings go from the outside in, the start of a track is at 12 o'clock, and hue is frequency, as on the page. Tracks without
/// sound have no ring; if no track has one, only the run-out groove is left. The same values give the same bytes, on any
/// machine: no font is used.
package struct EngravedCover: Picture {
  /// What is behind the rings.
  package enum Ground: String, CaseIterable, Sendable {
    case dark, light
  }

  package struct Track: Hashable, Sendable {
    package var durationInSeconds: Double
    package var hash: ContentHash
    /// Equal parts of the track, its columns; empty if nothing is known of its sound.
    package var energy: [WaveformEnergy.Point]
    /// The peak of each column as ``DecibelStep``, 0 for silence; empty if not known: then no peaks are drawn.
    package var peaks: [UInt8]

    package init(durationInSeconds: Double, hash: ContentHash, energy: [WaveformEnergy.Point] = [], peaks: [UInt8] = [])
    {
      self.durationInSeconds = durationInSeconds
      self.hash = hash
      self.energy = energy
      self.peaks = peaks
    }
  }

  /// How long a side may be, in pixels.
  package static let sides = 32...2048
  /// What PNGs of covers are best compressed with: one percent larger than by zlib's own choice, in two thirds of the time.
  package static let compression = PNGCompression(level: 3)

  package let size: PictureSize
  package var tracks: [Track]
  package var ground: Ground
  /// Engraved from a side of 280 pixels; nil leaves it out.
  package var number: EtchedNumber?

  /// - Parameters:
  ///   - side: In pixels; the nearest of ``sides`` is taken.
  ///   - tracks: In the order in which they are played.
  package init(side: Int, tracks: [Track], ground: Ground) throws(DrawingError) {
    let side = min(max(side, Self.sides.lowerBound), Self.sides.upperBound)
    size = try PictureSize(width: side, height: side)
    self.tracks = tracks
    self.ground = ground
    number = tracks.isEmpty ? nil : EtchedNumber(of: tracks.map(\.hash))
  }

  /// Whether peaks would be seen: only rings that are wide enough for strokes have them.
  ///
  /// - Parameter durations: Of the tracks that have sound, in seconds.
  package static func showsPeaks(side: Int, durations: [Double]) -> Bool {
    let side = min(max(side, sides.lowerBound), sides.upperBound)
    return EngravingLayout(side: side, durations: durations).rings.contains { $0.style == .strokes }
  }

  package var filtersRows: Bool { false }

  package func draw(on canvas: borrowing Canvas) {
    let colors = ground == .dark ? EngravedColors.dark : .light
    canvas.fill(PixelRectangle(x: 0, y: 0, width: size.width, height: size.height), with: colors.ground)
    let sound = EngravedSound(tracks)
    let layout = EngravingLayout(side: size.width, durations: sound.durations)
    for layer in EngravedShapes(layout: layout, sound: sound).layers {
      // In order of colour, or the bytes would depend on the order of a dictionary.
      for (mixture, shapes) in layer.shapes.sorted(by: { $0.key < $1.key }) {
        canvas.fill(shapes, with: colors.color(of: mixture, opacity: layer.opacity))
      }
    }
    drawRunOut(layout, colors, on: canvas)
  }

  private func drawRunOut(_ layout: EngravingLayout, _ colors: EngravedColors, on canvas: borrowing Canvas) {
    let center = layout.side / 2
    func placed(_ lines: [[(x: Double, y: Double)]]) -> [[(x: Double, y: Double)]] {
      lines.map { $0.map { (center + $0.x, center + $0.y) } }
    }
    let lettering = number.flatMap { number in
      layout.hasNumber
        ? EngravedLettering(number.description, size: layout.letterSize, radius: layout.numberRadius) : nil
    }
    let groove = lettering?.clearing(layout.groove) ?? [layout.groove]
    canvas.stroke(placed(groove), width: layout.grooveWidth, with: colors.groove)
    canvas.strokeCircle(
      x: center, y: center, radius: layout.lockedRadius, width: layout.grooveWidth, with: colors.groove)
    guard let lettering else { return }
    canvas.stroke(
      placed(lettering.strokes), width: lettering.strokeWidth, hasRoundEnds: true, with: colors.letters)
  }
}
