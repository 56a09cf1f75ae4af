internal import LibraryDatabase
internal import LibraryQueries
internal import MediaModel

extension ChangeWriter {
  /// Replaces the parts that a file describes itself; those of a sheet beside it stay.
  func writeParts(_ list: PartList?, fileID: Int64) throws {
    try run(
      "DELETE FROM part WHERE file_id = :file AND source <> :beside",
      ["file": fileID, "beside": PartList.Source.sheetFile.rawValue])
    if let list { try insert(list, fileID: fileID, sheetID: nil) }
  }

  func insert(_ list: PartList, fileID: Int64, sheetID: Int64?) throws {
    let columns = PartTags.columns
    for (index, part) in list.parts.enumerated() {
      var arguments: StatementArguments = [
        "file": fileID, "source": list.source.rawValue, "position": index + 1, "sheet": sheetID,
        "start": part.frames.lowerBound, "end": part.frames.upperBound,
      ]
      for column in columns { arguments += [column.name: part.tags[keyPath: column.path]] }
      try run(
        """
        INSERT INTO part (file_id, source, position, sheet_id, start_frame, end_frame,
                          \(columns.map(\.name).joined(separator: ", ")))
        VALUES (:file, :source, :position, :sheet, :start, :end, \(columns.map { ":\($0.name)" }.joined(separator: ", ")))
        """, arguments)
    }
  }
}
