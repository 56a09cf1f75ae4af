package import Base
package import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
package import MediaStore

/// Files that a process was writing when it was killed: each is the old one or the new one, which its hash says.
package enum InterruptedWrites {
  /// A file that is neither, or gone.
  package struct Stranger: Sendable {
    package var path: BytePath
    package var isGone = false
    /// What it may have been beside it; nil if there is nothing.
    package var leftover: BytePath?
  }

  /// Brings the library in line with the files, and removes what was left beside them. Does nothing while another process writes,
  /// and leaves files for later whose folder is not there, or that the library does not know to be gone.
  ///
  /// - Returns: the files that somebody else has changed since, which are not touched.
  package static func settle(in store: MediaStore, worker: TagWorker = TagWorker()) throws -> [Stranger] {
    guard store.canWrite, try store.fileChanges.hasOpenParts() else { return [] }
    do throws(StoreError) { try store.fileChanges.beginWriting() } catch {
      if case .scanRunning = error { return [] }
      throw error
    }
    defer { store.fileChanges.endWriting() }
    var strangers: [Stranger] = []
    for part in try store.fileChanges.openParts() {
      guard let place = try? Place(part) else {
        // A file that cannot be looked at now is looked at by a later start. What is beside the place of one that is gone may be the
        // last copy of it.
        if let leftover = Leftover(of: part), part.file == nil, !leftover.hasFile(named: part.path.lastComponent) {
          strangers.append(Stranger(path: part.path, isGone: true, leftover: leftover.path))
          try store.fileChanges.settle([(part.id, .foreign)])
        }
        continue
      }
      let outcome: FileChanges.Outcome
      switch place.hash {
      case part.state == .planned ? part.oldHash : part.newHash: outcome = .untouched
      case part.state == .planned ? part.newHash : part.oldHash:
        outcome = .written(try place.record(in: store, worker))
      default:
        outcome = .foreign
        strangers.append(Stranger(path: place.path, leftover: Leftover(of: part)?.path))
      }
      if case .foreign = outcome {} else { Leftover(of: part)?.remove() }
      try store.fileChanges.settle([(part.id, outcome)])
    }
    return strangers
  }
}

/// A file that was being written, as it is now.
private final class Place {
  let path: BytePath
  let hash: ContentHash
  private let original: OriginalFile
  private let isKnown: Bool

  /// - Throws: if it is not there, or cannot be read.
  init(_ part: FileChangePart) throws {
    isKnown = part.file != nil
    // A file that has left the library is looked for at its old path.
    let file = part.file ?? Self.unknownFile(at: part.path)
    original = try OriginalFile(file)
    path = file.path
    hash = try PlanHash.hash(descriptor: original.descriptor, byteCount: original.status.byteCount)
  }

  private static func unknownFile(at path: BytePath) -> WritableFile {
    let status = FileStatus(
      byteCount: 0, modificationTimeInNanoseconds: 0, changeTimeInNanoseconds: 0, inode: 0, device: 0)
    return WritableFile(
      known: KnownFile(
        id: 0, path: path.lastComponent, status: status, state: .missing, lastState: .ok, extractorVersion: 0,
        recordingID: nil),
      root: Root(id: 0, path: path.folder, volume: nil, addedAt: 0), key: [], isProtected: false)
  }

  /// nil if a scan has to read it.
  func record(in store: MediaStore, _ worker: TagWorker) throws -> FileRecord? {
    guard isKnown else { return nil }
    let status = original.status
    guard let extraction = try? worker.reading(original.descriptor, byteCount: status.byteCount, of: original.file)
    else {
      return nil
    }
    return try RewrittenFile.record(of: original.file, extraction, status: status, in: store)
  }
}

/// What a process that was killed has left where it was writing a file, which may have been moved since.
private final class Leftover {
  let path: BytePath
  private let folder: FolderDescriptor

  /// nil if there is nothing.
  init?(of part: FileChangePart) {
    guard let name = part.temporary, !name.bytes.contains(UInt8(ascii: "/")),
      let folder = try? FolderDescriptor(opening: part.path.folder), Self.exists(name, in: folder)
    else { return nil }
    path = part.path.folder.appending(name)
    self.folder = folder
  }

  private static func exists(_ name: BytePath, in folder: borrowing FolderDescriptor) -> Bool {
    var found = stat()
    return name.withCString { [descriptor = folder.rawValue] in fstatat(descriptor, $0, &found, AT_SYMLINK_NOFOLLOW) }
      == 0
  }

  func hasFile(named name: BytePath) -> Bool { Self.exists(name, in: folder) }

  /// Only the process that was killed made a file of that name.
  func remove() {
    let isRemoved =
      path.lastComponent.withCString { [descriptor = folder.rawValue] in unlinkat(descriptor, $0, 0) } == 0
    if isRemoved { _ = fsync(folder.rawValue) }
  }
}
