package import Base
internal import LibraryQueries
package import LibraryTracks
package import MediaModel
package import MediaStore
internal import UserData

/// All that is known of one track, as a JSON document.
package enum TrackDocument {
  /// - Parameter library: nil for a file that is in none: it has no id and no time at which it was added.
  package static func json(
    _ detail: TrackDetail, part: (NumberedPart, PartLevels)? = nil, fingerprint: FingerprintText? = nil,
    library: BytePath?
  ) -> JSONValue {
    let recording = detail.recording
    return .object([
      "schema": .integer(1),
      "library": .string(library?.displayString),
      "id": .integer(library.map { _ in recording.id }),
      "hash": .string(recording.hash.description),
      "hash_basis": .string(recording.isKnownBySamples ? "samples" : "stream"),
      "state": .string(recording.state.rawValue),
      "preset": .string(detail.preset.presetName),
      "preset_from": .string(detail.preset.applied?.subject.scope.rawValue),
      "files": .array(detail.files.map { file($0, isInLibrary: library != nil) }),
      "format": format(recording.format),
      "part": part.map { PartDocument.json($0, sampleRateInHz: recording.format?.sampleRateInHz, levels: $1) } ?? .null,
      "parts": .array(detail.parts.map { PartDocument.json($0, sampleRateInHz: recording.format?.sampleRateInHz) }),
      "tags": .object(
        detail.tags.properties.map { .init($0.name, .array($0.values.map { .string($0) })) }),
      "corrections": .array(detail.corrections.map(correction)),
      "roles": CreditText.roles(in: detail.tags),
      "works": CreditText.works(in: detail.tags),
      "movement": CreditText.movement(in: detail.tags),
      "attributes": .object(detail.attributes.map { .init($0.name, .string($0.values.first)) }),
      "lists": .array(detail.lists.map { .string($0) }),
      "artwork": .array(detail.pictures.map(picture)),
      "measures": measures(detail.measures),
      "tempo": tempo(detail.tempoAndKey),
      "key": key(detail.tempoAndKey),
      "album": detail.album.map(album) ?? .null,
      "lossy_source": lossySource(detail),
      "acoustid": fingerprint.map(acoustID) ?? .null,
      "products": .array(recording.products.map(product)),
    ])
  }

  /// What counts of a field, and what the file says.
  package static func correction(_ corrected: CorrectedField) -> JSONValue {
    .object([
      "field": .string(corrected.field.queryName),
      "tag": .string(corrected.field.name),
      "scope": .string(corrected.field.scope.rawValue),
      "values": .array(corrected.values.map { .string($0) }),
      "file_values": .array(corrected.fileValues.map { .string($0) }),
      "state": .string(corrected.state.rawValue),
      "corrected_at": .string(Timestamp(secondsSince1970: corrected.correctedAt).description),
    ])
  }

  private static func file(_ file: FileDetail, isInLibrary: Bool) -> JSONValue {
    let object: JSONValue = .object([
      "size_bytes": .integer(file.byteCount),
      "state": .string(file.state.rawValue),
      "problem": file.problem.map(problem) ?? .null,
      "notes": .array(file.notes.map { .string($0) }),
      "added_at": .string(isInLibrary ? Timestamp(secondsSince1970: file.addedAt).description : nil),
      "container": container(file.format),
      "codec": .string(file.format?.codec?.rawValue),
      "stream_hash": .string(file.streamHash?.description),
      "duration_seconds": .number(file.format?.durationInSeconds),
      "verified_at": .string(file.verifiedAt.map { Timestamp(secondsSince1970: $0).description }),
    ])
    return object.preceded(by: JSONValue.path(file.path))
  }

  private static func problem(_ problem: Problem) -> JSONValue {
    .object([
      "code": .string(problem.code),
      "reason": .string(problem.reason),
      "position_seconds": .number(problem.positionInSeconds),
    ])
  }

  private static func format(_ format: MediaFormat?) -> JSONValue {
    .object([
      "container": container(format),
      "codec": .string(format?.codec?.rawValue),
      "sample_rate_hz": .integer(format?.sampleRateInHz),
      "channels": .integer(format?.channelCount),
      "bits": .integer(format?.bitsPerSample),
      "bitrate_bps": .integer(format?.bitRateInBitsPerSecond),
      "declared_frames": .integer(format?.declaredFrameCount),
      "decoded_frames": .integer(format?.decodedFrameCount),
      "delay_frames": .integer(format?.delayFrameCount),
      "padding_frames": .integer(format?.paddingFrameCount),
      "duration_seconds": .number(format?.durationInSeconds),
    ])
  }

  private static func container(_ format: MediaFormat?) -> JSONValue {
    let name = format?.container.rawValue ?? ""
    return .string(name.isEmpty ? nil : name)
  }

  private static func picture(_ picture: TrackDetail.Picture) -> JSONValue {
    .object([
      "type": .integer(picture.pictureType), "mime_type": .string(picture.mimeType),
      "caption": .string(picture.caption), "bytes": .integer(picture.byteCount),
    ])
  }

  /// All keys, with null for what was not measured.
  private static func measures(_ measures: Measures?) -> JSONValue {
    .object([
      "loudness_lufs": .number(measures?.integratedLoudnessInLUFS),
      "loudness_range_lu": .number(measures?.loudnessRangeInLU),
      "momentary_max_lufs": .number(measures?.momentaryMaximumInLUFS),
      "short_term_max_lufs": .number(measures?.shortTermMaximumInLUFS),
      "true_peak_dbtp": .number(measures?.truePeakInDBTP),
      "sample_peak_dbfs": .number(measures?.samplePeakInDBFS),
      "rms_dbfs": .number(measures?.rmsInDBFS),
      "crest_db": .number(measures?.crestInDB),
      "dc_offset": .number(measures?.dcOffset),
      "clipped_samples": .integer(measures?.clippedSampleCount),
      "silence_start_seconds": .number(measures?.leadingSilenceInSeconds),
      "silence_end_seconds": .number(measures?.trailingSilenceInSeconds),
      "centroid_hz": .number(measures?.spectralCentroidInHz),
      "rolloff_hz": .number(measures?.rolloff85InHz),
      "rolloff95_hz": .number(measures?.rolloff95InHz),
      "flatness": .number(measures?.spectralFlatness),
      "cutoff_hz": .number(measures?.cutoffInHz),
      "cutoff_confidence": .number(measures?.cutoffConfidence),
      "replaygain_db": .number(measures?.replayGainInDB),
      "nonfinite_samples": .integer(measures?.nonFiniteSampleCount),
    ])
  }

  /// null if neither a tag nor a measurement gives one.
  private static func tempo(_ values: TempoAndKey) -> JSONValue {
    guard let bpm = values.beatsPerMinute else { return .null }
    return .object([
      "bpm": .number(bpm),
      "source": .string(values.tempoSource?.rawValue),
      "measured_bpm": .number(values.measuredTempo?.beatsPerMinute),
      "confidence": .number(values.measuredTempo?.confidence),
      "strength": .string(values.measuredTempo?.strength.rawValue),
      "stability": .number(values.measuredTempo?.stability),
    ])
  }

  /// null if neither a tag nor a measurement gives one.
  private static func key(_ values: TempoAndKey) -> JSONValue {
    guard let key = values.key else { return .null }
    return .object([
      "name": .string(key.name),
      "camelot": .string(key.camelot),
      "open_key": .string(key.openKey),
      "source": .string(values.keySource?.rawValue),
      "measured": .string(values.measuredKey?.key.name),
      "confidence": .number(values.measuredKey?.confidence),
      "strength": .string(values.measuredKey?.strength.rawValue),
      "tuning_cents": .number(values.tuningInCents),
    ])
  }

  /// null for lossy codecs and if no spectrum was measured.
  private static func lossySource(_ detail: TrackDetail) -> JSONValue {
    guard let evidence = LossySourceEvidence(format: detail.recording.format, measures: detail.measures) else {
      return .null
    }
    return .object(["level": .string(evidence.strength.rawValue), "reason": .string(evidence.reason)])
  }

  /// What a lookup at AcoustID sends.
  private static func acoustID(_ text: FingerprintText) -> JSONValue {
    .object(["duration": .integer(text.wholeSeconds), "fingerprint": .string(text.fingerprint.text)])
  }

  private static func album(_ album: AlbumLoudness) -> JSONValue {
    .object([
      "tracks": .integer(album.trackCount),
      "measured_tracks": .integer(album.measuredTrackCount),
      "loudness_lufs": .number(album.loudnessInLUFS),
      "replaygain_db": .number(album.replayGainInDB),
      "true_peak_dbtp": .number(album.truePeakInDBTP),
    ])
  }

  private static func product(_ product: StoredProduct) -> JSONValue {
    .object(
      [
        .init("kind", .string(product.kind.rawValue)), .init("version", .integer(product.version)),
        .init("parameters", .string(product.parameters)), .init("bytes", .integer(product.byteCount)),
      ] + (product.shard.map { JSONValue.path($0, key: "shard") } ?? []))
  }
}

