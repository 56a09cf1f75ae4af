internal import MediaModel
internal import MediaStore

/// The text of a query put to a library: SQL must take all of it, and a list, a count and the opposite must agree.
struct QuerySQLTarget: FuzzTarget {
  let name = "query-sql"
  let repetitionCount = 200

  var seeds: [[UInt8]] { QueryTextTarget.texts.map { Array($0.utf8) } }
  var dictionary: [String] { QueryTextTarget.words }
  var maximumByteCount: Int { 512 }

  func check(_ bytes: [UInt8]) throws {
    let library = try FuzzLibrary.shared.get()
    let store = library.store
    let text = String(decoding: bytes, as: UTF8.self)
    let query: Query
    do throws(QueryError) { query = try store.query(text) } catch { return }
    guard let count = try Self.count(of: query, in: store) else { return }
    var fields = Array(Set(query.order.map(\.field)).prefix(8))
    if let path = store.vocabulary["path"] { fields.append(path) }
    var listed = 0
    try store.forEachRow(of: query, fields: fields) { _ in listed += 1 }
    try require(listed == count, "\(listed) files are listed and \(count) are counted")
    var few = 0
    try store.forEachRow(of: query, fields: fields, limit: 3) { _ in few += 1 }
    try require(few == min(3, count), "\(few) of \(count) files are listed under a limit of 3")
    guard let condition = query.condition else { return }
    guard let others = try Self.count(of: Query(condition: .not(condition)), in: store) else { return }
    try require(count + others == library.fileCount, "\(count) files and \(others) others are not \(library.fileCount)")
  }

  /// nil for what is nested more deeply than SQLite takes, which is said of it.
  private static func count(of query: Query, in store: MediaStore) throws(StoreError) -> Int? {
    do throws(StoreError) {
      return try store.count(of: query)
    } catch {
      guard error == .tooDeepQuery else { throw error }
      return nil
    }
  }
}
