// The documents and rows of commands about tracks. Each has the keys that tests look at.

/// A row of `ls --format json` or `jsonl` with ``fields``, which every row has.
package struct TrackRow: Decodable, Sendable {
  package var id: Int?
  package var path: String
  package var title, artist, album: String?
  /// In seconds.
  package var duration: Double?
  package var codec: String?
  package var state: String

  /// The value of `--fields`.
  package static let fields = "id,path,title,artist,album,duration,codec,state"
}

/// A row of `ls` with other fields, or a group of `--group-by`: nil for what was not asked for and for what is not known.
package struct FieldRow: Decodable, Hashable, Sendable {
  package var filename, artist, codec, preset, date: String?
  package var track, tracktotal, disc, disctotal, year: Int?
  package var count, size: Int?
}

/// `show --json`.
package struct TrackDocument: Decodable, Sendable {
  package struct Format: Decodable, Sendable {
    package var container, codec: String?
    package var sample_rate_hz, channels: Int?
    package var decoded_frames: Int64?
    package var duration_seconds: Double?
  }

  package struct Measures: Decodable, Sendable {
    package var loudness_lufs, true_peak_dbtp, sample_peak_dbfs, rms_dbfs: Double?
    package var nonfinite_samples: Int?
    package var cutoff_hz, cutoff_confidence: Double?
  }

  package struct Album: Decodable, Sendable {
    package var tracks, measured_tracks: Int
    package var loudness_lufs, replaygain_db, true_peak_dbtp: Double?
  }

  package struct LossySource: Decodable, Sendable {
    package var level, reason: String
  }

  package struct AcoustID: Decodable, Equatable, Sendable {
    package var duration: Int
    package var fingerprint: String
  }

  package var schema: Int
  package var id: Int
  package var hash: String
  package var state: String
  package var preset: String?
  package var format: Format
  package var tags: [String: [String]]
  package var measures: Measures
  package var album: Album?
  package var lossy_source: LossySource?
  package var acoustid: AcoustID?

  /// The values of a tag, found without regard to case.
  package func tag(_ name: String) -> [String]? { tags.first { $0.key.lowercased() == name }?.value }
}

/// A row of `export --what fingerprints --format json`.
package struct FingerprintRow: Decodable, Sendable {
  package var path: String
  package var duration: Double
  package var fingerprint: String
}

/// The same with `--raw`, and what `fpcalc -raw -json` prints.
package struct RawFingerprintRow: Decodable, Sendable {
  package var fingerprint: [UInt32]
}

/// `waveform --format json`, which is audiowaveform's.
package struct WaveformDocument: Decodable, Sendable {
  package var sample_rate, samples_per_pixel, length: Int
  package var data: [Int]
}

/// `waveform --json-peaks`, for players in web pages.
package struct PeaksDocument: Decodable, Sendable {
  package var duration: Double
  /// One list a channel.
  package var peaks: [[Double]]
}

/// `spectrum --format json`.
package struct SpectrumDocument: Decodable, Sendable {
  package struct Band: Decodable, Sendable {
    package var low_hz, high_hz: Double
    package var mean_db, max_db: Double?
  }

  package var schema: Int
  package var sample_rate_hz: Int
  package var weighting: String
  package var bands: [Band]
}

/// `spectrum --kind spectrogram --format json`.
package struct SpectrogramDocument: Decodable, Sendable {
  package struct Band: Decodable, Sendable {
    package var low_hz, high_hz: Double
  }

  package var schema: Int
  package var columns_per_second, start_seconds: Double
  package var bands: [Band]
  /// In dB, one list a column.
  package var columns: [[Double]]
}
