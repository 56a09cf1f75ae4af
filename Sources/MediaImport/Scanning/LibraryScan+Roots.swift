internal import Base
internal import Dispatch
internal import Glibc
internal import MediaStore

extension LibraryScan {
  /// A root, or a folder below it, that this scan covers.
  struct Scope {
    var root: Root
    var path: BytePath
  }

  /// - Throws: If a requested path is not a folder, or cannot be a root.
  func requireFolders() throws(ScanError) {
    guard !options.folders.isEmpty else { return }
    let roots = try storing { () throws(StoreError) in try store.roots() }
    for folder in options.folders where !roots.contains(where: { $0.path == folder }) {
      let path = try ScanFolders.resolved(folder)
      if !roots.contains(where: { path.isBelowOrEqual(to: $0.path) }) { try refuseUnsuitable(path, known: roots) }
    }
  }

  /// The requested folders as parts of roots; new roots are added.
  func resolveScopes() throws(ScanError) -> [Scope] {
    var roots = try storing { () throws(StoreError) in try store.roots() }
    guard !options.folders.isEmpty else { return roots.map { Scope(root: $0, path: BytePath("")) } }
    var paths: [BytePath] = []
    for folder in options.folders {
      // A known root that is gone cannot be resolved: its stored path is used.
      paths.append(roots.contains { $0.path == folder } ? folder : try ScanFolders.resolved(folder))
    }
    var scopes: [Scope] = []
    // The shortest first: of a new folder and one below it, the upper one becomes the root. A folder that is named
    // twice, or lies below another one that was named, is scanned once.
    for path in paths.sorted(by: { $0.bytes.count < $1.bytes.count })
    where !scopes.contains(where: { path.isBelowOrEqual(to: $0.root.path.appending($0.path)) }) {
      if let root = roots.first(where: { path.isBelowOrEqual(to: $0.path) }) {
        scopes.append(Scope(root: root, path: path.relative(to: root.path)))
      } else {
        let root = try newRoot(at: path, known: roots)
        roots.append(root)
        scopes.append(Scope(root: root, path: BytePath("")))
      }
    }
    return scopes
  }

  /// Adds a root; in a dry run it is not stored and has an id below 0.
  private func newRoot(at path: BytePath, known roots: [Root]) throws(ScanError) -> Root {
    try refuseUnsuitable(path, known: roots)
    if options.isDryRun { return Root(id: -Int64(roots.count) - 1, path: path, volume: nil, addedAt: 0) }
    let volume = try ScanFolders.volume(of: path)
    return try storing { () throws(StoreError) in try store.addRoot(path: path, volume: volume) }
  }

  /// Opens and walks one root; nil, with a safety stop in the report, if it is not there.
  func visit(_ scope: Scope) throws(ScanError) -> RootVisit? {
    if !report.roots.contains(scope.root.path) { report.roots.append(scope.root.path) }
    // The store is read while the folders are walked.
    let reading = BackgroundReading { [store] () throws(StoreError) in
      scope.root.id < 0 ? [] : try store.knownFiles(inRoot: scope.root.id, below: scope.path)
    }
    let rules = IgnoreRules(excluding: options.excludedGlobs)
    let walk: DirectoryWalker.Result
    let folder: FolderDescriptor
    defer { _ = try? reading.value() }
    do throws(SystemError) {
      let walker = DirectoryWalker(
        root: try FolderDescriptor(opening: scope.root.path), rules: rules, followsLinks: options.followsLinks)
      let found = progress.foundCount
      walk = walker.walk(from: scope.path) { count in
        progress.foundCount = found + count
        library.onProgress(progress)
        return stop.number == nil
      }
      folder = try FolderDescriptor(opening: scope.root.path)
    } catch {
      report.safetyStops.append(.init(root: scope.root.path, reason: .unavailable(error)))
      return nil
    }
    noteWhatWasNotSeen(walk, in: scope.root)
    let known = try storing { () throws(StoreError) in try reading.value() }
    return RootVisit(
      root: scope.root, scope: scope.path, folder: folder, known: known, walk: walk, followsLinks: options.followsLinks)
  }

  /// Stores the volume of a root that has none, after a merge or a relocation, once known files are found there.
  func noteVolume(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, visit.root.volume == nil, visit.hasKnownFiles, let volume = visit.fileSystem?.text else {
      return
    }
    try storing { () throws(StoreError) in try store.setVolume(volume, ofRoot: visit.root.id) }
  }

  /// Stores the current numbers of the disks, also for files that were not found: the next scan could not learn them,
  /// because it finds all other files with their current numbers.
  func renumberDevices(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, !visit.isOnAnotherVolume else { return }
    try storing { () throws(StoreError) in
      try store.renumberDevices(visit.deviceNumbers, inRoot: visit.root.id)
    }
  }

  /// Stores the current volume of a root, if a scan of all of it ended without a safety stop: disks are replaced, and
  /// the identities of some change with the order in which they are plugged in.
  func renewVolume(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, visit.scope.bytes.isEmpty, visit.hasKnownFiles, visit.walk.incompleteFolders.isEmpty,
      let stored = visit.root.volume, let now = visit.fileSystem?.text, stored != now,
      !report.safetyStops.contains(where: { $0.root == visit.root.path })
    else { return }
    try storing { () throws(StoreError) in try store.setVolume(now, ofRoot: visit.root.id) }
  }

  private func noteWhatWasNotSeen(_ walk: DirectoryWalker.Result, in root: Root) {
    report.skippedLinkCount += walk.skippedLinkCount
    report.skippedSpecialFiles += walk.skippedSpecialFiles.map { root.path.appending($0) }
    for (path, reason) in walk.incompleteFolders + walk.unreadableFiles {
      report.warnings.append(.init(path: root.path.appending(path), reason: .unreadable(reason)))
    }
  }

  private func refuseUnsuitable(_ path: BytePath, known roots: [Root]) throws(ScanError) {
    if let inner = roots.first(where: { $0.path.isBelowOrEqual(to: path) }) {
      throw .refusedRoot(
        path, reason: "contains the root \(inner.path.displayString); remove that one first")
    }
    try ScanFolders.requireSuitable(path)
  }
}

/// A value that is read on another thread in the meantime, or at once if no thread can be started.
private final class BackgroundReading<Value: Sendable, Failure: Error>: Sendable {
  private let queue = DispatchQueue(label: "background reading")
  nonisolated(unsafe) private var result: Result<Value, Failure>?

  /// Begins at once.
  init(_ body: @escaping @Sendable () throws(Failure) -> Value) {
    let read = { @Sendable [self] in
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    if ThreadSupply.canStartThread { queue.async(execute: read) } else { read() }
  }

  /// Waits for the end and returns the value.
  ///
  /// Call this in every case, because what the body reads from may be closed afterwards.
  func value() throws(Failure) -> Value {
    // The queue is serial: this runs after the body and sees its writes.
    guard let result = queue.sync(execute: { result }) else { preconditionFailure("the body has run") }
    return try result.get()
  }
}
