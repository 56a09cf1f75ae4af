internal import Base
internal import Glibc
internal import MediaModel

/// The folders that are watched for a library, and those of them whose files may differ from what the library knows.
struct WatchedFolders: ~Copyable {
  /// The folders that users named, and the roots of the library: absolute.
  private var roots: [BytePath]
  private let changes: FolderChanges
  private var paths: [Int32: BytePath] = [:]
  /// Which folder is at the path of a root; nil if none is.
  private var identities: [BytePath: FileIdentity?] = [:]
  private var changed: Set<BytePath> = []
  /// Whether there are folders that could not be watched, because the user has too many watches.
  private(set) var isLimited = false

  init(_ roots: [BytePath]) throws(SystemError) {
    self.roots = roots
    changes = try FolderChanges()
  }

  var count: Int { paths.count }
  var hasChanges: Bool { !changed.isEmpty }
  /// Readable when something has changed.
  var descriptor: Int32 { changes.descriptor }

  mutating func noteAll() { changed.formUnion(roots) }

  mutating func note(_ folders: [BytePath]) { changed.formUnion(folders) }

  /// Watches other roots from now on: new ones count as changed.
  mutating func setRoots(_ new: [BytePath]) {
    guard new != roots else { return }
    changed.formUnion(new.filter { !roots.contains($0) })
    let gone = roots.filter { !new.contains($0) }
    roots = new
    changed = changed.filter { path in new.contains { path.isBelowOrEqual(to: $0) } }
    for root in gone {
      identities[root] = nil
      forget(root)
    }
    // What other roots had of them is watched again.
    changed.formUnion(
      new.filter { root in gone.contains { $0.isBelowOrEqual(to: root) || root.isBelowOrEqual(to: $0) } })
  }

  /// Notes roots at whose path there is another folder than before: inotify tells when a disk is unmounted, but not when
  /// one is mounted.
  mutating func noteReplacedRoots() {
    for root in roots {
      let identity = FileIdentity(of: root)
      if identities.updateValue(identity, forKey: root) != .some(identity) { changed.insert(root) }
    }
  }

  /// Notes what has happened since the last call.
  ///
  /// - Returns: Whether files that a scan looks at were touched.
  mutating func noteEvents() throws(SystemError) -> Bool {
    var isTouched = false
    for event in try changes.events() {
      switch event {
      case .overflow:
        noteAll()
        isTouched = true
      case .ended(let watch):
        guard let path = paths.removeValue(forKey: watch) else { continue }
        changed.insert(path)
        isTouched = true
      case .entry(let name, let watch, let isFolder, let isMovedAway):
        guard let folder = paths[watch] else { continue }
        if isFolder && isMovedAway { forget(folder.appending(name)) }
        guard Self.concernsScans(name, isFolder: isFolder) else { continue }
        changed.insert(folder)
        isTouched = true
      }
    }
    return isTouched
  }

  /// The changed folders to be scanned, without those below others, watched with all that is below them.
  ///
  /// - Parameter goesOn: Called now and then; false ends the walk.
  mutating func takeChanged(goesOn: () -> Bool) -> [BytePath] {
    var parts: [BytePath] = []
    let folders = Set(changed.map { Self.nearestFolder($0, in: roots) })
    for path in folders.sorted(by: { $0.bytes.count < $1.bytes.count })
    where !parts.contains(where: { path.isBelowOrEqual(to: $0) }) {
      parts.append(path)
    }
    changed = []
    isLimited = false
    for part in parts { cover(part, goesOn: goesOn) }
    return parts
  }

  /// Hidden files and those that scans do not look at by their names change nothing, except the rules for what to ignore.
  private static func concernsScans(_ name: BytePath, isFolder: Bool) -> Bool {
    if name.bytes.first == UInt8(ascii: ".") { return name == BytePath(IgnoreRules.fileName) }
    return isFolder || name.bytes.isEmpty || DirectoryWalker.looks(at: name)
  }

  /// The path, or that of the lowest folder above it that is there, up to the root.
  private static func nearestFolder(_ path: BytePath, in roots: [BytePath]) -> BytePath {
    var path = path
    while !roots.contains(path), (try? FolderDescriptor(opening: path)) == nil { path = path.parent }
    return path
  }

  /// Watches a folder and all below it. Repeated until a walk finds no folder that was not watched before it: what
  /// appears in a watched folder after that is an event.
  private mutating func cover(_ part: BytePath, goesOn: () -> Bool) {
    var hasNew = true
    while hasNew, !isLimited, goesOn() {
      guard let folder = try? FolderDescriptor(opening: part) else { return }
      let walker = DirectoryWalker(root: folder, rules: IgnoreRules(excluding: []))
      let found = walker.walk { _ in goesOn() }.folders
      hasNew = false
      for path in found where !isLimited {
        if watch(path.bytes.isEmpty ? part : part.appending(path)) { hasNew = true }
      }
    }
  }

  /// - Returns: Whether the folder was not watched before. One that cannot be read is not watched, and a scan says so.
  private mutating func watch(_ path: BytePath) -> Bool {
    do throws(SystemError) {
      let isNew = paths.updateValue(path, forKey: try changes.watch(path)) == nil
      return isNew
    } catch {
      isLimited = error.code == ENOSPC
      return false
    }
  }

  /// Ends the watches of a folder that has another path now, and of those below it.
  private mutating func forget(_ folder: BytePath) {
    for (watch, path) in paths where path.isBelowOrEqual(to: folder) {
      changes.end(watch)
      paths[watch] = nil
    }
  }
}
