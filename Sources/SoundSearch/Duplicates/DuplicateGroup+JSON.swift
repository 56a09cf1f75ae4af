package import Base
internal import LibraryTracks
internal import MediaModel
internal import SoundIndex

extension DuplicateGroup {
  /// The group as `duplicates --json` and the API give it.
  ///
  /// - Parameter more: Members that are added to a file.
  package func json(_ more: (Member) -> [JSONValue.Member] = { _ in [] }) -> JSONValue {
    .object([
      .init("kind", .string(kind.rawValue)),
      .init("keep", kind == .sameRecording ? .integer(Int(members[0].recordingID)) : .null),
      .init("offset_seconds", .number(offsetInSeconds)), .init("common_seconds", .number(commonSeconds)),
      .init(
        "files",
        .array(
          members.enumerated().map { place, member in
            .object(
              [.init("id", .integer(Int(member.recordingID)))] + JSONValue.path(member.file.path) + [
                .init("keep", .bool(kind == .sameRecording ? place == 0 : true)),
                .init("reason", .string(member.reason)),
                .init("reason_code", .string(member.advantage?.rawValue)),
                .init("identical", .bool(member.isIdentical)),
                .init("offset_seconds", .number(member.offsetInSeconds)),
              ] + member.quality.members + more(member))
          })),
    ])
  }
}

extension CopyQuality {
  var members: [JSONValue.Member] {
    [
      .init("codec", .string(codec?.rawValue)), .init("sample_rate_hz", .integer(sampleRateInHz)),
      .init("bits", bits > 0 ? .integer(bits) : .null),
      .init("bitrate_bps", bitrateInBitsPerSecond > 0 ? .integer(bitrateInBitsPerSecond) : .null),
      .init("duration_seconds", .number(durationInSeconds)), .init("is_damaged", .bool(isDamaged)),
      .init("is_lossless", .bool(isLossless)), .init("lossy_evidence", .string(lossyEvidence?.rawValue)),
      .init("cutoff_hz", .number(cutoffInHz)), .init("loudness_lufs", .number(loudnessInLUFS)),
      .init("clipped_samples", .integer(clippedSampleCount)),
    ]
  }
}
