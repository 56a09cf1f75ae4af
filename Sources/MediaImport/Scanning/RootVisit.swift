internal import Glibc
internal import MediaModel
internal import MediaStore

/// One root during a scan: its open folder, what is stored of it, and what was found.
final class RootVisit {
  let place: OpenRoot
  /// The part that is scanned, relative to the root; empty for all of it.
  let scope: BytePath
  let fileSystem: FileSystemIdentity?
  /// What is known and what was found, side by side.
  let comparison: ScanPlan.Root
  let walk: DirectoryWalker.Result
  /// Whether a file that is stored was found, so that this is the folder that is meant.
  let hasKnownFiles: Bool
  /// From the device numbers that are stored to those of today: learnt from the files that are still where they were.
  let deviceNumbers: [UInt64: UInt64]

  init(
    root: Root, scope: BytePath, folder: consuming FolderDescriptor, known: [KnownFile], walk: DirectoryWalker.Result,
    followsLinks: Bool
  ) {
    self.scope = scope
    fileSystem = FileSystemIdentity(of: folder)
    let hasLastingInodes = fileSystem?.hasLastingInodes ?? true
    self.walk = walk
    // A path that was not found may still lead to its file: through a link, or because the disk does not tell cases apart.
    lazy var found = Set(walk.files.lazy.map { FileNumber($0.status) })
    lazy var foundAnew: Set<FileNumber> = {
      let paths = Set(known.lazy.map(\.path))
      return Set(walk.files.lazy.filter { !paths.contains($0.path) }.map { FileNumber($0.status) })
    }()
    comparison = ScanPlan.Root(
      id: root.id, known: known, found: walk.files, hasLastingInodes: hasLastingInodes
    ) { file in
      do throws(SystemError) {
        guard let number = try folder.regularFile(at: file.path).map({ FileNumber($0) }) else { return true }
        return foundAnew.contains(number)
          || !followsLinks && found.contains(number) && folder.leadsThroughLink(file.path)
      } catch {
        return false
      }
    }
    hasKnownFiles = comparison.knownIndexes.contains { $0 != nil }
    place = OpenRoot(root, folder: folder)
    let haveNewInodes = !hasLastingInodes || root.volume != fileSystem?.text
    var numbers: [UInt64: UInt64] = [:]
    for case (let found, .some(let index)) in zip(walk.files, comparison.knownIndexes) {
      // A copy of all on another disk has other inodes, and so has a FAT that is mounted again.
      let stored = known[index].status
      guard stored.device != FileStatus.unknownDevice else { continue }
      if stored.inode == found.status.inode || haveNewInodes && FileStamp(stored) == FileStamp(found.status) {
        numbers[stored.device] = found.status.device
      }
    }
    deviceNumbers = numbers
  }

  var root: Root { place.root }

  /// Whether the root's path still leads to the folder that was walked.
  var isStillThere: Bool {
    guard let again = try? FolderDescriptor(opening: root.path) else { return false }
    var (before, now) = (stat(), stat())
    return fstat(place.folder.rawValue, &before) == 0 && fstat(again.rawValue, &now) == 0 && before.st_dev == now.st_dev
      && before.st_ino == now.st_ino
  }
}
