package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryTracks
package import MediaModel
package import MediaStore
internal import UserData

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

/// What became of the sheets of a folder.
package struct AppliedCueSheets: Sendable {
  package var described: [AppliedCueSheet] = []
  /// Of each sheet some of whose tracks are in no file that is here: its path below the root, and the first such line.
  package var unmatched: [(sheet: BytePath, fault: CueSheet.Fault)] = []
}

extension Scans {
  /// Stores the sheets of a folder, and gives its files the parts that they describe.
  ///
  /// Which file a line means is found out before anything is written, and no transaction has more than about
  /// ``partRowCountOfTransaction`` parts, so that others can write in between. If it is stopped, sheets are missing that
  /// are in the folder, so that the next scan reads them again.
  ///
  /// - Returns: which sheets describe which files, and which name files that are not here.
  /// - Complexity: O(l + n) for l lines and the n files of the folders that they name.
  @discardableResult
  package func apply(_ folder: CueSheetFolder) throws(StoreError) -> AppliedCueSheets {
    let plan = try store.read { try CueSheetPlan(folder, $0) }
    var applied = AppliedCueSheets(unmatched: plan.unmatched)
    for part in plan.parts(rowCount: Self.partRowCountOfTransaction) {
      applied.described += try store.writePart(.batch) { db -> [AppliedCueSheet] in
        let writer = ChangeWriter(db, now: store.now)
        return try part.flatMap { try writer.write($0, inRoot: folder.rootID) }
      }
    }
    return applied
  }

  /// As many parts as a file can have: they take some hundredths of a second.
  static let partRowCountOfTransaction = PartList.maximumCount
}

/// What is to be written about the sheets of a folder.
struct CueSheetPlan {
  enum Step {
    /// Its parts go with it.
    case delete(sheetID: Int64)
    case store(CueSheetFolder.Sheet, [Described])
  }

  /// A file, and what a sheet says about it.
  struct Described {
    var file: CueSheetFiles.File
    /// nil if that is nothing.
    var list: PartList?
    var notes: [String]
  }

  private(set) var unmatched: [(sheet: BytePath, fault: CueSheet.Fault)] = []
  private var steps: [(step: Step, rowCount: Int)] = []

  init(_ folder: CueSheetFolder, _ db: Database) throws {
    for id in folder.formerIDs {
      let count = try Int.fetchOne(
        db.cachedStatement(sql: "SELECT count(*) FROM part WHERE sheet_id = ?"), arguments: [id])
      steps.append((.delete(sheetID: id), 1 + (count ?? 0)))
    }
    var files = CueSheetFiles(inRoot: folder.rootID, formerSheets: Set(folder.formerIDs), db)
    for sheet in folder.sheets {
      let described = try described(by: sheet, &files)
      steps.append((.store(sheet, described), 1 + described.reduce(0) { $0 + ($1.list?.parts.count ?? 0) }))
    }
  }

  private mutating func described(
    by sheet: CueSheetFolder.Sheet, _ files: inout CueSheetFiles
  ) throws -> [Described] {
    let contents = sheet.contents
    // A sheet without a FILE line may mean the file with its own name.
    let names = contents.files.isEmpty ? [""] : contents.files
    var described: [Described] = []
    var missing: [Int] = []
    for (index, name) in names.enumerated() where contents.hasSound(inFile: index) {
      let place = CueSheetPlace(sheet.path, naming: name, isOnly: names.count == 1)
      guard let place, let file = try files.file(at: place) else {
        if try place.map({ try files.hasFile(at: $0) }) != true { missing.append(index) }
        continue
      }
      guard let list = contents.parts(ofFile: index, sampleRateInHz: file.sampleRateInHz, from: .sheetFile) else {
        continue
      }
      let cut = list.cut(toFrameCount: file.frameCount)
      if cut != nil { files.take(file) }
      described.append(Described(file: file, list: cut, notes: (cut ?? list).notes))
    }
    if let first = missing.first {
      unmatched.append((sheet.path, Self.fault(of: contents, file: first, count: missing.count)))
    }
    return described
  }

  private static func fault(of sheet: CueSheet, file index: Int, count: Int) -> CueSheet.Fault {
    guard index < sheet.files.count else {
      return CueSheet.Fault(line: 1, reason: "no FILE line, and no audio file here is named like the sheet")
    }
    let name = sheet.files[index].limited(toScalarCount: 100)
    let rest = count > 1 ? " (and those of \(count - 1) more FILE lines)" : ""
    return CueSheet.Fault(
      line: sheet.fileLines[index], reason: "\"\(name)\" is not an audio file here; its tracks\(rest) are left out")
  }

  /// The steps in order, in groups with at most so many rows, or of a single step.
  func parts(rowCount: Int) -> [[Step]] {
    var parts: [[Step]] = []
    var count = rowCount
    for (step, own) in steps {
      count += own
      if count > rowCount || parts.isEmpty {
        parts.append([])
        count = own
      }
      parts[parts.count - 1].append(step)
    }
    return parts
  }
}

extension ChangeWriter {
  fileprivate func write(_ step: CueSheetPlan.Step, inRoot rootID: Int64) throws -> [AppliedCueSheet] {
    switch step {
    case .delete(let id):
      try run("DELETE FROM cue_sheet WHERE id = :id", ["id": id])
      return []
    case .store(let sheet, let described):
      guard let sheetID = try write(sheet, inRoot: rootID) else { return [] }
      // The file may have been forgotten since it was found.
      return try described.filter { try isFree($0.file, inRoot: rootID) }.map { found in
        if let list = found.list { try insert(list, fileID: found.file.id, sheetID: sheetID) }
        return AppliedCueSheet(
          sheet: sheet.path, file: found.file.path, partCount: found.list?.parts.count ?? 0, notes: found.notes)
      }
    }
  }

  private func isFree(_ file: CueSheetFiles.File, inRoot rootID: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM file WHERE id = :file AND root_id = :root AND path = :path)
             AND NOT EXISTS (SELECT 1 FROM part WHERE file_id = :file AND source = 'cue-file')
          """), arguments: ["file": file.id, "root": rootID, "path": file.path.data]) ?? false
  }

  /// - Returns: the id of the sheet's row.
  private func write(_ sheet: CueSheetFolder.Sheet, inRoot rootID: Int64) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          INSERT INTO cue_sheet (root_id, path, path_text, size_bytes, mtime_ns)
          VALUES (:root, :path, :text, :size, :mtime)
          ON CONFLICT (root_id, path) DO UPDATE SET size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns
          RETURNING id
          """),
      arguments: [
        "root": rootID, "path": sheet.path.data, "text": sheet.path.displayString, "size": sheet.status.byteCount,
        "mtime": sheet.status.modificationTimeInNanoseconds,
      ])
  }
}
