internal import Base
internal import MediaModel

/// The `GraphicEQ` lines of a file. All lines for the same channels add up to one curve, to which bands are fitted.
struct GraphicCurves {
  /// The frequencies at which several curves are added.
  private static let grid = FrequencyGrid.points(from: 5, to: 40_000, perOctave: 96)
  /// Bounds the cost; no real file has more.
  private static let maximumCount = 64

  private var curves: [(curve: GainCurve, channels: BandChannels, line: Int, file: String?)] = []

  var isEmpty: Bool { curves.isEmpty }

  /// Reads the points of a line, `25 1.5; 40 2; 1k 0`, and notes everything else.
  ///
  /// - Returns: Whether there is a point among them.
  mutating func add(_ text: Substring, channels: BandChannels, at line: Int, notes: inout ExchangeNotes) -> Bool {
    guard curves.count < Self.maximumCount else {
      notes.add("GraphicEQ: more than \(Self.maximumCount) curves; ignored", at: .line(line))
      return true
    }
    let hasPoint = text.contains(".")
    var points: [GainCurve.Point] = []
    for pair in text.split(separator: ";") {
      let trimmed = pair.trimmingBlanks()
      if trimmed.isEmpty { continue }
      let parts = trimmed.split(whereSeparator: \.isWhitespace)
      let isInThousands = parts.first?.last.map { $0 == "k" || $0 == "K" } ?? false
      let numbers = parts.enumerated().map { index, part in
        let digits = index == 0 && isInThousands ? part.dropLast() : part
        return SettingValue.number(hasPoint ? String(digits) : String(digits.map { $0 == "," ? "." : $0 }))
      }
      guard numbers.count == 2, let written = numbers[0], let gain = numbers[1],
        case let frequency = isInThousands ? 1000 * written : written, frequency > 0
      else {
        notes.add("GraphicEQ: \(ExchangeNote.quoted(trimmed)) is not a point of a curve; ignored", at: .line(line))
        continue
      }
      let range = EqualizerBand.gains
      if !range.contains(gain) {
        notes.add(
          "GraphicEQ: \(ExchangeNote.quoted(trimmed)) is out of range; the nearest gain is used", at: .line(line))
      }
      points.append(.init(frequency: frequency, gain: min(max(gain, range.lowerBound), range.upperBound)))
    }
    guard !points.isEmpty else { return false }
    curves.append((GainCurve(points), channels, line, notes.file))
    return true
  }

  /// Fits bands to the curves and adds them to `draft`.
  ///
  /// - Parameter maximumBandCount: The most bands for each curve.
  func fit(into draft: inout EqualizerDraft, maximumBandCount: Int, notes: inout ExchangeNotes) {
    let file = notes.file
    defer { notes.file = file }
    for channels in BandChannels.allCases {
      let members = curves.filter { $0.channels == channels }
      guard let first = members.first else { continue }
      notes.file = first.file
      let curve = members.count == 1 ? first.curve : Self.sum(members.map(\.curve))
      var limits = CurveFit.Limits()
      limits.maximumBandCount = min(maximumBandCount, Equalizer.maximumBandCount - draft.bands.count)
      do throws(PresetError) {
        let fit = try CurveFit(curve, limits: limits, channels: channels)
        draft.add(fit.equalizer, at: .line(first.line), notes: &notes)
        draft.add(gain: fit.equalizer.gain, channels: channels)
        let count = members.reduce(0) { $0 + $1.curve.points.count }
        notes.add(
          "GraphicEQ: a curve of \(count) points became \(fit.equalizer.bands.count) bands, \(fit.deviation)",
          at: .line(first.line))
      } catch {
        notes.add("GraphicEQ: \(error); ignored", at: .line(first.line))
      }
    }
  }

  private static func sum(_ curves: [GainCurve]) -> GainCurve {
    GainCurve(
      grid.map { frequency in .init(frequency: frequency, gain: curves.reduce(0) { $0 + $1.gain(at: frequency) }) })
  }
}
