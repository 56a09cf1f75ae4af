internal import GRDB
internal import Glibc
package import MediaModel

extension MediaStore {
  /// Makes a consistent copy, also while others write: one file without free pages, which replaces what is there when it is
  /// whole.
  package func copy(to path: BytePath) throws(StoreError) {
    guard try LibraryPath.resolved(path) != library.path else {
      throw .inputOutput(path, reason: "is the library itself")
    }
    let temporary = BytePath(path.bytes + Array(".new-\(getpid())".utf8))
    guard let text = String(validating: temporary.bytes, as: UTF8.self) else {
      throw .inputOutput(path, reason: "a copy needs a name in UTF-8")
    }
    defer { _ = temporary.withCString { unlink($0) } }
    do {
      try connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [text]) }
    } catch let error as DatabaseError {
      throw error.resultCode == .SQLITE_FULL
        ? .diskFull(path) : .inputOutput(path, reason: "cannot copy: \(error.message ?? "\(error.resultCode)")")
    } catch {
      throw StoreError(error, at: library)
    }
    let result = temporary.withCString { from in path.withCString { rename(from, $0) } }
    guard result == 0 else { throw .system(errno, "cannot copy", at: path) }
  }
}
