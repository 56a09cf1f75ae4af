internal import Base
internal import Foundation
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import UserData

extension TrackDocument {
  /// The text for people: a heading, then names and values in two columns.
  ///
  /// - Parameters:
  ///   - tempoRange: where tempi are to be shown; nil for as they are.
  ///   - isInLibrary: false for a file that was analysed on the spot.
  static func text(
    _ detail: TrackDetail, heading track: TrackReference, part: (NumberedPart, PartLevels)? = nil,
    fingerprint: FingerprintText? = nil, tempoRange: TempoRange? = nil, isInLibrary: Bool
  ) -> String {
    let heading = [track.artist, track.title ?? track.files.first?.lastComponent.displayString]
      .compactMap { $0 }.joined(separator: " - ")
    let address = track.part.map { "\(track.recordingID)#\($0.number)" } ?? "\(track.recordingID)"
    var rows: [(String, String)] = [("Track", isInLibrary ? "\(address)  \(heading)" : heading)]
    let rate = detail.recording.format?.sampleRateInHz
    if let (part, levels) = part {
      rows += PartText.rows(part, sampleRateInHz: rate, levels: levels)
      rows += (presetText(detail.preset).map { [("Preset", $0)] } ?? []) + [("", "of the file:")]
    }
    for file in detail.files { rows += fileRows(file, of: detail, isInLibrary: isInLibrary) }
    rows += formatRows(
      detail.recording.format, declaredFrameCount: declaredFrameCount(detail), otherCodecs: codecsText(detail.files))
    if part == nil { rows += PartText.rows(detail.parts, sampleRateInHz: rate) }
    for property in detail.tags.properties {
      for (index, value) in property.values.enumerated() {
        rows.append((index == 0 ? property.name.lowercased() : "", value))
      }
    }
    for corrected in detail.corrections {
      rows.append((rows.contains { $0.0 == "In the file" } ? "" : "In the file", CorrectionText.fileText(corrected)))
    }
    for attribute in detail.attributes { rows.append(("Own \(attribute.name)", attribute.values.joined())) }
    if !detail.lists.isEmpty { rows.append(("Lists", detail.lists.joined(separator: ", "))) }
    if part == nil, let preset = presetText(detail.preset) { rows.append(("Preset", preset)) }
    for picture in detail.pictures {
      let caption = picture.caption.isEmpty ? "" : ", \(picture.caption)"
      rows.append(("picture", "\(picture.mimeType), \(NumberText.size(picture.byteCount))\(caption)"))
    }
    rows += measureRows(detail.measures)
    rows += LoudnessText.rows(detail.measures, album: detail.album)
    rows += spectrumRows(detail.measures)
    rows += TempoAndKeyText.rows(detail.tempoAndKey, in: tempoRange)
    if let evidence = LossySourceEvidence(format: detail.recording.format, measures: detail.measures) {
      let sign = evidence.strength == .none ? "no sign" : "\(evidence.strength.rawValue) evidence"
      rows.append(("Lossy source", "\(sign): \(evidence.reason)"))
    }
    if let fingerprint { rows.append(("AcoustID", fingerprint.shortText)) }
    let products = detail.recording.products.filter { $0.kind != .measures }
    if !products.isEmpty { rows.append(("Analyses", NumberText.size(products.map(\.byteCount).reduce(0, +)))) }
    for product in products {
      let isStale = !ProductRecipe.current(product.kind).accepts(
        version: product.version, parameters: product.parameters)
      rows.append(
        (
          "  " + product.kind.rawValue,
          "\(NumberText.size(product.byteCount)), \(product.parameters)\(isStale ? ", stale" : "")"
            + (product.shard.map { ", in \($0.displayString)" } ?? "")
        ))
    }
    rows.append(
      ("hash", "\(detail.recording.hash), of the \(detail.recording.isKnownBySamples ? "samples" : "stream")"))
    let width = rows.map { DisplayWidth.of(TerminalText.escaped($0.0)) }.max() ?? 0
    return rows.map { name, value in
      DisplayWidth.padded(TerminalText.escaped(name), toWidth: width + 2) + TerminalText.escaped(value) + "\n"
    }.joined()
  }

  /// nil if nothing is assigned.
  private static func presetText(_ resolution: PresetResolution) -> String? {
    if let silenced = resolution.silenced { return "none: switched off for \(silenced.shown)" }
    guard let applied = resolution.applied, let name = applied.presetName else { return nil }
    return "\(name): assigned to \(applied.shown)"
  }

