internal import MediaModel

extension SpectrumTable {
  /// One JSON document: `schema sample_rate_hz weighting bands`, a band being `low_hz high_hz mean_db max_db`; bands that
  /// were added up have a `resolution_hz`.
  ///
  /// Levels are rounded to 0.01 dB; a band above half the sample rate has none (`null`).
  package var jsonText: String {
    "{\n  \"schema\": 1,\n  \"sample_rate_hz\": \(sampleRateInHz),\n"
      + "  \"weighting\": \"\(weighting.rawValue)\",\n\(resolutionMember)  \"bands\": [\n\(jsonRows)\n  ]\n}\n"
  }

  /// Several channels as one document: instead of `bands` it has `channels`, each a `channel` and `bands`.
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

  /// A table with a heading, a row a band; a level that is not known is empty.
  package var csvText: String { Self.csvText([("", self)]) }

  /// Several channels side by side: their names stand before those of their columns.
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
