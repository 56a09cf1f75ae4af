internal import Base
internal import LibraryTracks

/// A root with its folder open: a disk that is unplugged, or a folder that is renamed during the work, cannot make
/// other files appear under the same names.
final class OpenRoot {
  let root: Root
  let folder: FolderDescriptor

  init(_ root: Root, folder: consuming FolderDescriptor) {
    self.root = root
    self.folder = folder
  }
}

/// The roots whose files are read, by id.
struct OpenRoots {
  private let roots: [Int64: OpenRoot]

  init(_ roots: some Sequence<OpenRoot>) {
    self.roots = Dictionary(roots.map { ($0.root.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(id: Int64) -> OpenRoot? { roots[id] }

  /// Where a file is, for people.
  func path(of job: FileJob) -> BytePath { path(job.path, inRoot: job.rootID) }

  func path(_ path: BytePath, inRoot id: Int64) -> BytePath { roots[id]?.root.path.appending(path) ?? path }
}
