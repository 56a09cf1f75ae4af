internal import GRDB

/// How many rows of a library hold what its user decided: what no scan can bring back.
package struct UserRows: Hashable, Sendable {
  package private(set) var presets = 0
  package private(set) var assignments = 0
  package private(set) var lists = 0
  package private(set) var listEntries = 0
  package private(set) var attributes = 0

  init() {}

  init(_ db: Database) throws {
    presets = try Self.count("preset", db)
    assignments = try Self.count("preset_assignment", db)
    lists = try Self.count("list", db)
    listEntries = try Self.count("list_entry", db)
    attributes = try Self.count("attribute", db)
  }

  /// 0 where an older schema has no such table.
  private static func count(_ table: String, _ db: Database) throws -> Int {
    guard try db.tableExists(table) else { return 0 }
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
  }

  package var total: Int { named.reduce(0) { $0 + $1.count } }

  /// What there is less of than in others: "2 presets instead of 5".
  package func losses(against others: UserRows) -> [String] {
    zip(named, others.named).filter { $0.count < $1.count }.map { "\($0.count) \($0.name) instead of \($1.count)" }
  }

  /// Whether each count lies between two others: those before and after the moment of these.
  func lies(between before: UserRows, and after: UserRows) -> Bool {
    zip(named, zip(before.named, after.named)).allSatisfy { own, bounds in
      (min(bounds.0.count, bounds.1.count)...max(bounds.0.count, bounds.1.count)).contains(own.count)
    }
  }

  private var named: [(name: String, count: Int)] {
    [
      ("presets", presets), ("assignments of presets", assignments), ("lists", lists),
      ("entries of lists", listEntries), ("attributes", attributes),
    ]
  }
}
