internal import Glibc
internal import GRDB
internal import MediaModel

extension StoreError {
  /// SQLite's error, or any other, as one of ours.
  init(_ error: any Error, at library: LibraryFile) {
    let path = library.path
    if let own = error as? StoreError {
      self = own
      return
    }
    guard !(error is RowDecodingError) else {
      self = .corrupt(path, reason: "a value is not of the kind that its column has")
      return
    }
    guard let error = error as? DatabaseError else {
      self = .sql(path, message: "\(error)", statement: nil)
      return
    }
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull(path)
    case .SQLITE_READONLY: self = .readOnly(path)
    case .SQLITE_CORRUPT: self = .corrupt(path, reason: reason)
    case .SQLITE_NOTADB: self = .notALibrary(path, reason: reason)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path, byProcess: library.lockingProcess())
    case .SQLITE_IOERR, .SQLITE_CANTOPEN:
      // SQLite has no word of its own for a full disk where it maps shared memory or makes a file.
      let number = error.extendedResultCode.rawValue
      let isFull = library.isDiskFull || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
      self = isFull ? .diskFull(path) : .inputOutput(path, reason: "\(reason) (SQLite's error \(number))")
    case .SQLITE_PROTOCOL, .SQLITE_NOLFS, .SQLITE_PERM: self = .inputOutput(path, reason: reason)
    case .SQLITE_NOMEM: self = .inputOutput(path, reason: "out of memory")
    case .SQLITE_INTERRUPT: self = .tookTooLong(path)
    // Our statements name what every library has.
    case .SQLITE_ERROR where reason.hasPrefix("no such table: ") || reason.hasPrefix("no such column: "):
      self = .corrupt(path, reason: reason)
    // Only what a user asks for can be so deep: SQLite's parser takes some hundred parts at a time.
    case .SQLITE_ERROR
    where reason.hasPrefix("parser stack overflow") || reason.hasPrefix("Expression tree is too large"):
      self = .tooDeepQuery
    default: self = .sql(path, message: reason, statement: error.sql)
    }
  }

  /// An error of a system call upon the library or its folder.
  static func system(_ code: Int32, _ what: String, at path: BytePath) -> StoreError {
    switch code {
    case ENOSPC, EDQUOT: .diskFull(path)
    case EROFS: .readOnly(path)
    default: .inputOutput(path, reason: "\(what): \(String(cString: strerror(code)))")
    }
  }
}