  private static func fileRows(
    _ file: FileDetail, of detail: TrackDetail, isInLibrary: Bool
  ) -> [(String, String)] {
    var rows = [("File", "\(file.path.displayString) (\(NumberText.size(file.byteCount)))")]
    if file.state != .ok {
      let position = file.problem?.positionInSeconds.map { " at \(DurationText.clock($0))" } ?? ""
      let reason = file.state == .missing ? nil : file.problem?.reason
      rows.append(("", file.state.rawValue + (reason.map { ": \($0)" } ?? "") + position))
    }
    if detail.files.count > 1, let format = file.format {
      rows.append(("", fileText(format, recording: detail.recording.format)))
    }
    let verified = file.verifiedAt.map { ", verified \(NumberText.moment($0))" } ?? ""
    let added = "added \(NumberText.moment(file.addedAt))\(verified)"
    rows.append(("", isInLibrary ? added : "not in the library: analysed on the spot, nothing was stored"))
    if !file.notes.isEmpty { rows.append(("", file.notes.joined(separator: ", "))) }
    return rows
  }

  /// What a file has of its own: codec and container, length, and trimming where it is not that of the recording.
  private static func fileText(_ format: MediaFormat, recording: MediaFormat?) -> String {
    var parts = [codecText(format), format.durationInSeconds.map(DurationText.clock)].compactMap { $0 }
    if let count = format.decodedFrameCount, let other = recording?.decodedFrameCount, count != other {
      parts.append("\(count) frames")
    }
    if format.delayFrameCount != recording?.delayFrameCount {
      parts.append(format.delayFrameCount.map { "delay \($0)" } ?? "delay unknown")
    }
    if format.paddingFrameCount != recording?.paddingFrameCount {
      parts.append(format.paddingFrameCount.map { "padding \($0)" } ?? "padding unknown")
    }
    return parts.joined(separator: ", ")
  }

  /// What the headers say of a file that is as long as the recording, or of the first file if there is none.
  private static func declaredFrameCount(_ detail: TrackDetail) -> Int64? {
    let count = detail.recording.format?.decodedFrameCount
    let formats = detail.files.compactMap(\.format)
    return (formats.first { $0.decodedFrameCount == count } ?? detail.recording.format)?.declaredFrameCount
  }

  /// nil if all files have one codec.
  private static func codecsText(_ files: [FileDetail]) -> String? {
    let codecs = Set(files.compactMap { $0.format?.codec?.rawValue }).sorted()
    guard codecs.count > 1 else { return nil }
    return "in files of \(codecs.count) codecs with the same samples: \(codecs.joined(separator: ", "))"
  }

  /// `flac in ogg`; empty if nothing is known.
  private static func codecText(_ format: MediaFormat) -> String? {
    let container = format.container.rawValue
    guard let codec = format.codec?.rawValue else { return container.isEmpty ? nil : container }
    return codec == container || container.isEmpty ? codec : "\(codec) in \(container)"
  }

  private static func formatRows(_ format: MediaFormat?, declaredFrameCount: Int64?, otherCodecs: String?) -> [(
    String, String
  )] {
    guard let format else { return [] }
    let parts = [
      codecText(format),
      format.sampleRateInHz.map { "\(NumberText.short(Double($0) / 1000)) kHz" },
      format.channelCount.map { $0 == 1 ? "mono" : $0 == 2 ? "stereo" : "\($0) channels" },
      format.bitsPerSample.map { "\($0) bit" },
      format.bitRateInBitsPerSecond.map { "\($0 / 1000) kbit/s" },
    ]
    var rows = [("Format", parts.compactMap { $0 }.joined(separator: ", "))]
    if let otherCodecs { rows.append(("", otherCodecs)) }
    if let seconds = format.durationInSeconds, let frames = format.decodedFrameCount {
      var text = "\(DurationText.clock(seconds)) (\(frames) frames"
      if let declared = declaredFrameCount, declared != frames { text += " of \(declared)" }
      if let delay = format.delayFrameCount { text += ", delay \(delay)" }
      if let padding = format.paddingFrameCount { text += ", padding \(padding)" }
      rows.append(("Length", text + ")"))
    }
    return rows
  }

