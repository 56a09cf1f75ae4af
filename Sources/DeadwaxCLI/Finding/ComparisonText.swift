internal import Base
internal import LibraryTracks
internal import MasterComparison
internal import MediaModel
internal import MediaRendering

/// A comparison for people.
struct ComparisonText {
  private let comparison: TrackComparison
  private let isVerbose: Bool

  init(_ comparison: TrackComparison, isVerbose: Bool) {
    self.comparison = comparison
    self.isVerbose = isVerbose
  }

  func write() throws {
    for (name, side) in [("A", comparison.first), ("B", comparison.second)] {
      try StandardOutput.line(TerminalText.escaped("\(name)  \(side.track.label)  (\(Self.format(side.track)))"))
    }
    try StandardOutput.line("")
    for line in sentences { try StandardOutput.line(line) }
    try StandardOutput.line("")
    try writeSides()
    guard isVerbose, !comparison.comparison.bands.isEmpty else { return }
    try StandardOutput.line("")
    try writeBands()
  }

  private static func format(_ track: TrackReference) -> String {
    let format = track.format
    return [
      format.codec?.rawValue, format.sampleRateInHz.map { "\(NumberText.short(Double($0) / 1_000)) kHz" },
      format.bitsPerSample.map { "\($0) bits" }, track.durationInSeconds.map(DurationText.clock),
    ].compactMap { $0 }.joined(separator: ", ")
  }

  // MARK: - Sentences

  private var sentences: [String] {
    let result = comparison.comparison
    var lines = [Self.sentence(result.relation, result)]
    if let rest = result.relationOfRest { lines.append("the rest: " + Self.sentence(rest, result)) }
    for edit in result.edits { lines.append("  " + Self.text(edit)) }
    guard let figures = result.figures, let offset = result.offsetInSeconds else { return lines }
    var place = "B begins \(NumberText.decimal(abs(offset), 4)) s \(offset < 0 ? "before" : "after") A"
    let frames = result.offsetInFrames ?? 0
    if abs(frames) < 0.005 {
      place = "both begin together"
    } else {
      place += " (\(NumberText.decimal(frames, 2)) samples)"
    }
    if figures.isInverted { place += "; its polarity is inverted" }
    lines.append(place)
    if let gain = figures.nullAfterGainInDB {
      lines.append(
        "left after one gain of \(NumberText.decimal(figures.gainInDB, 2)) dB: \(NumberText.decimal(gain, 1)) dB "
          + "(rounding alone: \(NumberText.decimal(figures.floorInDB, 1)) dB)")
    }
    if let filter = figures.nullAfterFilterInDB {
      lines.append(
        "left after the best filter: \(NumberText.decimal(filter, 1)) dB; the filter deviates by "
          + "\(NumberText.decimal(figures.filterDeviationInDB, 1)) dB")
    }
    lines.append(
      "gain over time: deviation \(NumberText.decimal(figures.gainDeviationInDB, 2)) dB, correlation with the level "
        + "\(NumberText.decimal(figures.gainCorrelation, 2)); of what is left, "
        + "\(NumberText.decimal(100 * figures.shareInLoudest, 0)) % is in the loudest 1 % of samples")
    return lines
  }

  private static func sentence(_ relation: MasterRelation, _ result: ComparedMasters) -> String {
    let figures = result.figures
    let isBProcessed = (figures?.gainCorrelation ?? 0) < 0
    return switch relation {
    case .identical: "identical: the samples are equal"
    case .gain: "gain: B is A after a gain of \(NumberText.decimal(figures?.gainInDB ?? 0, 2)) dB, and nothing else"
    case .speed: "speed: B runs at \(NumberText.decimal(figures?.speed ?? 1, 6)) times the speed of A"
    case .resampled: "resampled: B is A after a conversion of its sample rate"
    case .equalized: "equalized: one filter makes B of A"
    case .compressed:
      "compressed: \(isBProcessed ? "B" : "A") is compressed or limited, compared with \(isBProcessed ? "A" : "B")"
    case .clipped: "clipped: \(clippedSide(figures)) is clipped; they differ in the loudest samples"
    case .lossy: "lossy: they differ by noise as lossy codecs leave it"
    case .edited: "edited: \(NumberText.count(result.edits.count, "place")) with other sound"
    case .otherMix: "other mix: the same performance, but no gain or filter makes B of A"
    case .otherPerformance: "other performance: no sound in common was found"
    }
  }

  private static func clippedSide(_ figures: MasterFigures?) -> String {
    guard let shares = figures?.shareAtCeiling, shares.first != shares.second else { return "one of them" }
    return shares.first > shares.second ? "A" : "B"
  }

  private static func text(_ edit: ComparedMasters.Edit) -> String {
    let place = "at \(DurationText.clock(edit.start)) of A, \(DurationText.clock(edit.startInB)) of B"
    return switch edit.kind {
    case .shifted:
      "\(place): B has \(NumberText.decimal(abs(edit.length), 3)) s \(edit.length < 0 ? "less" : "more")"
    case .differs: "\(place): other sound for \(NumberText.decimal(edit.length, 0)) s"
    }
  }

  // MARK: - Tables

  private func writeSides() throws {
    var table = TextTable([
      TextTable.Column(title: "", isAlignedRight: false, canShrink: false),
      TextTable.Column(title: "A", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "B", isAlignedRight: true, canShrink: false),
    ])
    func add(_ name: String, _ unit: String, _ value: (TrackComparison.Side) -> Double?, places: Int = 1) throws {
      func text(_ side: TrackComparison.Side) -> String {
        value(side).map { "\(NumberText.decimal($0, places))\(unit.isEmpty ? "" : " ")\(unit)" } ?? ""
      }
      try table.add([name, text(comparison.first), text(comparison.second)])
    }
    try add("DR14", "", { ($0.dynamics?.dr14).map(Double.init) }, places: 0)
    try add("loudness", "LUFS", \.loudnessInLUFS)
    try add("loudness range", "LU", \.loudnessRangeInLU)
    try add("short-term maximum", "LUFS", \.shortTermMaximumInLUFS)
    try add("peak to loudness", "dB", \.peakToLoudnessInDB)
    try add("true peak", "dBTP", \.truePeakInDBTP)
    try add("sample peak", "dBFS", \.samplePeakInDBFS)
    try table.finish()
  }

  private func writeBands() throws {
    var table = TextTable(
      ["BAND", "FILTER dB", "LEFT AFTER GAIN dB", "LEFT AFTER FILTER dB"].map {
        TextTable.Column(title: $0, isAlignedRight: true, canShrink: false)
      })
    for band in comparison.comparison.bands {
      func text(_ value: Double?) -> String { value.map { NumberText.decimal($0, 1) } ?? "" }
      try table.add([
        NumberText.frequency(band.centerInHz), text(band.filterInDB), text(band.afterGainInDB),
        text(band.afterFilterInDB),
      ])
    }
    try table.finish()
  }
}
