package import Base
internal import Glibc
internal import LibraryDatabase
package import MediaModel

/// What went wrong with a library, with the facts that a message needs.
///
/// The description is one line. It says what happened and to which file; what a user can do about it depends on the
/// program. It may hold bytes of file names: pass it through ``TerminalText`` before it goes to a terminal.
package enum StoreError: Error, Hashable, Sendable {
  /// There is no file at the path; nothing was created.
  case missingLibrary(BytePath)
  /// There is no file at the path of another library, which is only read.
  case noSuchFile(BytePath)
  /// Another library is needed than this one.
  case sameLibrary(BytePath)
  /// The file is something else, or cannot be used as a library at all; it was not touched.
  case notALibrary(BytePath, reason: String)
  /// The file was not touched.
  case newerSchema(BytePath, found: Int, supported: Int)
  /// An older library that cannot be migrated because it is read-only.
  case olderSchema(BytePath, found: Int, supported: Int)
  case corrupt(BytePath, reason: String)
  case readOnly(BytePath)
  case diskFull(BytePath)
  /// Another process wrote for longer than we were ready to wait.
  case locked(BytePath, byProcess: Int32?)
  /// A scan, or a command that excludes scans, is running.
  ///
  /// - Parameters:
  ///   - processID: nil if it is neither a scan nor a reanalysis.
  ///   - since: when that scan began, UTC in ISO 8601.
  case scanRunning(BytePath, processID: Int32?, since: String?)
  /// Another process watches the folders of the library.
  case watchRunning(BytePath)
  case inputOutput(BytePath, reason: String)
  /// A new file was to get a name that is taken.
  ///
  /// - Parameter reason: why the file there is not replaced.
  case outputExists(BytePath, reason: String)
  /// A query ran into its time limit.
  case tookTooLong(BytePath)
  /// A query with more levels than SQLite can take.
  case tooDeepQuery
  /// SQLite refused a statement: a mistake in this program.
  case sql(BytePath, message: String, statement: String?)
  /// The bytes of a stored product are not those that were written; it must be recomputed.
  case damagedProduct(BytePath, kind: ProductKind, recordingID: Int64)
  /// A library that cannot be registered as a shard.
  case unsuitableShard(BytePath, reason: String)
  /// A shard that has a recording of the library, or their register, cannot be used.
  case shard(BytePath, ShardProblem)
  /// A root that lies in another root, or contains one.
  case overlappingRoots(BytePath, existing: BytePath)
  /// A folder that must not be a root.
  case unsuitableRoot(BytePath, reason: String)
  case noSuchRoot(String)
  /// A backup would replace another one, but the library has damaged rows.
  case damagedLibrary(BytePath, reason: String)
  /// The backup that would be replaced has more rows that users made than the library; each loss as a phrase.
  case fewerUserRows(BytePath, _ losses: [String])
  /// - Parameter near: similar names that exist.
  case noSuchPreset(String, near: [String])
  /// - Parameter isBuiltIn: whether the name belongs to the program.
  case presetExists(String, isBuiltIn: Bool)
  /// A preset of the program was to be changed.
  case builtInPreset(String)
  /// - Parameter count: the number of its assignments.
  case presetInUse(String, count: Int)
  /// A stored preset that this version of the program cannot read; it was left as it is.
  case unreadablePreset(String, reason: String)
  case nothingToUndo
  case noSuchList(String)
  case listExists(String)
  case invalidListName(reason: String)
  /// A list of given recordings is needed.
  case listIsQuery(String)
  /// - Parameter reason: what the name or the value of an attribute must be, such as `name has 1 to 100 bytes`.
  case invalidAttribute(reason: String)
  /// A file that is not a usable library of beets.
  case notABeetsLibrary(BytePath, reason: String)
}