  private static func measureRows(_ measures: Measures?) -> [(String, String)] {
    guard let measures else { return [] }
    func level(_ value: Double?, _ unit: String) -> String? { value.map { "\(NumberText.decimal($0, 2)) \(unit)" } }
    let levels = [
      level(measures.samplePeakInDBFS, "dBFS").map { "peak \($0)" },
      level(measures.rmsInDBFS, "dBFS").map { "RMS \($0)" },
      level(measures.crestInDB, "dB").map { "crest \($0)" },
    ].compactMap { $0 }
    var rows: [(String, String)] = []
    if !levels.isEmpty { rows.append(("Levels", levels.joined(separator: ", "))) }
    let faults = [
      measures.dcOffset.map { "DC offset \(NumberText.short($0))" },
      measures.clippedSampleCount.map { "\($0) clipped samples" },
      measures.nonFiniteSampleCount.flatMap { $0 > 0 ? "\($0) samples that are not finite" : nil },
    ].compactMap { $0 }
    if !faults.isEmpty { rows.append(("", faults.joined(separator: ", "))) }
    if let start = measures.leadingSilenceInSeconds, let end = measures.trailingSilenceInSeconds {
      rows.append(
        (
          "Silence",
          "\(NumberText.decimal(start, 2)) s at the start, \(NumberText.decimal(end, 2)) s at the end (up to -60 dBFS)"
        ))
    }
    return rows
  }

  private static func spectrumRows(_ measures: Measures?) -> [(String, String)] {
    func frequency(_ hertz: Double?) -> String? {
      hertz.map(NumberText.frequency)
    }
    let parts = [
      frequency(measures?.spectralCentroidInHz).map { "centroid \($0)" },
      frequency(measures?.rolloff85InHz).map { "85 % below \($0)" },
      frequency(measures?.rolloff95InHz).map { "95 % below \($0)" },
      measures?.spectralFlatness.map { "flatness \(NumberText.short($0))" },
      frequency(measures?.cutoffInHz).map { "cut off at \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? [] : [("Spectrum", parts.joined(separator: ", "))]
  }
}

/// Loudness of a track and of its album, for people.
enum LoudnessText {
  static func rows(_ measures: Measures?, album: AlbumLoudness?) -> [(String, String)] {
    var rows: [(String, String)] = []
    if let measures {
      let loudness = [
        level(measures.integratedLoudnessInLUFS, "LUFS"),
        level(measures.loudnessRangeInLU, "LU").map { "range \($0)" },
        level(measures.momentaryMaximumInLUFS, "LUFS").map { "momentary maximum \($0)" },
        level(measures.shortTermMaximumInLUFS, "LUFS").map { "short-term maximum \($0)" },
      ].compactMap { $0 }
      if !loudness.isEmpty { rows.append(("Loudness", loudness.joined(separator: ", "))) }
      let peak = peakText(measures.truePeakInDBTP)
      if !peak.isEmpty { rows.append((rows.isEmpty ? "Loudness" : "", peak.joined(separator: ", "))) }
      if let gain = level(measures.replayGainInDB, "dB") {
        let peak = measures.truePeakInDBTP.map { ", peak \(NumberText.decimal(pow(10, $0 / 20), 6))" } ?? ""
        rows.append(("ReplayGain", gain + peak))
      }
    }
    if let album { rows.append(("Album", text(album))) }
    return rows
  }

  private static func text(_ album: AlbumLoudness) -> String {
    var parts = [NumberText.count(album.trackCount, "track")]
    if album.measuredTrackCount < album.trackCount { parts[0] += " (\(album.measuredTrackCount) measured)" }
    if let loudness = level(album.loudnessInLUFS, "LUFS") { parts.append(loudness) }
    if let gain = level(album.replayGainInDB, "dB") { parts.append("ReplayGain \(gain)") }
    return (parts + peakText(album.truePeakInDBTP)).joined(separator: ", ")
  }

  private static func peakText(_ peak: Double?) -> [String] {
    level(peak, "dBTP").map { ["true peak \($0)"] } ?? []
  }

  private static func level(_ value: Double?, _ unit: String) -> String? {
    value.map { "\(NumberText.decimal($0, 2)) \(unit)" }
  }
}

extension FingerprintText {
  /// The members of a JSON object, without braces.
  var jsonMembers: String {
    "\"duration\": \(NumberText.decimal(durationInSeconds, 2)), "
      + "\"fingerprint\": \(isRaw ? "[\(words)]" : "\"\(words)\"")"
  }

  /// The start of it, for people.
  var shortText: String { "\(fingerprint.text.prefix(24))…, \(NumberText.count(fingerprint.words.count, "word"))" }
}
