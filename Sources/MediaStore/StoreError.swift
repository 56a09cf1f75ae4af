package import MediaModel

/// What can go wrong with a library: one clear line each, with the path, and SQLite's own words and the SQL where there
/// are any.
///
/// Descriptions may hold bytes of file names: see ``TerminalText`` before a terminal.
package enum StoreError: Error, Hashable, Sendable {
  /// There is no file at the path; nothing was created.
  case missingLibrary(BytePath)
  /// The file is something else, or not usable as a library at all; it was not touched.
  case notALibrary(BytePath, reason: String)
  /// The file was not touched.
  case newerSchema(BytePath, found: Int, supported: Int)
  /// An older library that cannot be brought up to date here.
  case olderSchema(BytePath, found: Int, supported: Int)
  case corrupt(BytePath, reason: String)
  case readOnly(BytePath)
  case diskFull(BytePath)
  /// Another process wrote for longer than we were ready to wait.
  case locked(BytePath, byProcess: Int32?)
  /// A scan, or a command that excludes scans, has the library.
  ///
  /// - Parameters:
  ///   - processID: nil where it is no scan or reanalysis.
  ///   - since: when that scan began, UTC in ISO 8601.
  case scanRunning(BytePath, processID: Int32?, since: String?)
  case inputOutput(BytePath, reason: String)
  /// A query ran into its time limit.
  case tookTooLong(BytePath)
  /// A query with more levels than SQLite can take.
  case tooDeepQuery
  /// SQLite refused a statement: a mistake in this program.
  case sql(BytePath, message: String, statement: String?)
  /// A stored product that is not what was written; it must be made again.
  case damagedProduct(BytePath, kind: ProductKind, recordingID: Int64)
  /// A root that lies in another, or holds one.
  case overlappingRoots(BytePath, existing: BytePath)
  /// A folder that must not be a root.
  case unsuitableRoot(BytePath, reason: String)
  case noSuchRoot(String)
  /// A backup would take the place of another, and the library has damaged rows.
  case damagedLibrary(BytePath, reason: String)
  /// A backup has more of what users decided than what would replace it; each of `losses` as a phrase.
  case fewerUserRows(BytePath, _ losses: [String])
  /// - Parameter near: names that may have been meant.
  case noSuchPreset(String, near: [String])
  /// - Parameter isBuiltIn: whether the name belongs to the program.
  case presetExists(String, isBuiltIn: Bool)
  /// One that comes with the program is to be changed.
  case builtInPreset(String)
  /// - Parameter count: what it is assigned to.
  case presetInUse(String, count: Int)
  /// A stored preset that this version of the program cannot read; it was left as it is.
  case unreadablePreset(String, reason: String)
  case nothingToUndo
}

extension StoreError {
  /// The same about a place, where it is about the file that is to go there.
  func naming(_ place: BytePath) -> StoreError {
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
  package var description: String {
    switch self {
    case .missingLibrary(let path):
      "\(path.displayString): there is no library here yet; `deadwax scan FOLDER` makes one"
    case .notALibrary(let path, let reason): "\(path.displayString): not a Deadwax library: \(reason)"
    case .newerSchema(let path, let found, let supported):
      "\(path.displayString): made by a newer version (\(found) > \(supported))"
    case .olderSchema(let path, let found, let supported):
      "\(path.displayString): made by an older version (\(found) < \(supported)) and read-only: it cannot be brought up to date"
    case .corrupt(let path, let reason):
      "\(path.displayString): the library is damaged: \(reason); `deadwax doctor --repair -o FILE` saves what can be read"
    case .readOnly(let path): "\(path.displayString): the library is read-only"
    case .diskFull(let path): "\(path.displayString): the disk is full"
    case .locked(let path, let process):
      "\(path.displayString): locked by \(process.map { "pid \($0)" } ?? "another process")"
    case .scanRunning(let path, let process, let since):
      "\(path.displayString): a scan\(process == nil ? ", a merge or the like" : "") is already running"
        + Self.parenthesis([process.map { "pid \($0)" }, since.map { "since \($0)" }])
    case .inputOutput(let path, let reason): "\(path.displayString): \(reason)"
    case .tookTooLong(let path): "\(path.displayString): the query took too long"
    case .tooDeepQuery: "the query is nested too deeply"
    case .sql(let path, let message, let statement):
      "\(path.displayString): internal error: \(message)" + (statement.map { " in `\($0)`" } ?? "")
    case .damagedProduct(let path, let kind, let id):
      "\(path.displayString): the stored \(kind.rawValue) of track \(id) is damaged; `deadwax reanalyze --damaged` makes it anew"
    case .overlappingRoots(let path, let existing):
      "\(path.displayString): overlaps the root \(existing.displayString)"
    case .unsuitableRoot(let path, let reason): "\(path.displayString): \(reason)"
    case .fewerUserRows(let path, let losses):
      "\(path.displayString): the library has \(losses.joined(separator: ", ")); `deadwax backup --force` replaces it all the same"
    case .damagedLibrary(let path, let reason):
      "\(path.displayString): the library is damaged: \(reason); `deadwax backup --force` replaces it all the same"
    case .noSuchRoot(let name): "\(name): no such root"
    case .noSuchPreset(let name, let near):
      "\(name): no such preset" + SpellingSuggestions.question(near)
    case .presetExists(let name, let isBuiltIn):
      isBuiltIn ? "\(name): the name belongs to the program; choose another" : "\(name): there is such a preset already"
    case .builtInPreset(let name):
      "\(name): comes with the program and stays as it is; `deadwax preset copy` makes one of your own of it"
    case .presetInUse(let name, let count):
      "\(name): assigned \(count) time\(count == 1 ? "" : "s"); `--force` deletes the assignments, too"
    case .unreadablePreset(let name, let reason): "\(name): this version cannot read the preset: \(reason)"
    case .nothingToUndo: "there is no change of presets to undo"
    }
  }

  private static func parenthesis(_ parts: [String?]) -> String {
    let present = parts.compactMap { $0 }
    return present.isEmpty ? "" : " (\(present.joined(separator: ", ")))"
  }
}
