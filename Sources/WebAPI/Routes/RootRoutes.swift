internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryScanning
internal import LibraryServing
internal import LibraryTracks
internal import MediaImport
internal import MediaStore

/// The folders of the library, those below them that are left out, and the choice of others. All of it is the owner's: it
/// names folders of the computer that are not part of the library.
struct RootRoutes {
  let library: LibraryAccess
  let scans: ScanControl
  let folders: BrowsableFolders

  private static let path = Parameter<String>.text("path", "an absolute path; without one, the folders to begin with")
  private static let bytes = Parameter<String>.text("path_bytes", "the same in base64, if it is not UTF-8")
  private static let start = Parameter<String>.text("start", "how the names begin that are wanted")
  private static let limit = Parameter<Int64>.integer(
    "limit", "how many folders, 1 to 1000", 1...Int64(BrowsableFolders.largestFolderCount),
    default: Int64(BrowsableFolders.largestFolderCount))

  var routes: [Route] {
    [
      Route(
        .get, "/browse", "The folders in a folder of this computer, from which those of the library are chosen.",
        [Self.path, Self.bytes, Self.start, Self.limit], needs: .owner, browse),
      Route(.get, "/roots", "The folders of the library, and those that are left out.", needs: .owner, roots),
      Route(.post, "/roots", "Adds a folder to the library, and begins to scan it.", add),
      Route(.delete, "/roots/{id}", "Forgets a folder of the library and its files.", answers: [], remove),
      Route(.put, "/exclusions", "Leaves a folder of the library out of scans, or no longer.", exclude),
    ]
  }

  // MARK: - Choosing

  private func browse(_ call: Call) throws -> Reply {
    let (text, bytes) = (try call[Self.path], try call[Self.bytes])
    let (start, limit) = (try call[Self.start], Int(try call[Self.limit]))
    let given = try bytes.isEmpty ? Array(text.utf8) : Self.decoded(bytes)
    let state = try states()
    guard !given.isEmpty else {
      let rows = JSONRows(folders.tops()) { Self.row($0.displayString, $0, state($0)) }
      return try Self.reply(nil, parent: nil, nil, isCut: false, rows)
    }
    let listing = try folders.listing(of: BytePath(given), startingWith: start, limit: limit)
    let path = listing.path
    let rows = JSONRows(listing.names) { name in
      let place = path.appending(name)
      return Self.row(name.displayString, place, state(place))
    }
    return try Self.reply(path, parent: listing.parent, state(path), isCut: listing.isCut, rows)
  }

  private static func reply(
    _ path: BytePath?, parent: BytePath?, _ state: FolderState?, isCut: Bool, _ rows: JSONRows
  ) throws -> Reply {
    try Reply(
      JSONValue.path(path) + JSONValue.path(parent, key: "parent")
        + [.init("state", .string(state?.rawValue)), .init("cut", .bool(isCut))], "folders", rows)
  }

  private static func row(_ name: String, _ path: BytePath, _ state: FolderState?) -> JSONValue {
    .object([.init("name", .string(name))] + JSONValue.path(path) + [.init("state", .string(state?.rawValue))])
  }

  /// How a folder is related to those of the library.
  private enum FolderState: String {
    case root
    case inside
    /// It is left out itself.
    case excluded
    /// A folder above it is left out.
    case belowExcluded = "below-excluded"
    /// A root lies in it.
    case contains
  }

  private func states() throws -> @Sendable (BytePath) -> FolderState? {
    let roots = try library.reading { try $0.roots.all().map(\.path) }
    let excluded = try ExcludedFolders(of: library.path)
    return { path in
      if roots.contains(path) { return .root }
      if roots.contains(where: { path.isBelowOrEqual(to: $0) }) {
        guard let folder = excluded.folder(excluding: path) else { return .inside }
        return folder == path ? .excluded : .belowExcluded
      }
      return roots.contains { $0.isBelowOrEqual(to: path) } ? .contains : nil
    }
  }

  // MARK: - Roots

  private func roots(_ call: Call) throws -> Reply {
    let excluded = try ExcludedFolders(of: library.path)
    return try library.reading { store in
      let status = try store.status().roots
      return Reply(
        .object([
          "roots": .array(
            status.map { status in
              .object(
                [.init("id", .integer(status.root.id))] + JSONValue.path(status.root.path) + [
                  .init("files", .integer(status.fileCount)), .init("missing", .integer(status.missingCount)),
                ])
            }),
          "excluded": .array(
            excluded.paths.filter { path in status.contains { path.isBelowOrEqual(to: $0.root.path) } }
              .map { .object(JSONValue.path($0)) }),
        ]))
    }
  }

