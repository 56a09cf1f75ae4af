internal import Base
package import MediaModel

extension SpectrumTable {
  /// One JSON document with the keys `schema sample_rate_hz weighting bands`; each band has `low_hz high_hz mean_db
  /// max_db`. If the bands are sums of narrower ones, `resolution_hz` gives the width of those.
  ///
  /// Levels are rounded to 0.01 dB; those of a band above half the sample rate are `null`.
  package var jsonText: String {
    "{\n  \"schema\": 1,\n  \"sample_rate_hz\": \(sampleRateInHz),\n"
      + "  \"weighting\": \"\(weighting.rawValue)\",\n\(resolutionMember)  \"bands\": [\n\(jsonRows)\n  ]\n}\n"
  }

  /// Several channels as one document: instead of `bands` it has `channels`, each with `channel` and `bands`.
  package static func jsonText(_ channels: [(name: String, table: SpectrumTable)]) -> String {
    guard let first = channels.first?.table else { return "" }
    let lists = channels.map { "  {\"channel\": \"\($0.name)\", \"bands\": [\n\($0.table.jsonRows)\n  ]}" }
    return "{\n  \"schema\": 1,\n  \"sample_rate_hz\": \(first.sampleRateInHz),\n"
      + "  \"weighting\": \"\(first.weighting.rawValue)\",\n"
      + "  \"channels\": [\n\(lists.joined(separator: ",\n"))\n  ]\n}\n"
  }

  private var resolutionMember: String {
    resolutionInHz.map { "  \"resolution_hz\": \(DecimalText.number($0, places: 3)),\n" } ?? ""
  }

  private var jsonRows: String {
    bands.map { band in
      "    {\"low_hz\": \(DecimalText.number(band.lowInHz, places: 3)), "
        + "\"high_hz\": \(DecimalText.number(band.highInHz, places: 3)), "
        + "\"mean_db\": \(Self.level(band.meanInDB, absent: "null")), "
        + "\"max_db\": \(Self.level(band.maximumInDB, absent: "null"))}"
    }.joined(separator: ",\n")
  }

  /// A table with a heading and one row per band; an unknown level is an empty cell.
  package var csvText: String { Self.csvText([("", self)]) }

  /// Several channels side by side: the name of each is a prefix of the names of its columns.
  package static func csvText(_ channels: [(name: String, table: SpectrumTable)]) -> String {
    let names = channels.map { $0.name.isEmpty ? "mean_db,max_db" : "\($0.name)_mean_db,\($0.name)_max_db" }
    var text = (["low_hz,high_hz"] + names).joined(separator: ",") + "\n"
    for index in 0..<(channels.map(\.table.bands.count).min() ?? 0) {
      let bands = channels.map { $0.table.bands[index] }
      text += "\(DecimalText.number(bands[0].lowInHz, places: 3)),\(DecimalText.number(bands[0].highInHz, places: 3))"
      for band in bands {
        text += ",\(level(band.meanInDB, absent: "")),\(level(band.maximumInDB, absent: ""))"
      }
      text += "\n"
    }
    return text
  }

  private static func level(_ level: Double?, absent: String) -> String {
    level.map { DecimalText.number($0, places: 2) } ?? absent
  }
}

extension SpectrogramSection {
  /// One JSON document with the keys `schema weighting columns_per_second start_seconds bands columns`.
  ///
  /// Each of `bands` has `low_hz` and `high_hz`; each of `columns` is a list of levels in dB, from the lowest band to
  /// the highest.
  package var jsonText: String {
    let bands = (0..<bandCount).map { band in
      "    {\"low_hz\": \(DecimalText.number(edgesInHz[band], places: 3)), "
        + "\"high_hz\": \(DecimalText.number(edgesInHz[band + 1], places: 3))}"
    }
    let rows = (0..<columnCount).map { "    [\(levels(of: $0).joined(separator: ", "))]" }
    return "{\n  \"schema\": 1,\n  \"weighting\": \"\(weighting.rawValue)\",\n"
      + "  \"columns_per_second\": \(DecimalText.number(columnsPerSecond, places: 9)),\n"
      + "  \"start_seconds\": \(DecimalText.number(startInSeconds, places: 6)),\n"
      + "  \"bands\": [\n\(bands.joined(separator: ",\n"))\n  ],\n"
      + "  \"columns\": [\n\(rows.joined(separator: ",\n"))\n  ]\n}\n"
  }

  /// A table whose heading has the centres of the bands in Hz. Each row is a column of the spectrogram, with its time
  /// first.
  package var csvText: String {
    let names = (0..<bandCount).map {
      DecimalText.number((edgesInHz[$0] * edgesInHz[$0 + 1]).squareRoot(), places: 1)
    }
    var text = (["time_seconds"] + names).joined(separator: ",") + "\n"
    for column in 0..<columnCount {
      let time = DecimalText.number(startInSeconds + Double(column) / columnsPerSecond, places: 6)
      text += ([time] + levels(of: column)).joined(separator: ",") + "\n"
    }
    return text
  }

  private func levels(of column: Int) -> [String] {
    (0..<bandCount).map { DecimalText.number(Double(levelInDB(column: column, band: $0)), places: 2) }
  }
}
