package import Base
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel
package import MediaStore

/// A root that is not there, and a folder that holds its files.
package struct MovedRoot: Hashable, Sendable {
  package let root: BytePath
  package let folder: BytePath

  /// So many of the files of a root are looked for.
  private static let sampleCount = 24

  /// The roots that seem to be in folders which are about to become roots: half of some files have the same paths and sizes.
  package static func found(in folders: [BytePath], for store: MediaStore) throws(StoreError) -> [MovedRoot] {
    let roots = try store.roots.all()
    let new = folders.filter { folder in !roots.contains { folder.isBelowOrEqual(to: $0.path) } }
    guard !new.isEmpty else { return [] }
    var found: [MovedRoot] = []
    for root in roots where isAbsent(root.path) {
      let known = try store.scans.knownFiles(inRoot: root.id).filter { $0.kind == .sound && $0.state != .missing }
      let sample = stride(from: 0, to: known.count, by: max(1, known.count / sampleCount)).map { known[$0] }
      for folder in new {
        let count = sample.count { byteCount(of: folder.appending($0.path)) == $0.status.byteCount }
        if count > 0, count * 2 >= sample.count { found.append(MovedRoot(root: root.path, folder: folder)) }
      }
    }
    return found
  }

  private static func byteCount(of path: BytePath) -> Int64? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? Int64(status.st_size) : nil
  }

  private static func isAbsent(_ path: BytePath) -> Bool {
    do throws(SystemError) {
      _ = try FolderDescriptor(opening: path)
      return false
    } catch {
      return error.code == ENOENT
    }
  }
}
