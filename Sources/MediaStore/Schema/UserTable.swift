package import LibraryDatabase

/// The tables whose rows users made, which no scan can bring back.
///
/// This is the only list of them: a repair saves them first and in this order, a backup counts their rows, and a merge
/// adds to them.
package enum UserTable: String, CaseIterable, Sendable {
  case person
  case preset
  case presetAssignment = "preset_assignment"
  case list
  case listEntry = "list_entry"
  case attribute
  /// Attributes of albums and artists.
  case groupAttribute = "group_attribute"
  /// Which recordings are on which album.
  case albumChoice = "album_choice"
  /// What the values of tags are, whatever files say.
  case correction
  /// What was heard.
  case play
  /// What was about to be heard.
  case playQueue = "play_queue"
  /// The journal of presets, assignments, lists, attributes and corrections.
  case change
  case changeRow = "change_row"
  /// What was written into music files, and how to take it back.
  case fileChange = "file_change"
  case fileChangePart = "file_change_part"
  /// The pictures that it takes.
  case fileChangePicture = "file_change_picture"
  /// What recordings were called before: no user made it, but no scan can bring it back.
  case formerHash = "former_hash"

  /// The name of the table in schemas 4 and 5; nil if it is the same or there was none.
  package var formerName: String? {
    switch self {
    case .change: "preset_change"
    case .changeRow: "preset_change_row"
    default: nil
    }
  }

  /// The table of that name, in any schema.
  package init?(named name: String) {
    guard let table = Self.allCases.first(where: { name == $0.rawValue || name == $0.formerName }) else { return nil }
    self = table
  }

  /// The name of the table in a library, whose schema may be older; nil if it has none.
  package func name(in db: Database) throws -> String? {
    try [rawValue, formerName].compactMap { $0 }.first { try db.tableExists($0) }
  }

  /// What messages call its rows; nil for tables whose rows are not counted.
  var plural: String? {
    switch self {
    case .preset: "presets"
    case .presetAssignment: "assignments of presets"
    case .person, .playQueue, .change, .changeRow, .fileChange, .fileChangePicture, .formerHash: nil
    case .list: "lists"
    case .listEntry: "entries of lists"
    case .attribute: "attributes"
    case .groupAttribute: "attributes of albums and artists"
    case .albumChoice: "choices of albums"
    case .correction: "corrections"
    case .play: "plays"
    case .fileChangePart: "undo data of written files"
    }
  }
}

/// The numbers of rows that the users of a library made.
package struct UserRows: Hashable, Sendable {
  /// Without tables that have none, the journal, and former hashes.
  private var counts: [UserTable: Int] = [:]

  package init() {}

  /// Counts the rows; 0 for a table that an older schema does not have.
  package init(_ db: Database) throws {
    for table in UserTable.allCases where table.plural != nil {
      let count =
        try db.tableExists(table.rawValue)
        ? Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.rawValue)") : nil
      if let count, count > 0 { counts[table] = count }
    }
  }

  package var presets: Int { self[.preset] }
  package var assignments: Int { self[.presetAssignment] }
  package var lists: Int { self[.list] }
  package var listEntries: Int { self[.listEntry] }
  /// Of recordings, albums and artists.
  package var attributes: Int { self[.attribute] + self[.groupAttribute] }
  package var corrections: Int { self[.correction] }
  package var plays: Int { self[.play] }
  package var total: Int { UserTable.allCases.reduce(0) { $0 + self[$1] } }

  private subscript(table: UserTable) -> Int { counts[table] ?? 0 }

  /// What these have fewer of than others: "2 presets instead of 5".
  package func losses(against others: UserRows) -> [String] {
    UserTable.allCases.compactMap { table in
      guard let name = table.plural, self[table] < others[table] else { return nil }
      return "\(self[table]) \(name) instead of \(others[table])"
    }
  }

  /// Whether each count lies between two others, which were taken before and after these.
  func lies(between before: UserRows, and after: UserRows) -> Bool {
    UserTable.allCases.allSatisfy { table in
      (min(before[table], after[table])...max(before[table], after[table])).contains(self[table])
    }
  }
}

/// Names for rows whose own name is taken.
package enum NumberedName {
  /// `NAME (2)`, `NAME (3)`, shortened until it fits.
  package static func name(_ name: String, _ number: Int, fits: (String) -> Bool) -> String {
    var start = name
    while !start.isEmpty, !fits("\(start) (\(number))") { start.removeLast() }
    return "\(start) (\(number))"
  }
}