/// Who did what for a track, and which work it is, with the queries that find more of it.
private enum CreditText {
  static func roles(in tags: Tags) -> JSONValue {
    let contributors = Contributor.all { tags[$0.tagName] }
    return .array(
      contributors.map { contributor -> JSONValue in
        .object([
          "role": .string(contributor.role.rawValue), "name": .string(contributor.name),
          "instrument": .string(contributor.instrument),
          "query": .string(query(contributor.role.rawValue, contributor.name)),
        ])
      })
  }

  static func works(in tags: Tags) -> JSONValue {
    .array(
      tags["WORK"].map { name -> JSONValue in
        .object(["name": .string(name), "query": .string(query("work", name))])
      })
  }

  /// null if no tag names or numbers one.
  static func movement(in tags: Tags) -> JSONValue {
    let movement = Movement(
      name: tags["MOVEMENTNAME"].first, number: tags["MOVEMENTNUMBER"].first, count: tags["MOVEMENTCOUNT"].first)
    guard let movement else { return .null }
    return .object([
      "name": .string(movement.name), "number": .integer(movement.number), "count": .integer(movement.count),
    ])
  }

  private static func query(_ field: String, _ text: String) -> String {
    "\(field):=\"\(text.escaping("\"\\", with: "\\"))\""
  }
}

/// A track's fingerprint with its duration, in the forms of Chromaprint's `fpcalc`.
package struct FingerprintText {
  package let fingerprint: AcoustIDFingerprint
  package let durationInSeconds: Double
  /// Whether the words are written as numbers instead of compressed text.
  package var isRaw = false

  /// nil if the recording has no fingerprint, or an empty one.
  package init?(ofRecording id: Int64, durationInSeconds: Double?, in store: MediaStore, isRaw: Bool = false) throws {
    guard let product = try store.products.product(.fingerprint, ofRecording: id) else { return nil }
    fingerprint = try AcoustIDFingerprint(compressed: product.bytes)
    guard !fingerprint.words.isEmpty else { return nil }
    self.durationInSeconds = durationInSeconds ?? 0
    self.isRaw = isRaw
  }

  /// Truncated, not rounded, as `fpcalc` does and AcoustID expects.
  package var wholeSeconds: Int64 { Int64(max(0, min(durationInSeconds, 1e12))) }

  package var words: String { isRaw ? fingerprint.rawText : fingerprint.text }

  /// Two lines.
  package var text: String { "DURATION=\(wholeSeconds)\nFINGERPRINT=\(words)\n" }
}
