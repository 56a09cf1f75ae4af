internal import Base
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
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
    let roots = try storing { () throws(StoreError) in try store.roots.all() }
    for folder in options.folders where !roots.contains(where: { $0.path == folder }) {
      let path = ScanFolders.asStored(try ScanFolders.resolved(folder), in: roots.map(\.path))
      if !roots.contains(where: { path.isBelowOrEqual(to: $0.path) }) { try refuseUnsuitable(path, known: roots) }
    }
  }

  /// The requested folders as parts of roots; new roots are added.
  func resolveScopes() throws(ScanError) -> [Scope] {
    var roots = try storing { () throws(StoreError) in try store.roots.all() }
    guard !options.folders.isEmpty else { return roots.map { Scope(root: $0, path: BytePath("")) } }
    var paths: [BytePath] = []
    for folder in options.folders {
      // A known root that is gone cannot be resolved: its stored path is used.
      let isKnown = roots.contains { $0.path == folder }
      paths.append(isKnown ? folder : ScanFolders.asStored(try ScanFolders.resolved(folder), in: roots.map(\.path)))
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
        roots.removeAll { $0.path.isBelowOrEqual(to: path) }
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
    return try storing { () throws(StoreError) in
      options.takesOver
        ? try store.roots.takeOver(in: path, volume: volume, isScanning: true).root
        : try store.roots.add(path, volume: volume)
    }
  }

  /// Stores the volume of a root that has none, after a merge or a relocation, once known files are found there.
  func noteVolume(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, visit.root.volume == nil, visit.hasKnownFiles, let volume = visit.fileSystem?.text else {
      return
    }
    try storing { () throws(StoreError) in try store.roots.setVolume(volume, ofRoot: visit.root.id) }
  }

  /// Stores the current numbers of the disks, also for files that were not found: the next scan could not learn them,
  /// because it finds all other files with their current numbers.
  func renumberDevices(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, !visit.isOnAnotherVolume else { return }
    try storing { () throws(StoreError) in
      try store.roots.renumberDevices(visit.deviceNumbers, inRoot: visit.root.id)
    }
  }

  /// Stores the current volume of a root, if a scan of all of it ended without a safety stop: disks are replaced, and
  /// the identities of some change with the order in which they are plugged in.
  func renewVolume(of visit: RootVisit) throws(ScanError) {
    guard !options.isDryRun, visit.isWhole, visit.hasKnownFiles, visit.walk.incompleteFolders.isEmpty,
      let stored = visit.root.volume, let now = visit.fileSystem?.text, stored != now,
      !report.safetyStops.contains(where: { $0.root == visit.root.path })
    else { return }
    try storing { () throws(StoreError) in try store.roots.setVolume(now, ofRoot: visit.root.id) }
  }

  private func refuseUnsuitable(_ path: BytePath, known roots: [Root]) throws(ScanError) {
    if !options.takesOver, let inner = roots.first(where: { $0.path.isBelowOrEqual(to: path) }) {
      throw .containsRoot(path, root: inner.path)
    }
    try ScanFolders.requireSuitable(path)
  }
}
