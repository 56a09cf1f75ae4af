internal import GRDB
package import MediaModel

extension MediaStore {
  /// Makes a consistent copy, also while others write: in one file, without free pages; what is there is not replaced.
  package func copy(to path: BytePath) throws(StoreError) {
    guard let text = String(validating: path.bytes, as: UTF8.self) else {
      throw .inputOutput(path, reason: "a copy needs a name in UTF-8")
    }
    do {
      try connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [text]) }
    } catch let error as DatabaseError {
      throw .inputOutput(path, reason: error.message ?? "cannot copy")
    } catch {
      throw StoreError(error, at: library)
    }
  }
}