extension StoreError {
  /// The same error about `place`, for an error about the temporary file that will be moved there.
  package func naming(_ place: BytePath) -> StoreError {
    switch self {
    case .diskFull: .diskFull(place)
    case .readOnly: .readOnly(place)
    case .inputOutput(_, let reason): .inputOutput(place, reason: reason)
    case .corrupt(_, let reason): .corrupt(place, reason: reason)
    case .sql(_, let message, let statement): .sql(place, message: message, statement: statement)
    default: self
    }
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { (path.map { "\($0.displayString): " } ?? "") + message }

  /// The file that the error is about, with which the description begins.
  package var path: BytePath? {
    switch self {
    case .missingLibrary(let path), .noSuchFile(let path), .sameLibrary(let path), .notALibrary(let path, _),
      .newerSchema(let path, _, _), .olderSchema(let path, _, _), .corrupt(let path, _), .readOnly(let path),
      .diskFull(let path), .locked(let path, _), .scanRunning(let path, _, _), .watchRunning(let path),
      .inputOutput(let path, _), .outputExists(let path, _), .tookTooLong(let path), .sql(let path, _, _),
      .damagedProduct(let path, _, _),
      .unsuitableShard(let path, _), .shard(let path, _), .overlappingRoots(let path, _), .unsuitableRoot(let path, _),
      .damagedLibrary(let path, _), .fewerUserRows(let path, _), .notABeetsLibrary(let path, _):
      path
    case .tooDeepQuery, .noSuchRoot, .noSuchPreset, .presetExists, .builtInPreset, .presetInUse, .unreadablePreset,
      .nothingToUndo, .noSuchList, .listExists, .invalidListName, .listIsQuery, .invalidAttribute:
      nil
    }
  }

  /// What happened, without the path.
  package var message: String {
    switch self {
    case .missingLibrary: "there is no library here yet"
    case .noSuchFile: String(cString: strerror(ENOENT))
    case .sameLibrary: "this is the library itself; choose another one"
    case .notALibrary(_, let reason): "not a Deadwax library: \(reason)"
    case .newerSchema(_, let found, let supported): "made by a newer version (\(found) > \(supported))"
    case .olderSchema(_, let found, let supported):
      "made by an older version (\(found) < \(supported)) and read-only, so it cannot be migrated"
    case .corrupt(_, let reason), .damagedLibrary(_, let reason): "the library is damaged: \(reason)"
    case .readOnly: "the library is read-only"
    case .diskFull: "the disk is full"
    case .locked(_, let process): "locked by \(process.map { "pid \($0)" } ?? "another process")"
    case .scanRunning(_, let process, let since):
      "a scan\(process == nil ? ", a merge or the like" : "") is already running"
        + Self.parenthesis([process.map { "pid \($0)" }, since.map { "since \($0)" }])
    case .watchRunning: "its folders are already watched by another process"
    case .inputOutput(_, let reason), .unsuitableRoot(_, let reason), .notABeetsLibrary(_, let reason): reason
    case .outputExists(_, let reason): "already exists; \(reason)"
    case .tookTooLong: "the query took too long"
    case .tooDeepQuery: "the query is nested too deeply"
    case .sql(_, let message, let statement):
      "internal error: \(message)" + (statement.map { " in `\($0)`" } ?? "")
    case .damagedProduct(_, let kind, let id): "the stored \(kind.rawValue) of track \(id) is damaged"
    case .unsuitableShard(_, let reason): "cannot be a shard: \(reason)"
    case .shard(_, let problem): problem.description
    case .overlappingRoots(_, let existing): "overlaps the root \(existing.displayString)"
    case .fewerUserRows(_, let losses): "the library has \(losses.joined(separator: ", "))"
    case .noSuchRoot(let name): "\(name): no such root"
    case .noSuchPreset(let name, let near): "\(name): no such preset" + SpellingSuggestions.question(near)
    case .presetExists(let name, isBuiltIn: true): "\(name): the name is reserved; choose another"
    case .presetExists(let name, isBuiltIn: false): "\(name): a preset with this name already exists"
    case .builtInPreset(let name): "\(name): is built-in and cannot be changed"
    case .presetInUse(let name, let count): "\(name): assigned \(count) time\(count == 1 ? "" : "s")"
    case .unreadablePreset(let name, let reason): "\(name): this version cannot read the preset: \(reason)"
    case .nothingToUndo: "there is no change to undo"
    case .noSuchList(let name): "there is no list '\(name)'"
    case .listExists(let name): "a list '\(name)' already exists"
    case .invalidListName(let reason): "the name of a list \(reason)"
    case .listIsQuery(let name): "the list '\(name)' is a query; it contains the tracks that match"
    case .invalidAttribute(let reason): "an attribute's \(reason)"
    }
  }

  private static func parenthesis(_ parts: [String?]) -> String {
    let present = parts.compactMap { $0 }
    return present.isEmpty ? "" : " (\(present.joined(separator: ", ")))"
  }
}

extension StoreError {
  /// Converts an error of SQLite, or any other, into one of ours.
  package init(_ error: any Error, at library: LibraryFile) {
    let path = library.path
    if let own = error as? StoreError {
      self = own
      return
    }
    guard !(error is RowDecodingError) else {
      self = .corrupt(path, reason: "a value does not have the type of its column")
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
      // SQLite has no code for a full disk when it maps shared memory or creates a file.
      let number = error.extendedResultCode.rawValue
      let isFull = library.isDiskFull || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
      self = isFull ? .diskFull(path) : .inputOutput(path, reason: "\(reason) (SQLite's error \(number))")
    case .SQLITE_PROTOCOL, .SQLITE_NOLFS, .SQLITE_PERM: self = .inputOutput(path, reason: reason)
    case .SQLITE_TOOBIG:
      self = .corrupt(path, reason: "a value is larger than \(DatabaseQueue.largestRowByteCount >> 20) MiB")
    case .SQLITE_NOMEM: self = .inputOutput(path, reason: "out of memory")
    case .SQLITE_INTERRUPT: self = .tookTooLong(path)
    // Our statements name only tables and columns that every library has.
    case .SQLITE_ERROR where reason.hasPrefix("no such table: ") || reason.hasPrefix("no such column: "):
      self = .corrupt(path, reason: reason)
    // Only a user's query can be so deep: SQLite's parser accepts a few hundred levels.
    case .SQLITE_ERROR
    where reason.hasPrefix("parser stack overflow") || reason.hasPrefix("Expression tree is too large"):
      self = .tooDeepQuery
    default: self = .sql(path, message: reason, statement: error.sql)
    }
  }

  /// The error of a system call on the library or its folder.
  package static func system(_ code: Int32, _ what: String, at path: BytePath) -> StoreError {
    switch code {
    case ENOSPC, EDQUOT: .diskFull(path)
    case EROFS: .readOnly(path)
    default: .inputOutput(path, reason: "\(what): \(String(cString: strerror(code)))")
    }
  }
}

/// Why nothing is read from a shard.
package enum ShardProblem: Hashable, Sendable {
  /// There is no such file, or it cannot be opened.
  case notAtHand(reason: String)
  /// Somebody has written to it since it was registered.
  case changed
  case unusable(reason: String)
  /// It is the register that cannot be read.
  case register(reason: String)
}

extension ShardProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAtHand(let reason): "this shard of the library is unavailable: \(reason)"
    case .changed: "this shard of the library has changed since it was registered"
    case .unusable(let reason): "this shard of the library cannot be used: \(reason)"
    case .register(let reason): "the library's shard register cannot be used: \(reason)"
    }
  }
}
