internal import Base
internal import Foundation
internal import LibraryDatabase
internal import UserData

/// The decoded files that the FILE lines of CUE sheets may mean. Each folder is read once, and its names are indexed.
struct CueSheetFiles {
  struct File {
    var id: Int64
    var path: BytePath
    var sampleRateInHz: Int
    var frameCount: Int64
  }

  private let db: Database
  private let rootID: Int64
  private let formerSheets: Set<Int64>
  private var folders: [BytePath: CueSheetNames] = [:]
  private var takenIDs: Set<Int64> = []

  /// - Parameter formerSheets: the sheets whose parts do not count.
  init(inRoot rootID: Int64, formerSheets: Set<Int64>, _ db: Database) {
    self.rootID = rootID
    self.formerSheets = formerSheets
    self.db = db
  }

  /// The file that is meant; nil if it is not in the library, was not decoded, or is described by an earlier sheet.
  ///
  /// - Complexity: O(1), amortized, once the folder is read.
  mutating func file(at place: CueSheetPlace) throws -> File? {
    for folder in place.folders {
      _ = try names(in: folder)
      if let file = folders[folder]?.best(for: place, without: takenIDs) { return file }
    }
    return nil
  }

  /// Whether there is such a file, described by another sheet or not.
  mutating func hasFile(at place: CueSheetPlace) throws -> Bool {
    try place.folders.contains { try names(in: $0).contain(place) }
  }

  /// Leaves out a file from now on: a sheet describes it.
  mutating func take(_ file: File) { takenIDs.insert(file.id) }

  private mutating func names(in folder: BytePath) throws -> CueSheetNames {
    if let names = folders[folder] { return names }
    let names = CueSheetNames(try files(in: folder))
    folders[folder] = names
    return names
  }

  /// The decoded files of a folder itself, by path; those that a sheet describes are taken. Of folders in it only one row
  /// each is read.
  private mutating func files(in folder: BytePath) throws -> [File] {
    let prefix = folder.bytes.isEmpty ? [] : folder.bytes + [UInt8(ascii: "/")]
    var files: [File] = []
    var start: [UInt8]? = prefix
    while let first = start {
      start = nil
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT file.id, file.path, audio.sample_rate_hz, file.decoded_frames, file.missing_since,
                   (SELECT coalesce(sheet_id, -1) FROM part WHERE file_id = file.id AND source = 'cue-file' LIMIT 1)
              FROM file LEFT JOIN audio ON audio.id = file.audio_id
             WHERE file.root_id = :root AND file.path >= :start
             ORDER BY file.path
            """), arguments: ["root": rootID, "start": Data(first)])
      while let row = try rows.next() {
        let path = try BytePath(row[1] as Data)
        guard path.bytes.starts(with: prefix) else { break }
        if let slash = path.bytes[prefix.count...].firstIndex(of: UInt8(ascii: "/")) {
          // Behind everything in that folder.
          start = Array(path.bytes[..<slash]) + [UInt8(ascii: "/") + 1]
          break
        }
        guard let rate: Int = try row[2], let count: Int64 = try row[3], rate > 0, count > 0,
          try row[4] as Int64? == nil
        else { continue }
        let file = File(id: try row[0], path: path, sampleRateInHz: rate, frameCount: count)
        if let sheet: Int64 = try row[5], !formerSheets.contains(sheet) { take(file) }
        files.append(file)
      }
    }
    return files
  }
}

/// The names of a folder's files, as CUE sheets may write them.
private struct CueSheetNames {
  private let files: [CueSheetFiles.File]
  private var foldedNames: [String: Candidates] = [:]
  private var foldedStems: [String: Candidates] = [:]
  private let exactNames: [BytePath: Int]

  init(_ files: [CueSheetFiles.File]) {
    self.files = files
    let paths = files.map(\.path.lastComponent)
    exactNames = Dictionary(zip(paths, paths.indices), uniquingKeysWith: { first, _ in first })
    for (index, name) in paths.enumerated() {
      foldedNames[TextFolding.fold(name.displayString), default: Candidates()].places.append(index)
      foldedStems[CueSheetPlace.stem(name), default: Candidates()].places.append(index)
    }
  }

  /// The file with the same name, the same but for case, the same but for the extension, or that of the sheet; the first
  /// by path of several.
  mutating func best(for place: CueSheetPlace, without taken: Set<Int64>) -> CueSheetFiles.File? {
    let files = files
    let isFree: (Int) -> Bool = { !taken.contains(files[$0].id) }
    for name in place.names {
      if let index = exactNames[name], isFree(index) { return files[index] }
    }
    for name in place.foldedNames {
      if let index = foldedNames[name]?.first(where: isFree) { return files[index] }
    }
    for stem in place.foldedStems {
      if let index = foldedStems[stem]?.first(where: isFree) { return files[index] }
    }
    return nil
  }

  /// Whether a file, taken or not, has one of the names.
  func contain(_ place: CueSheetPlace) -> Bool {
    place.foldedNames.contains { foldedNames[$0] != nil } || place.foldedStems.contains { foldedStems[$0] != nil }
  }

  /// Files in the order of their paths. Those that are taken stay taken, so they are skipped for good.
  private struct Candidates {
    var places: [Int] = []
    private var start = 0

    mutating func first(where isFree: (Int) -> Bool) -> Int? {
      while start < places.count, !isFree(places[start]) { start += 1 }
      return start < places.count ? places[start] : nil
    }
  }
}
