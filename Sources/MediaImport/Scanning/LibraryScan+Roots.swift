internal import Glibc
internal import MediaModel
internal import MediaStore

extension LibraryScan {
  /// A root, or a folder below it, that this scan covers.
  struct Scope {
    var root: Root
    var path: BytePath
  }

  /// - Throws: where a folder that was asked for is none, or cannot be a root.
  func requireFolders() throws(ScanError) {
    guard !options.folders.isEmpty else { return }
    let roots = try storing { () throws(StoreError) in try store.roots() }
    for folder in options.folders where !roots.contains(where: { $0.path == folder }) {
      let path = try ScanFolders.resolved(folder)
      if !roots.contains(where: { path.isBelowOrEqual(to: $0.path) }) { try refuseUnsuitable(path, known: roots) }
    }
  }

  /// The folders that were asked for as parts of roots; new roots are added.
  func resolveScopes() throws(ScanError) -> [Scope] {
    var roots = try storing { () throws(StoreError) in try store.roots() }
    guard !options.folders.isEmpty else { return roots.map { Scope(root: $0, path: BytePath("")) } }
    var paths: [BytePath] = []
    for folder in options.folders {
      // A root that is known but gone cannot be resolved; its stored path is taken as it stands.
      paths.append(roots.contains { $0.path == folder } ? folder : try ScanFolders.resolved(folder))
    }
    var scopes: [Scope] = []
    // The shortest first: of a new folder and one below it, the upper one becomes the root. What is named twice, or
    // lies below another folder that was named, is scanned once.
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

  /// Adds a root; in a dry run it is none that the store knows, with a number below 0.
  private func newRoot(at path: BytePath, known roots: [Root]) throws(ScanError) -> Root {
    try refuseUnsuitable(path, known: roots)
    if options.isDryRun { return Root(id: -Int64(roots.count) - 1, path: path, volume: nil, addedAt: 0) }
    let volume = try ScanFolders.volume(of: path)
    return try storing { () throws(StoreError) in try store.addRoot(path: path, volume: volume) }
  }

  /// Opens and walks one root; nil, with a safety stop in the report, when it is not there.
  func visit(_ scope: Scope) throws(ScanError) -> RootVisit? {
    if !report.roots.contains(scope.root.path) { report.roots.append(scope.root.path) }
    // The store is read while the folders are walked: together that takes as long as the slower of the two.
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
        onProgress(progress)
        return stop.number == nil
      }
      folder = try FolderDescriptor(opening: scope.root.path)
    } catch {
      report.safetyStops.append(.init(root: scope.root.path, reason: "root unavailable: \(error)"))
      return nil
    }
    noteWhatWasNotSeen(walk, in: scope.root)
    let known = try storing { () throws(StoreError) in try reading.value() }
    return RootVisit(
      root: scope.root, scope: scope.path, folder: folder, known: known, walk: walk, followsLinks: options.followsLinks)
  }

  /// Keeps the volume of a root that came without one, by a merge or because it was relocated, once files of it are found.
  func noteVolume(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, visit.root.volume == nil, visit.hasKnownFiles, let volume = visit.fileSystem?.text else {
      return
    }
    try storing { () throws(StoreError) in try store.setVolume(volume, ofRoot: visit.root.id) }
  }

  /// Keeps what was learnt of the disks' numbers of today, also with files that are not where they were: the next scan, which
  /// finds all others with today's, could not learn it again.
  func renumberDevices(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, !visit.isOnAnotherVolume else { return }
    try storing { () throws(StoreError) in
      try store.renumberDevices(visit.deviceNumbers, inRoot: visit.root.id)
    }
  }

  /// Takes the volume of today for a root's, once a scan of all of it believed what it found there: disks are replaced, and
  /// the numbers of some change with the order in which they are plugged.
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
      report.warnings.append(.init(path: root.path.appending(path), reason: reason.description))
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
