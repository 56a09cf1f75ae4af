internal import MediaModel

extension SpectrumTable {
  /// One JSON document: `schema sample_rate_hz weighting bands`, a band being `low_hz high_hz mean_db max_db`.
  ///
  /// Levels are rounded to 0.01 dB; a band above half the sample rate has none (`null`).
  package var jsonText: String {
    let rows = bands.map { band in
      "    {\"low_hz\": \(DecimalText.number(band.lowInHz, places: 3)), "
        + "\"high_hz\": \(DecimalText.number(band.highInHz, places: 3)), "
        + "\"mean_db\": \(Self.level(band.meanInDB, absent: "null")), "
        + "\"max_db\": \(Self.level(band.maximumInDB, absent: "null"))}"
    }
    return "{\n  \"schema\": 1,\n  \"sample_rate_hz\": \(sampleRateInHz),\n"
      + "  \"weighting\": \"\(weighting.rawValue)\",\n  \"bands\": [\n\(rows.joined(separator: ",\n"))\n  ]\n}\n"
  }

  /// A table with a heading, a row a band; a level that is not known is empty.
  package var csvText: String {
    "low_hz,high_hz,mean_db,max_db\n"
      + bands.map { band in
        "\(DecimalText.number(band.lowInHz, places: 3)),\(DecimalText.number(band.highInHz, places: 3)),"
          + "\(Self.level(band.meanInDB, absent: "")),\(Self.level(band.maximumInDB, absent: ""))\n"
      }.joined()
  }

  private static func level(_ level: Double?, absent: String) -> String {
    level.map { DecimalText.number($0, places: 2) } ?? absent
  }
}
