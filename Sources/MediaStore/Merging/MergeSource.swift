internal import MediaModel

/// A library whose rows go into another one; nothing is ever written to it.
final class MergeSource {
  /// As it was given, without symbolic links.
  let path: BytePath
  private let store: MediaStore
  /// An older library, brought up to date in a file of our own, which ends with this object.
  private let copy: LibraryCopy?

  /// Opens a library and checks all of it.
  ///
  /// - Throws: Where it is no library, damaged, or made by a newer version, and where it is `target` itself.
  init(at path: BytePath, into target: MediaStore) throws(StoreError) {
    self.path = try LibraryPath.resolved(path)
    let file = try LibraryFile(at: self.path)
    defer { file.close() }
    guard !file.isSameFile(as: target.library) else {
      throw .inputOutput(self.path, reason: "this is the library itself")
    }
    if try file.header().schemaVersion == Migrations.currentVersion {
      copy = nil
      store = try MediaStore(at: self.path, access: .readOnly)
    } else {
      let location = try LibraryLocation(of: file, forWriting: false)
      let copy = try LibraryCopy.upToDate(of: file, at: location, for: target.path)
      self.copy = copy
      store = try MediaStore(at: copy.path, access: .readOnly)
    }
    if let reason = try Self.problem(of: store) { throw .corrupt(self.path, reason: reason) }
  }

  /// What would spoil the other library; bytes of products are looked at one by one.
  private static func problem(of store: MediaStore) throws(StoreError) -> String? {
    let check = try store.check()
    return
      (check.integrityProblems + check.schemaDifferences + check.danglingReferences + check.impossibleRows
      + check.journalProblems).first
  }

  deinit { try? store.close() }

  var roots: [Root] { get throws(StoreError) { try store.roots() } }

  /// Calls `body` with the rows as they are at one moment.
  func read<Value>(_ body: (SourceRows) throws -> Value) throws(StoreError) -> Value {
    try store.read { try body(SourceRows($0, of: store.library)) }
  }
}
