package import Base
internal import Foundation
internal import GRDB
package import MediaModel

/// The CUE sheets of one folder that a scan has read again, or found to be gone.
package struct CueSheetFolder: Sendable {
  package struct Sheet: Sendable {
    /// Relative to the root.
    package var path: BytePath
    package var status: FileStatus
    package var contents: CueSheet

    package init(path: BytePath, status: FileStatus, contents: CueSheet) {
      self.path = path
      self.status = status
      self.contents = contents
    }
  }

  package var rootID: Int64
  /// All that are there, by path: of several for one file the first counts.
  package var sheets: [Sheet]
  /// The ids of those that were stored before; they and their parts are replaced.
  package var formerIDs: [Int64]

  package init(rootID: Int64, sheets: [Sheet], formerIDs: [Int64]) {
    self.rootID = rootID
    self.sheets = sheets
    self.formerIDs = formerIDs
  }
}

/// What a CUE sheet said about a file, and what was wrong with it.
package struct AppliedCueSheet: Sendable {
  /// Relative to the root.
  package var sheet: BytePath
  package var file: BytePath
  package var partCount: Int
  package var notes: [String]
}

extension MediaStore {
  /// Stores the sheets of folders, and gives their files the parts that they describe.
  ///
  /// - Returns: which sheets describe which files.
  @discardableResult
  package func apply(_ folders: [CueSheetFolder]) throws(StoreError) -> [AppliedCueSheet] {
    guard !folders.isEmpty else { return [] }
    return try writePart(.batch) { db in
      let writer = ChangeWriter(db, now: now)
      return try folders.flatMap { try writer.write($0) }
    }
  }
}

extension ChangeWriter {
  /// Replaces the parts that a file describes itself; those of a sheet beside it stay.
  func writeParts(_ list: PartList?, fileID: Int64) throws {
    try run(
      "DELETE FROM part WHERE file_id = :file AND source <> :beside",
      ["file": fileID, "beside": PartList.Source.sheetFile.rawValue])
    if let list { try insert(list, fileID: fileID, sheetID: nil) }
  }

  private func insert(_ list: PartList, fileID: Int64, sheetID: Int64?) throws {
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

  func write(_ folder: CueSheetFolder) throws -> [AppliedCueSheet] {
    // Their parts go with them.
    for id in folder.formerIDs { try run("DELETE FROM cue_sheet WHERE id = :id", ["id": id]) }
    var applied: [AppliedCueSheet] = []
    for sheet in folder.sheets {
      try run(
        """
        INSERT INTO cue_sheet (root_id, path, path_text, size_bytes, mtime_ns)
        VALUES (:root, :path, :text, :size, :mtime)
        ON CONFLICT (root_id, path) DO UPDATE SET size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns
        """,
        [
          "root": folder.rootID, "path": sheet.path.data, "text": sheet.path.displayString,
          "size": sheet.status.byteCount, "mtime": sheet.status.modificationTimeInNanoseconds,
        ])
      let sheetID = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM cue_sheet WHERE root_id = ? AND path = ?"),
        arguments: [folder.rootID, sheet.path.data])
      guard let sheetID else { continue }
      for index in sheet.contents.files.indices {
        guard let file = try file(of: sheet, index, inRoot: folder.rootID),
          let list = sheet.contents.parts(ofFile: index, sampleRateInHz: file.rate, from: .sheetFile)
        else { continue }
        let cut = list.cut(toFrameCount: file.frameCount)
        if let cut { try insert(cut, fileID: file.id, sheetID: sheetID) }
        applied.append(
          AppliedCueSheet(
            sheet: sheet.path, file: file.path, partCount: cut?.parts.count ?? 0, notes: (cut ?? list).notes))
      }
    }
    return applied
  }

  private struct SheetFile {
    var id: Int64
    var path: BytePath
    var rate: Int
    var frameCount: Int64
  }

  /// The file that a FILE line of a sheet means; nil if it is not in the library, was not decoded, or is described by an
  /// earlier sheet.
  private func file(of sheet: CueSheetFolder.Sheet, _ index: Int, inRoot rootID: Int64) throws -> SheetFile? {
    let place = CueSheetPlace(sheet.path, naming: sheet.contents.files[index], isOnly: sheet.contents.files.count == 1)
    for folder in place.folders {
      let files = try self.files(in: folder, ofRoot: rootID)
      guard let best = place.best(among: files.map(\.path.lastComponent)) else { continue }
      return files[best]
    }
    return nil
  }

  /// The decoded files of a folder itself that no sheet describes yet, by path.
  private func files(in folder: BytePath, ofRoot rootID: Int64) throws -> [SheetFile] {
    let prefix = folder.bytes.isEmpty ? [] : folder.bytes + [UInt8(ascii: "/")]
    // All paths from the folder's slash up to the next character, without those that have another slash.
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT file.id, file.path, audio.sample_rate_hz, file.decoded_frames
            FROM file JOIN audio ON audio.id = file.audio_id
           WHERE file.root_id = :root AND file.path >= :start AND (:end IS NULL OR file.path < :end)
             AND instr(substr(file.path, :next), x'2f') = 0 AND file.missing_since IS NULL
             AND file.decoded_frames > 0 AND audio.sample_rate_hz > 0
             AND NOT EXISTS (SELECT 1 FROM part WHERE part.file_id = file.id AND part.source = 'cue-file')
           ORDER BY file.path
          """),
      arguments: [
        "root": rootID, "start": Data(prefix), "next": prefix.count + 1,
        "end": prefix.isEmpty ? nil : Data(folder.bytes + [UInt8(ascii: "0")]),
      ])
    return try rows.map {
      try SheetFile(id: $0[0], path: BytePath($0[1] as Data), rate: $0[2], frameCount: $0[3])
    }
  }
}
