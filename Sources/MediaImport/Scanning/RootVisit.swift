internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel

/// One root during a scan: its open folder, what is stored of it, and what was found in it.
final class RootVisit {
  let place: OpenRoot
  /// The part that is scanned, relative to the root; empty for all of it.
  let scope: BytePath
  let fileSystem: FileSystemIdentity?
  /// What is stored and what was found, side by side.
  let comparison: ScanPlan.Root
  let walk: DirectoryWalker.Result
  /// Folders that could not be read before.
  let knownFolders: [KnownFile]
  /// Whether a stored file was found, which shows that it is the right folder.
  let hasKnownFiles: Bool
  /// From stored device numbers to the current ones, learnt from files that are still at their place.
  let deviceNumbers: [UInt64: UInt64]

  init(
    root: Root, scope: BytePath, folder: consuming FolderDescriptor, known rows: [KnownFile],
    walk: DirectoryWalker.Result, followsLinks: Bool
  ) {
    self.scope = scope
    fileSystem = FileSystemIdentity(of: folder)
    let hasLastingInodes = fileSystem?.hasLastingInodes ?? true
    self.walk = walk
    knownFolders = rows.filter { $0.kind == .unreadableFolder }
    let known = knownFolders.isEmpty ? rows : rows.filter { $0.kind != .unreadableFolder }
    // A path that was not found may still lead to its file: through a link, or because the disk ignores case.
    lazy var found = Set(walk.files.lazy.map { FileIdentity($0.status) })
    lazy var filesAnew = {
      let paths = Set(known.lazy.map(\.path))
      return walk.files.filter { !paths.contains($0.path) }
    }()
    lazy var foundAnew = Set(filesAnew.lazy.map { FileIdentity($0.status) })
    lazy var spellings = Spellings(of: filesAnew.map(\.path), below: root.path)
    comparison = ScanPlan.Root(
      id: root.id, known: known, found: walk.files, hasLastingInodes: hasLastingInodes
    ) { file in
      do throws(SystemError) {
        guard let number = try folder.regularFile(at: file.path).map({ FileIdentity($0) }) else { return true }
        return foundAnew.contains(number)
          || !followsLinks && found.contains(number) && folder.leadsThroughLink(file.path)
          || !hasLastingInodes && spellings.contain(file.path)
      } catch {
        return false
      }
    }
    hasKnownFiles = comparison.knownIndexes.contains { $0 != nil }
    place = OpenRoot(root, folder: folder)
    let haveNewInodes = !hasLastingInodes || root.volume != fileSystem?.text
    var numbers: [UInt64: UInt64] = [:]
    for case (let found, .some(let index)) in zip(walk.files, comparison.knownIndexes) {
      // A copy on another disk has other inodes, and so has a FAT that is mounted again.
      let stored = known[index].status
      guard stored.device != FileStatus.unknownDevice else { continue }
      if stored.inode == found.status.inode || haveNewInodes && stored.stamp == found.status.stamp {
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

  /// Whether the root is on another file system than before.
  var isOnAnotherVolume: Bool {
    guard let stored = root.volume, let now = fileSystem?.text else { return false }
    return stored != now
  }

  /// Whether this is all of the root, not a folder or certain files of it.
  var isWhole: Bool { scope.bytes.isEmpty && walk.list == nil }

  /// Whether nothing was found in all of the root, for example because a disk is not mounted.
  var isEmpty: Bool { isWhole && walk.files.isEmpty }

  /// Whether the folder that a file was in was read to the end.
  func wasLookedFor(_ file: KnownFile) -> Bool { wasLookedFor(file.path) }

  func wasLookedFor(_ path: BytePath) -> Bool {
    !walk.wasStopped && (walk.list?.covers(path) ?? true)
      && !walk.incompleteFolders.contains { path.isBelowOrEqual(to: $0.path) }
      && !walk.unreadableFiles.contains { path.isBelowOrEqual(to: $0.path) }
  }

  /// Known files that are there and were not found: a pattern leaves them out, or they are behind a link.
  var leftOut: [KnownFile] {
    zip(comparison.known, comparison.isLeftOut).filter(\.1).map(\.0)
      .filter { $0.state != .missing && $0.kind == .sound && wasLookedFor($0) }
  }

  /// Rows for the folders that could not be read, so that they are among the problems.
  var unreadableFolders: [FileRecord] {
    walk.incompleteFolders.filter { !$0.path.bytes.isEmpty }.map { path, reason in
      let problem = Problem(code: Problem.unreadableFolderCode, reason: "a folder that cannot be read: \(reason)")
      let status = FileStatus(
        byteCount: 0, modificationTimeInNanoseconds: 0, changeTimeInNanoseconds: 0, inode: 0,
        device: FileStatus.unknownDevice)
      return FileRecord(
        rootID: root.id, path: path, status: status, extraction: Extraction(state: .unreadable, problem: problem),
        extractorVersion: ExtractorVersion.current)
    }
  }

  /// Whether this is the folder, with the disk, that a file was in.
  func isPlace(of file: KnownFile) -> Bool {
    let isKnownPlace = hasKnownFiles || file.status.device != FileStatus.unknownDevice
    return isKnownPlace && !isOnAnotherVolume && !isEmpty && hasDisk(of: file)
  }

  /// Whether the disk that a file was on is below the root; also true if the disk is not known.
  func hasDisk(of file: KnownFile) -> Bool {
    let stored = file.status.device
    return stored == FileStatus.unknownDevice || walk.devices.contains(deviceNumbers[stored] ?? stored)
  }
}

/// Paths below a root by which files may also be found in another case or form of Unicode, where no inode tells that
/// they are the same.
private struct Spellings {
  private let root: BytePath
  private let paths: Set<BytePath>
  /// Equal as Swift compares text: in any form of Unicode.
  private let folded: Set<String>

  init(of paths: [BytePath], below root: BytePath) {
    self.root = (try? root.resolved()) ?? root
    self.paths = Set(paths)
    folded = Set(paths.map { $0.displayString.lowercased() })
  }

  /// Whether a path leads to the file of one of them, and is another.
  func contain(_ path: BytePath) -> Bool {
    guard folded.contains(path.displayString.lowercased()), let real = try? root.appending(path).resolved() else {
      return false
    }
    return real.isBelowOrEqual(to: root) && paths.contains(real.relative(to: root))
  }
}

extension DirectoryWalker.Result.List {
  /// Whether a path was looked for, itself or because all that lies beside sounds in its folder was.
  fileprivate func covers(_ path: BytePath) -> Bool {
    files.contains(path) || folders.contains(path)
      || DirectoryWalker.isBesideSounds(path) && folders.contains(path.parent)
  }
}
