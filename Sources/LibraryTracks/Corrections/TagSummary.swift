internal import Foundation
internal import LibraryDatabase
package import MediaModel
internal import MediaStore
package import UserData

/// What the tags of some files have in common, and where they differ, as they count.
package struct TagSummary: Hashable, Sendable {
  /// A list of values that some files have.
  package struct Values: Hashable, Sendable {
    /// Empty for those without the tag.
    package var values: [String]
    package var fileCount: Int
  }

  package struct Field: Hashable, Sendable {
    package var field: CorrectionField
    /// Each list that any file has, that of most files first.
    package var values: [Values] = []
    /// What the files say that have a correction of the field, in the same order.
    package var fileValues: [Values] = []
    /// How many files have a correction of the field in a state.
    package var counts: [Correction.State: Int] = [:]
  }

  package var fileCount = 0
  /// Files whose recording is not known, so that nothing about what is heard can be corrected.
  package var unknownFileCount = 0
  /// Those that every panel of tags has, then all others that a file has, by name.
  package var fields: [Field] = []
}

extension TagSummary {
  /// Fields that are always listed, in their order.
  package static let usualFields = [
    "TITLE", "ARTIST", "ALBUMARTIST", "ALBUM", "DATE", "TRACKNUMBER", "TRACKTOTAL", "DISCNUMBER", "DISCTOTAL", "GENRE",
    "COMPOSER", "COMPILATION", "COMMENT",
  ].compactMap(CorrectionField.init)
}

extension Corrections {
  /// What the tags of files have in common. Takes some ten microseconds a file.
  ///
  /// - Parameter ids: Of files, each once; those that are gone are left out.
  package func summary(ofFiles ids: [Int64]) throws -> TagSummary {
    try store.read { db in
      var draft = TagSummaryDraft()
      for id in ids {
        guard
          let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT audio_id IS NOT NULL FROM file WHERE id = ?"), arguments: [id])
        else { continue }
        let isKnown: Bool = try row[0]
        try draft.add(
          try Tags(ofFile: id, db), isKnown: isKnown, own: try StoredCorrections.own(ofFile: id, db))
      }
      return draft.summary
    }
  }
}

/// Counts lists of values, file by file.
private struct TagSummaryDraft {
  private struct Counts {
    var values: [[String]: Int] = [:]
    var fileValues: [[String]: Int] = [:]
    var states: [Correction.State: Int] = [:]
  }

  private var fileCount = 0
  private var unknownFileCount = 0
  private var counts: [CorrectionField: Counts] = Dictionary(
    uniqueKeysWithValues: TagSummary.usualFields.map { ($0, Counts()) })
  private var fields: [String: CorrectionField?] = [:]

  mutating func add(_ tags: Tags, isKnown: Bool, own: [CorrectedTags.Own]) throws {
    fileCount += 1
    if !isKnown { unknownFileCount += 1 }
    // Several names may be one field.
    var present = Set(TagSummary.usualFields)
    for property in tags.properties {
      let field = fields[property.name] ?? Corrections.field(ofTag: property.name)
      fields[property.name] = field
      if let field { present.insert(field) }
    }
    for field in present {
      let values = field.values(in: tags)
      if !values.isEmpty { counts[field, default: Counts()].values[values, default: 0] += 1 }
    }
    for one in own {
      counts[one.field, default: Counts()].states[one.state, default: 0] += 1
      counts[one.field, default: Counts()].fileValues[one.field.values(in: Tags(one.properties)), default: 0] += 1
    }
  }

  var summary: TagSummary {
    let usual = TagSummary.usualFields
    let others = counts.keys.filter { !usual.contains($0) }.sorted { $0.name < $1.name }
    return TagSummary(
      fileCount: fileCount, unknownFileCount: unknownFileCount,
      fields: (usual + others).map { field in
        let counts = counts[field] ?? Counts()
        var values = counts.values
        let empty = fileCount - values.values.reduce(0, +)
        if empty > 0 { values[[]] = empty }
        return TagSummary.Field(
          field: field, values: Self.sorted(values), fileValues: Self.sorted(counts.fileValues), counts: counts.states)
      })
  }

  private static func sorted(_ values: [[String]: Int]) -> [TagSummary.Values] {
    let lists = values.map { (text: $0.key.joined(separator: "\n"), values: $0.key, fileCount: $0.value) }
    return lists.sorted { left, right in
      if left.fileCount != right.fileCount { return left.fileCount > right.fileCount }
      // 2 comes before 10.
      let order = left.text.compare(right.text, options: .numeric)
      return order == .orderedSame ? left.text < right.text : order == .orderedAscending
    }.map { TagSummary.Values(values: $0.values, fileCount: $0.fileCount) }
  }
}
