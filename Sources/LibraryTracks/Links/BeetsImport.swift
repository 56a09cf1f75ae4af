package import Base
internal import LibraryDatabase
internal import LibraryQueries
internal import MediaModel
package import MediaStore
package import UserData

/// The result of an import.
package struct BeetsImport: Hashable, Sendable {
  /// An attribute that the library has with another value, which stays.
  package struct Difference: Hashable, Sendable {
    package var path: BytePath
    package var name: String
    package var kept: String
    /// The value in beets, converted.
    package var other: String
  }

  package var itemCount = 0
  package var foundCount = 0
  /// Attributes that the library gets, or has with the same value.
  package var attributeCount = 0
  package var addedDateCount = 0
  /// Items that are not in the library.
  package var missing: [BeetsLibrary.Item] = []
  package var differences: [Difference] = []
  /// The greatest rating of an item that is in the library, before it is converted; nil without any.
  package var greatestRating: Double?
}

extension Attributes {
  /// Imports attributes and dates of beets' items, which are found by their paths. What the library says already stays.
  ///
  /// - Parameters:
  ///   - folder: beets' music folder, which relative paths start from.
  ///   - ratingScale: the rating in beets that becomes 100, greater than 0; greater ones are none.
  ///   - isDryRun: whether to find out only what would be imported.
  package func importBeets(
    _ beets: BeetsLibrary, folder: BytePath?, ratingScale: Double = 100, isDryRun: Bool = false
  ) throws(StoreError) -> BeetsImport {
    let links = try store.tracks.links(
      of: beets.items.map { item in
        let isAbsolute = item.path.bytes.first == 0x2F
        return TrackDescription(
          paths: [isAbsolute ? item.path : folder?.appending(item.path) ?? item.path],
          durationInSeconds: item.durationInSeconds)
      })
    let found = zip(beets.items, links).compactMap { item, link in link.map { (id: $0.recordingID, item: item) } }
    var result = BeetsImport(itemCount: beets.items.count, foundCount: found.count)
    result.missing = zip(beets.items, links).filter { $0.1 == nil }.map(\.0)
    let scale = BeetsRatings(scale: ratingScale)
    result.greatestRating = found.flatMap { $0.item.attributes }.compactMap(scale.number).max()
    if isDryRun {
      return try store.read { db in
        try result.compare(found, scale, db)
        result.addedDateCount = try found.count { id, item in
          try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE audio_id = ? AND added_at > ?)"),
            arguments: [id, item.addedAt]) == true
        }
        return result
      }
    }
    return try store.edit("import from beets") { editor in
      let new = try result.compare(found, scale, editor.db)
      editor.summary = "import \(new.count) attribute\(new.count == 1 ? "" : "s") from beets"
      for row in new { try editor.put(row, insteadOf: nil) }
      for (id, item) in found {
        if let added = item.addedAt, try Self.move(added, ofRecording: id, editor.db) { result.addedDateCount += 1 }
      }
      return result
    }
  }

  /// Sets the date of a recording if it is later: beets may have found the file after us.
  ///
  /// - Returns: whether a file has got another date.
  private static func move(_ added: Int64, ofRecording id: Int64, _ db: Database) throws -> Bool {
    let arguments: StatementArguments = ["added": added, "id": id]
    // The recording's date outlives its files.
    try db.cachedStatement(sql: "UPDATE audio SET added_at = :added WHERE id = :id AND added_at > :added")
      .execute(arguments: arguments)
    try db.cachedStatement(sql: "UPDATE file SET added_at = :added WHERE audio_id = :id AND added_at > :added")
      .execute(arguments: arguments)
    return db.changesCount > 0
  }
}

extension BeetsImport {
  /// Compares attributes with those of the library, counts them, and notes which differ. Of several items that are one
  /// recording the first counts.
  ///
  /// - Returns: the attributes that the library does not have.
  @discardableResult
  fileprivate mutating func compare(
    _ found: [(id: Int64, item: BeetsLibrary.Item)], _ scale: BeetsRatings, _ db: Database
  ) throws -> [AttributeRow] {
    struct Key: Hashable {
      var recording: ContentHash
      var name: String
    }
    var new: [AttributeRow] = []
    var values: [Key: String] = [:]
    for (id, item) in found {
      // The recording may have been deleted since it was found.
      guard let recording = try RecordingKeys.hash(of: id, db) else { continue }
      for (name, value) in item.attributes.sorted(by: { $0.key < $1.key }) {
        guard let (name, value) = scale.attribute(name, value) else { continue }
        let key = Key(recording: recording, name: name)
        if let kept = try values[key] ?? AttributeRow.fetch(name, of: recording, db)?.value {
          values[key] = kept
          if kept == value {
            attributeCount += 1
          } else {
            differences.append(Difference(path: item.path, name: name, kept: kept, other: value))
          }
        } else {
          values[key] = value
          attributeCount += 1
          new.append(AttributeRow(recording: recording, name: name, value: value))
        }
      }
    }
    return new
  }
}

/// How beets' attributes are named and written here. beets has no scale of ratings: people and plugins choose one.
private struct BeetsRatings {
  /// What becomes 100.
  let scale: Double

  /// The number of an attribute that is a rating here.
  func number(_ name: String, _ value: String) -> Double? {
    guard name.lowercased() == Opinion.rating.rawValue else { return nil }
    return DecimalText.canonical(value, in: 0...scale, places: 9).flatMap(DecimalText.parse)
  }

  /// The name and value that an attribute gets here; nil if it can have none.
  ///
  /// Names are in lower case; one that is also the name of a field gets a prefix, and so does a rating that is none here.
  func attribute(_ name: String, _ value: String) -> (name: String, value: String)? {
    let lower = name.lowercased()
    if let number = number(name, value) {
      return (lower, DecimalText.number(number / scale * 100, places: 9))
    }
    for name in [lower, "beets_" + lower] where name != Opinion.rating.rawValue {
      if let name = try? AttributeName(name).text, let value = try? Attributes.storedValue(value, of: name) {
        return (name, value)
      }
    }
    return nil
  }
}
