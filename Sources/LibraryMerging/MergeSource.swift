internal import Base
internal import LibraryDatabase
internal import LibraryQueries
internal import LibraryRecovery
internal import LibraryTracks
internal import MediaStore
internal import UserData

/// A library that is merged into another one; it is never written to.
final class MergeSource {
  /// As given, without symbolic links.
  let path: BytePath
  private let store: MediaStore
  /// A migrated copy of an older library, which is deleted with this object.
  private let copy: LibraryCopy?

  /// Opens a library and checks all of it.
  ///
  /// - Parameters:
  ///   - target: Where the merged library is: a copy that must be made is beside it.
  ///   - own: The merged library, if there is one already.
  /// - Throws: if it is not a library, damaged, made by a newer version, or `own` itself.
  init(at path: BytePath, for target: BytePath, except own: LibraryFile?) throws(StoreError) {
    self.path = try LibraryPath.resolved(path)
    let file = try LibraryFile.other(at: self.path)
    defer { file.close() }
    if let own, file.isSameFile(as: own) { throw .sameLibrary(self.path) }
    if try file.header().schemaVersion == LibraryHeader.currentVersion {
      try ForeignWAL.refuse(beside: file)
      copy = nil
      store = try MediaStore(at: self.path, access: .readOnly)
    } else {
      let location = try LibraryLocation(of: file, forWriting: false)
      let copy = try LibraryCopy.upToDate(of: file, at: location, for: target)
      self.copy = copy
      store = try MediaStore(at: copy.path, access: .readOnly)
    }
    // Before anything is read: a view in the place of a table could compute without end.
    try store.read { try SchemaStructure.requireNothingForeign($0, in: self.path) }
    if let reason = try Self.problem(of: store) { throw .corrupt(self.path, reason: reason) }
    // The check has read all of it. Of many libraries, their pages would take more memory than the merge.
    store.connection.releaseMemory()
  }

  /// The first problem that would spoil the other library; the bytes of products are checked one by one later.
  private static func problem(of store: MediaStore) throws(StoreError) -> String? {
    let check = try store.check()
    return
      (check.integrityProblems + check.schemaDifferences + check.danglingReferences + check.impossibleRows
      + check.journalProblems).first
  }

  deinit { try? store.close() }

  /// Lets ``BulkCopy`` read the library through another connection, if that needs nothing special. A library with two
  /// names is opened with care by ``MediaStore`` alone.
  func attach(to db: Database) {
    guard let location = try? LibraryLocation(of: store.library, forWriting: false), location.alias == nil else {
      return
    }
    let path = location.isReadOnly ? location.path : LibraryLocation.attached(store.library)
    do { try BulkCopy.attach(path, to: db) } catch { BulkCopy.detach(from: db) }
  }

  var roots: [Root] { get throws(StoreError) { try store.roots.all() } }

  /// Calls `body` with a consistent state of the rows.
  func read<Value>(_ body: (SourceRows) throws -> Value) throws(StoreError) -> Value {
    try store.read { try body(SourceRows($0, of: store.library)) }
  }
}

/// A consistent state of the rows of a library that is merged into another one.
///
/// Errors in reading them are errors of that library, also within a transaction of the other one.
struct SourceRows {
  private let db: Database
  private let library: LibraryFile

  init(_ db: Database, of library: LibraryFile) {
    self.db = db
    self.library = library
  }

  /// Calls `body` with each row; `body` may run other queries, but not with the same SQL.
  func forEach(_ sql: String, _ arguments: StatementArguments = [], _ body: (Row) throws -> Void) throws {
    let rows = try named { try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments) }
    while let row = try named({ try rows.next() }) { try body(row) }
  }

  func all(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try named { try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
  }

  func first(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try named { try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) }
  }

  private func named<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw StoreError(error, at: library) }
  }
}
