internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// Calls `body` with the path and all tags of each file that a query finds, in its order.
  ///
  /// `body` must not call the store; what it throws is thrown on.
  package func forEachTagged(of query: Query, _ body: (BytePath, Tags) throws -> Void) throws {
    var stopped: (any Error)?
    try read { db in
      let fields = [QueryField("path", .path), QueryField("file", .integer)]
      let path = QueryCompiler(try QueryContext(db)).column(fields[0])
      let plan = try QueryPlan(query, columns: "\(path), file.id", fields: fields, limit: nil, in: db)
      let tags = try db.makeStatement(
        sql: """
          SELECT name, value FROM tag JOIN tag_name ON tag_name.id = name_id WHERE file_id = ? ORDER BY name, position
          """)
      do {
        try plan.withFunctions(db) {
          try plan.run(db) { row in
            guard case .path(let path) = row.value(0), case .integer(let id) = row.value(1) else { return }
            var properties: [Tags.Property] = []
            let rows = try Row.fetchCursor(tags, arguments: [id])
            while let row = try rows.next() {
              let name: String = try row[0]
              if properties.last?.name == name {
                try properties[properties.count - 1].values.append(row[1])
              } else {
                try properties.append(Tags.Property(name: name, values: [row[1]]))
              }
            }
            do {
              try body(path, Tags(properties))
            } catch {
              stopped = error
              throw error
            }
          }
        }
      } catch let stop as ListRow.Stop {
        // What reading the tags met is the library's.
        if stopped == nil { throw stop.reason }
      }
    }
    if let stopped { throw stopped }
  }
}
