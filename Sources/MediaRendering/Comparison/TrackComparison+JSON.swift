package import Base
internal import Glibc
internal import LibraryTracks
internal import MasterComparison
internal import MediaModel

extension TrackComparison {
  /// As `compare --json` gives it; B is what becomes of A.
  package var json: JSONValue {
    let figures = comparison.figures
    return .object([
      "schema": .integer(1),
      "a": first.json, "b": second.json,
      "relation": .string(comparison.relation.rawValue),
      "relation_of_rest": .string(comparison.relationOfRest?.rawValue),
      "offset_seconds": .rounded(comparison.offsetInSeconds, 7),
      "offset_frames": .rounded(comparison.offsetInFrames, 4),
      "common_start_seconds": .rounded(comparison.commonInSeconds?.lowerBound, 4),
      "common_end_seconds": .rounded(comparison.commonInSeconds?.upperBound, 4),
      "speed": .rounded(figures?.speed, 9),
      "inverted": figures.map { .bool($0.isInverted) } ?? .null,
      "gain_db": .rounded(figures?.gainInDB, 3),
      "null_after_gain_db": .rounded(figures?.nullAfterGainInDB, 2),
      "null_after_filter_db": .rounded(figures?.nullAfterFilterInDB, 2),
      "floor_db": .rounded(figures?.floorInDB, 2),
      "filter_deviation_db": .rounded(figures?.filterDeviationInDB, 2),
      "gain_deviation_db": .rounded(figures?.gainDeviationInDB, 3),
      "gain_level_correlation": .rounded(figures?.gainCorrelation, 3),
      "share_in_loudest": .rounded(figures?.shareInLoudest, 3),
      "agreement": .rounded(figures?.agreement, 3),
      "compared_frames": .integer(figures?.comparedFrameCount),
      "unequal_frames": .integer(figures?.unequalFrameCount),
      "edits": .array(comparison.edits.map(\.json)),
      "bands": .array(comparison.bands.map(\.json)),
      "gains_db": .array(comparison.gains.map { .rounded($0, 2) }),
    ])
  }
}

extension TrackComparison.Side {
  fileprivate var json: JSONValue {
    .object(
      JSONValue.path(track.files.first) + [
        .init("id", .integer(track.recordingID)), .init("hash", .string(track.hash.description)),
        .init("sample_rate_hz", .integer(track.format.sampleRateInHz)),
        .init("channels", .integer(track.format.channelCount)),
        .init("bits", .integer(track.format.bitsPerSample)),
        .init("duration_seconds", .rounded(track.durationInSeconds, 4)),
        .init("dr14", .integer(dynamics?.dr14)),
        .init("dr_db", .array((dynamics?.channelsInDB ?? []).map { .rounded($0, 2) })),
        .init("share_at_ceiling", .rounded(shareAtCeiling, 7)),
        .init("loudness_lufs", .rounded(loudnessInLUFS, 2)),
        .init("loudness_range_lu", .rounded(loudnessRangeInLU, 2)),
        .init("short_term_max_lufs", .rounded(shortTermMaximumInLUFS, 2)),
        .init("true_peak_dbtp", .rounded(truePeakInDBTP, 2)),
        .init("sample_peak_dbfs", .rounded(samplePeakInDBFS, 2)),
        .init("plr_db", .rounded(peakToLoudnessInDB, 2)),
      ])
  }
}

extension ComparedMasters.Edit {
  fileprivate var json: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "start_seconds": .rounded(start, 3), "start_in_b_seconds": .rounded(startInB, 3),
      "length_seconds": .rounded(length, 4),
    ])
  }
}

extension ComparedMasters.Band {
  fileprivate var json: JSONValue {
    .object([
      "center_hz": .rounded(centerInHz, 1), "filter_db": .rounded(filterInDB, 2),
      "null_after_gain_db": .rounded(afterGainInDB, 1), "null_after_filter_db": .rounded(afterFilterInDB, 1),
    ])
  }
}

extension JSONValue {
  fileprivate static func rounded(_ number: Double?, _ places: Int) -> JSONValue {
    .number(
      number.map {
        let scale = pow(10, Double(places))
        return ($0 * scale).rounded() / scale
      })
  }
}
