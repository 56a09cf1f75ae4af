internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// The parts of a track, for people and for programs.
enum PartText {
  /// More are counted only.
  private static let shownCount = 100

  /// A line for each part: its number, where it begins and ends, and its name.
  static func rows(_ parts: [NumberedPart], sampleRateInHz rate: Int?) -> [(String, String)] {
    guard let first = parts.first else { return [] }
    var rows = [("Parts", "\(parts.count), from \(name(of: first.source))")]
    let width = String(parts.count).count
    for part in parts.prefix(shownCount) {
      let number = String(repeating: " ", count: max(0, width - String(part.number).count)) + "\(part.number)"
      let (start, end) = part.seconds(rate)
      rows.append(("", "\(number)  \(DurationText.clock(start)) to \(DurationText.clock(end))  \(part.label)"))
    }
    if parts.count > shownCount { rows.append(("", "…; `deadwax ls --parts` shows all")) }
    return rows
  }

  /// What is known of one part.
  ///
  /// - Parameter levels: from the stored waveform.
  static func rows(_ part: NumberedPart, sampleRateInHz rate: Int?, levels: PartLevels) -> [(String, String)] {
    let (start, end) = part.seconds(rate)
    var rows = [
      ("Part", "\(part.number), from \(name(of: part.source))"),
      (
        "Length",
        "\(DurationText.clock(end - start)) (frames \(part.part.frames.lowerBound) to \(part.part.frames.upperBound))"
      ),
    ]
    for column in PartTags.columns where column.name != "title" && column.name != "artist" {
      if let text = part.part.tags[keyPath: column.path] { rows.append((column.name, text)) }
    }
    let texts = [
      levels.peakInDBFS.map { "peak \(NumberText.decimal($0, 1)) dBFS" },
      levels.rmsInDBFS.map { "RMS \(NumberText.decimal($0, 1)) dBFS" },
    ].compactMap { $0 }
    if !texts.isEmpty { rows.append(("Levels", texts.joined(separator: ", ") + ", from the stored waveform")) }
    return rows
  }

  private static func name(of source: PartList.Source) -> String {
    switch source {
    case .sheetFile: "a CUE sheet next to the file"
    case .sheetTag: "a CUE sheet in its tags"
    case .flac: "its CUESHEET block"
    case .textTrack, .nero, .id3, .matroska: "its chapters"
    case .comments: "chapters in its comments"
    }
  }
}
