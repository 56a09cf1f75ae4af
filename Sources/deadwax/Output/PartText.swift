internal import Base
internal import MediaModel
internal import MediaStore

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
      let (start, end) = seconds(part, rate)
      rows.append(("", "\(number)  \(DurationText.clock(start)) to \(DurationText.clock(end))  \(part.label)"))
    }
    if parts.count > shownCount { rows.append(("", "…; `deadwax ls --parts` shows all")) }
    return rows
  }

  /// What is known of one part.
  ///
  /// - Parameter levels: from the stored waveform.
  static func rows(_ part: NumberedPart, sampleRateInHz rate: Int?, levels: PartLevels) -> [(String, String)] {
    let (start, end) = seconds(part, rate)
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

  static func json(_ part: NumberedPart, sampleRateInHz rate: Int?, levels: PartLevels? = nil) -> JSONValue {
    let (start, end) = seconds(part, rate)
    var members: [JSONValue.Member] = [
      .init("number", .integer(part.number)), .init("source", .string(part.source.rawValue)),
      .init("start_frame", .integer(part.part.frames.lowerBound)),
      .init("end_frame", .integer(part.part.frames.upperBound)),
      .init("start_seconds", .number(start)), .init("end_seconds", .number(end)),
    ]
    for column in PartTags.columns { members.append(.init(column.name, .string(part.part.tags[keyPath: column.path]))) }
    if let levels {
      members += [
        .init("sample_peak_dbfs", .number(levels.peakInDBFS)), .init("rms_dbfs", .number(levels.rmsInDBFS)),
      ]
    }
    return .object(members)
  }

  private static func seconds(_ part: NumberedPart, _ rate: Int?) -> (start: Double, end: Double) {
    let rate = Double(max(1, rate ?? 1))
    return (Double(part.part.frames.lowerBound) / rate, Double(part.part.frames.upperBound) / rate)
  }

  private static func name(of source: PartList.Source) -> String {
    switch source {
    case .sheetFile: "a CUE sheet beside the file"
    case .sheetTag: "a CUE sheet in its tags"
    case .flac: "its CUESHEET block"
    case .textTrack, .nero, .id3, .matroska: "its chapters"
    case .comments: "chapters in its comments"
    }
  }
}

/// How loud a part is, as far as stored products say it: to about half a decibel, because their values have eight bits.
/// Loudness in LUFS needs samples.
struct PartLevels {
  private(set) var peakInDBFS: Double?
  private(set) var rmsInDBFS: Double?

  init(of part: NumberedPart, ofRecording id: Int64, in store: MediaStore) throws {
    let frames = part.part.frames
    let channels = try store.product(.channelWaveform, ofRecording: id) ?? store.product(.waveform, ofRecording: id)
    peakInDBFS = try channels.flatMap { try WaveformPeaks(datBytes: $0.bytes).cut(to: frames).peakInDBFS }
    rmsInDBFS = try store.product(.waveformEnergy, ofRecording: id).flatMap {
      try WaveformEnergy(blob: $0.bytes).cut(to: frames).rmsInDBFS
    }
  }
}
