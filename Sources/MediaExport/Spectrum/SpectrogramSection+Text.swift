internal import MediaModel

extension SpectrogramSection {
  /// One JSON document: `schema weighting columns_per_second start_seconds bands columns`.
  ///
  /// `bands` are objects of `low_hz` and `high_hz`, `columns` rows of levels in dB from the lowest band to the highest.
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

  /// A table with a heading of the bands' centres in Hz, a row a column, its time first.
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
