internal import GRDB
internal import MediaModel

/// The columns of `measures`: one line here for each number that a recording is measured by.
enum MeasureColumns {
  typealias Column = (
    name: String, get: @Sendable (Measures) -> (any DatabaseValueConvertible)?,
    set: @Sendable (inout Measures, Row, String) -> Void
  )

  static let all: [Column] = [
    ("sample_peak_dbfs", { $0.samplePeakInDBFS?.finite }, { $0.samplePeakInDBFS = $1[$2] }),
    ("rms_dbfs", { $0.rmsInDBFS?.finite }, { $0.rmsInDBFS = $1[$2] }),
    ("crest_db", { $0.crestInDB?.finite }, { $0.crestInDB = $1[$2] }),
    ("dc_offset", { $0.dcOffset?.finite }, { $0.dcOffset = $1[$2] }),
    ("clipped_samples", { $0.clippedSampleCount }, { $0.clippedSampleCount = $1[$2] }),
    ("silence_start_s", { $0.leadingSilenceInSeconds?.finite }, { $0.leadingSilenceInSeconds = $1[$2] }),
    ("silence_end_s", { $0.trailingSilenceInSeconds?.finite }, { $0.trailingSilenceInSeconds = $1[$2] }),
    ("nonfinite_samples", { $0.nonFiniteSampleCount }, { $0.nonFiniteSampleCount = $1[$2] }),
  ]

  static let upsert = """
    INSERT OR REPLACE INTO measures (audio_id, version, parameters, made_at, \(all.map(\.name).joined(separator: ", ")))
    VALUES (:audio, :version, :parameters, :now, \(all.map { ":" + $0.name }.joined(separator: ", ")))
    """

  static func arguments(_ measures: Measures) -> StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    for column in all { values[column.name] = .some(column.get(measures)) }
    return StatementArguments(values)
  }

  static func measures(_ row: Row) -> Measures {
    var measures = Measures()
    for column in all { column.set(&measures, row, column.name) }
    return measures
  }
}
