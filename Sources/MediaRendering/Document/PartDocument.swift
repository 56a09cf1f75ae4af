internal import Base
package import LibraryTracks
internal import MediaModel
package import MediaStore

/// One part of a track, as a JSON document.
enum PartDocument {
  static func json(_ part: NumberedPart, sampleRateInHz rate: Int?, levels: PartLevels? = nil) -> JSONValue {
    let (start, end) = part.seconds(rate)
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
}

extension NumberedPart {
  /// Where it begins and ends.
  package func seconds(_ rate: Int?) -> (start: Double, end: Double) {
    let rate = Double(max(1, rate ?? 1))
    return (Double(part.frames.lowerBound) / rate, Double(part.frames.upperBound) / rate)
  }
}

/// How loud a part is, as far as stored products say it: to about half a decibel, because their values have eight bits.
/// Loudness in LUFS needs samples.
package struct PartLevels {
  package private(set) var peakInDBFS: Double?
  package private(set) var rmsInDBFS: Double?

  package init(of part: NumberedPart, ofRecording id: Int64, in store: MediaStore) throws {
    let frames = part.part.frames
    let channels =
      try store.products.product(.channelWaveform, ofRecording: id)
      ?? store.products.product(.waveform, ofRecording: id)
    peakInDBFS = try channels.flatMap { try WaveformPeaks(datBytes: $0.bytes).cut(to: frames).peakInDBFS }
    rmsInDBFS = try store.products.product(.waveformEnergy, ofRecording: id).flatMap {
      try WaveformEnergy(blob: $0.bytes).cut(to: frames).rmsInDBFS
    }
  }
}