  private func add(_ call: Call) throws -> Reply {
    try requireWritable()
    let body = try call.document()
    let asked = try Self.path(in: body)
    let takesOver = try Self.flag("take_over", in: body) ?? false
    let resolved = try folders.place(of: asked)
    if let reason = ScanFolders.refusal(of: resolved) { throw HTTPProblem(422, reason) }
    let known = try library.reading { try $0.roots.all() }
    let path = ScanFolders.asStored(resolved, in: known.map(\.path))
    if let root = known.first(where: { $0.path == path }) {
      try scans.scan(path)
      return Reply(document(of: root))
    }
    guard !known.contains(where: { path.isBelowOrEqual(to: $0.path) }) else {
      throw HTTPProblem(409, "it is in a folder of the library already")
    }
    let containsRoot = known.contains { $0.path.isBelowOrEqual(to: path) }
    guard takesOver || !containsRoot else {
      throw HTTPProblem(409, "it contains a folder of the library; take_over makes that a part of it")
    }
    let volume = try ScanFolders.volume(of: path)
    let root =
      try containsRoot
      ? scans.resting {
        try library.writing { try $0.roots.takeOver(in: path, volume: volume, isScanning: false).root }
      }
      : library.writing { try $0.roots.add(path, volume: volume) }
    try scans.scan(path)
    return Reply(status: 201, document(of: root))
  }

  private func document(of root: Root) -> JSONValue {
    .object([.init("id", .integer(root.id))] + JSONValue.path(root.path))
  }

  private func remove(_ call: Call) throws -> Reply {
    try requireWritable()
    let id = try call.id(of: "folder")
    guard try library.reading({ try $0.roots.all() }).contains(where: { $0.id == id }) else {
      throw HTTPProblem(404, "there is no folder \(id)")
    }
    try scans.resting { _ = try library.writing { try $0.roots.remove(id) } }
    return .noContent
  }

  // MARK: - Exclusions

  private func exclude(_ call: Call) throws -> Reply {
    try requireWritable()
    let body = try call.document()
    let asked = try Self.path(in: body)
    guard let isExcluded = try Self.flag("excluded", in: body) else {
      throw HTTPProblem(422, "excluded is true or false")
    }
    // What is no longer left out may be gone.
    let path = try isExcluded ? folders.place(of: asked) : asked.withoutTrailingSlashes
    let roots = try library.reading { try $0.roots.all() }
    guard let root = roots.first(where: { path != $0.path && path.isBelowOrEqual(to: $0.path) }) else {
      throw HTTPProblem(422, "only a folder in one of the library can be left out")
    }
    guard isExcluded else {
      if try ExcludedFolders.set(path, isExcluded: false, of: library.path) { try scans.scan(path) }
      guard try ExcludedFolders(of: library.path).folder(excluding: path) == nil else {
        throw HTTPProblem(409, "a folder above it is left out")
      }
      return Reply(.object(JSONValue.path(path) + [.init("excluded", .bool(false)), .init("forgotten", .integer(0))]))
    }
    let count = try scans.resting {
      // If another program scans, this fails, and nothing is changed.
      let count = try library.writing { try $0.roots.forget(path.relative(to: root.path), inRoot: root.id) }
      try ExcludedFolders.set(path, isExcluded: true, of: library.path)
      return count
    }
    return Reply(.object(JSONValue.path(path) + [.init("excluded", .bool(true)), .init("forgotten", .integer(count))]))
  }

  // MARK: - Bodies

  private func requireWritable() throws {
    guard library.canWrite else { throw StoreError.readOnly(library.path) }
  }

  private static func decoded(_ text: String) throws(HTTPProblem) -> [UInt8] {
    guard let data = Data(base64Encoded: text) else { throw HTTPProblem(422, "path_bytes is a path in base64") }
    return Array(data)
  }

  private static func path(in body: JSONValue) throws(HTTPProblem) -> BytePath {
    if let bytes = body["path_bytes"]?.string { return BytePath(try decoded(bytes)) }
    guard let text = body["path"]?.string, text.utf8.first == UInt8(ascii: "/") else {
      throw HTTPProblem(422, "path is the absolute path of a folder")
    }
    return BytePath(text)
  }

  private static func flag(_ name: String, in body: JSONValue) throws(HTTPProblem) -> Bool? {
    guard let value = body[name] else { return nil }
    guard let flag = value.bool else { throw HTTPProblem(422, "\(name) is true or false") }
    return flag
  }
}
