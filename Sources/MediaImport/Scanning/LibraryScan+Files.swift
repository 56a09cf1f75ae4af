package import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaStore

extension LibraryScan {
  /// Reads single files, and the CUE sheets beside them, without a walk, into a library that has no roots yet.
  ///
  /// Their root is that of the file system, so any files can be read together; a scan takes no such root. A file that
  /// is not there is left out.
  /// - Parameter files: Absolute paths; links are followed.
  package func read(_ files: [BytePath]) throws(ScanError) {
    let path = BytePath("/")
    let folder: FolderDescriptor
    do throws(SystemError) { folder = try FolderDescriptor(opening: path) } catch { throw .notAFolder(path, error) }
    let root = try storing { () throws(StoreError) in try store.roots.add(path, volume: nil) }
    var found: [DirectoryWalker.File] = []
    for file in Set(files).sorted() {
      let place = file.relative(to: path)
      guard let status = try? folder.regularFile(at: place) else { continue }
      found.append(DirectoryWalker.File(path: place, status: status))
    }
    let plan = ScanPlan(roots: [ScanPlan.Root(id: root.id, known: [], found: found)])
    let roots = OpenRoots([OpenRoot(root, folder: folder)])
    _ = try library.runJobs(
      of: ScanJobs(plan, movable: [], options: options, in: library, roots, progress: progress), in: roots,
      followsLinks: true)
    try readCueSheets(beside: found, root: root)
  }
}
