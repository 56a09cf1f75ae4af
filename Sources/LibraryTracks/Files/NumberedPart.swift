package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
internal import UserData

/// A part of a file with its number, which people name it by.
package struct NumberedPart: Hashable, Sendable {
  /// 1 for the first.
  package var number: Int
  package var part: Part
  package var source: PartList.Source

  /// The line that heads it: `Artist - Title`, or `part 3`.
  package var label: String {
    guard let title = part.tags.title else { return "part \(number)" }
    return [part.tags.artist, title].compactMap { $0 }.joined(separator: " - ")
  }
}

/// `17#3` and `album.flac#3`: a track, and the number of a part of it.
package struct PartAddress: Hashable, Sendable {
  package let track: BytePath
  package let number: Int

  /// nil for a word without a number behind `#`.
  package init?(_ word: BytePath) {
    guard let mark = word.bytes.lastIndex(of: UInt8(ascii: "#")), mark > 0, word.bytes.count - mark <= 7,
      let number = Int(String(decoding: word.bytes[(mark + 1)...], as: UTF8.self)), number > 0,
      word.bytes[(mark + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    track = BytePath(word.bytes[..<mark])
    self.number = number
  }
}

extension Files {
  /// The parts of a file, in order: those of a sheet beside it, or else those that are described in it.
  package func parts(ofFile id: Int64) throws(StoreError) -> [NumberedPart] {
    try store.read { db in
      try Row.fetchAll(
        db.cachedStatement(sql: "SELECT * FROM file_part WHERE file_id = ? ORDER BY source, position"), arguments: [id]
      ).compactMap(Self.part)
    }
  }

  private static func part(_ row: Row) throws -> NumberedPart? {
    let (start, end): (Int64, Int64) = try (row["start_frame"], row["end_frame"])
    guard start < end, let source = PartList.Source(rawValue: try row["source"]) else { return nil }
    var part = Part(frames: start..<end)
    for column in PartTags.columns { part.tags[keyPath: column.path] = try row[column.name] }
    return try NumberedPart(number: row["position"], part: part, source: source)
  }
}
