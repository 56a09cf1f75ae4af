package import Base
internal import Glibc
internal import MediaModel

/// Finds the regular files below a root, folder by folder, without opening them.
///
/// Names are bytes. Hidden names are skipped, symbolic links below the root are counted and only followed on request,
/// each folder is entered once (by device and inode, so loops and bind mounts end), and kernel file systems are never
/// entered. Only the root and one folder are open at a time, so depth costs nothing.
package struct DirectoryWalker: ~Copyable {
  package struct File: Sendable {
    /// Relative to the root.
    package var path: BytePath
    package var status: FileStatus

    package init(path: BytePath, status: FileStatus) {
      self.path = path
      self.status = status
    }
  }

  /// What was found, and what could not be read; the latter decides which files may be marked as missing.
  package struct Result: Sendable {
    package var files: [File] = []
    /// CUE sheets, which say where tracks lie in files.
    package var sheets: [File] = []
    /// Pictures whose names say that they are covers.
    package var pictures: [File] = []
    /// Files that have lyrics beside them.
    package var filesWithLyrics: Set<BytePath> = []
    /// The folders that were entered, relative to the root.
    package var folders: [BytePath] = []
    /// Folders that could not be opened or read to the end, with the reason; nothing below them is missing.
    package var incompleteFolders: [(path: BytePath, reason: SystemError)] = []
    /// Files whose status could not be read, with the reason; they are not missing either.
    package var unreadableFiles: [(path: BytePath, reason: SystemError)] = []
    package var skippedLinkCount = 0
    /// FIFOs, sockets and devices, whatever their names are.
    package var skippedSpecialFiles: [BytePath] = []
    /// Devices of all folders that were entered.
    package var devices: Set<UInt64> = []
    package var wasStopped = false
    /// What was looked for, if only certain files were: nothing is known of others.
    package var list: List?

    package struct List: Sendable {
      package var files: Set<BytePath>
      package var folders: Set<BytePath>
      /// The files that are not there.
      package var absent: [BytePath] = []
    }
  }

  /// A folder to enter.
  struct Folder {
    let path: BytePath
    let parentDevice: UInt64?
    let rules: IgnoreRules
    var isLink = false
  }

  let root: FolderDescriptor
  private let rules: IgnoreRules
  let followsLinks: Bool
  private var entered: Set<FileIdentity> = []
  var result = Result()

  package init(root: consuming FolderDescriptor, rules: IgnoreRules, followsLinks: Bool = false) {
    self.root = root
    self.rules = rules
    self.followsLinks = followsLinks
  }

  /// Walks the root, or the part of it below `start`, in bytewise order of paths within each folder, links to folders
  /// last.
  ///
  /// The ignore files of the folders above `start` count.
  ///
  /// - Parameter goesOn: Called after each folder, and within large ones, with the number of files found so far; false
  ///   ends the walk.
  package consuming func walk(
    from start: BytePath = BytePath(""), goesOn: (Int) -> Bool = { _ in true }
  ) -> Result {
    var waiting: [Folder] = []
    do throws(SystemError) {
      waiting.append(Folder(path: start, parentDevice: nil, rules: try rules(above: start)))
    } catch {
      result.incompleteFolders.append((start, error))
    }
    // Entered last: a folder that is also reachable without links is found at its own place.
    var links: [Folder] = []
    while let next = waiting.popLast() ?? links.popLast() {
      let folders = enter(next, goesOn)
      waiting += folders.filter { !$0.isLink }.reversed()
      if folders.contains(where: \.isLink) { links.insert(contentsOf: folders.filter(\.isLink).reversed(), at: 0) }
      if result.wasStopped || !goesOn(result.files.count) {
        result.wasStopped = true
        break
      }
    }
    return result
  }

  func rules(above start: BytePath) throws(SystemError) -> IgnoreRules {
    var rules = rules
    var folder = start
    var above: [BytePath] = []
    while !folder.bytes.isEmpty {
      folder = folder.parent
      above.append(folder)
    }
    for path in above.reversed() {
      guard let opened = try? FolderDescriptor(opening: path, below: root),
        let bytes = try Self.ignoreFile(in: opened)
      else { continue }
      rules = rules.adding(ignoreFile: bytes, of: path)
    }
    return rules
  }

  /// Reads one folder; returns the folders to enter next.
  ///
  /// - Parameter isWanted: Which of its names count.
  mutating func enter(
    _ next: Folder, isWanted: (BytePath) -> Bool = { _ in true }, _ goesOn: (Int) -> Bool
  ) -> [Folder] {
    let path = next.path
    do throws(SystemError) {
      let folder = try FolderDescriptor(opening: path, below: root, followsLinks: followsLinks)
      var information = stat()
      guard fstat(folder.rawValue, &information) == 0 else { throw SystemError(call: "fstat") }
      let device = UInt64(information.st_dev)
      guard entered.insert(FileIdentity(device: device, inode: UInt64(information.st_ino))).inserted else { return [] }
      if device != next.parentDevice && FileSystemIdentity(of: folder)?.isKernelFileSystem == true { return [] }
      result.devices.insert(device)
      result.folders.append(path)

      let listing = try Self.names(in: folder)
      if let reason = listing.failure { result.incompleteFolders.append((path, reason)) }
      var rules = next.rules
      if listing.names.contains(Self.ignoreFileName), let bytes = try Self.ignoreFile(in: folder) {
        rules = rules.adding(ignoreFile: bytes, of: path)
      }
      return examine(listing.names, of: path, in: folder, device: device, rules: rules, isWanted: isWanted, goesOn)
    } catch {
      // A folder that vanished after its parent was read is simply gone.
      if error.code != ENOENT || path.bytes.isEmpty { result.incompleteFolders.append((path, error)) }
      return []
    }
  }

  private mutating func examine(
    _ names: [[CChar]], of path: BytePath, in folder: borrowing FolderDescriptor, device: UInt64, rules: IgnoreRules,
    isWanted: (BytePath) -> Bool, _ goesOn: (Int) -> Bool
  ) -> [Folder] {
    var folders: [Folder] = []
    let firstFile = result.files.count
    var lyrics: Set<[UInt8]> = []
    let prefix = path.bytes.isEmpty ? [] : path.bytes + [UInt8(ascii: "/")]
    for (index, name) in names.enumerated() where name.first != Self.dot {
      // A large folder may be on a slow network.
      if index % 256 == 255, !goesOn(result.files.count) {
        result.wasStopped = true
        return []
      }
      let entry = Self.path(prefix, name)
      guard isWanted(entry) else { continue }
      var information = stat()
      guard fstatat(folder.rawValue, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
        if errno != ENOENT { result.unreadableFiles.append((entry, SystemError(call: "stat"))) }
        continue
      }
      let isLink = information.st_mode & S_IFMT == S_IFLNK
      if isLink {
        guard followsLinks, fstatat(folder.rawValue, name, &information, 0) == 0 else {
          result.skippedLinkCount += 1
          continue
        }
      }
      switch information.st_mode & S_IFMT {
      case S_IFDIR:
        guard !rules.excludes(entry, isDirectory: true) else { continue }
        folders.append(Folder(path: entry, parentDevice: device, rules: rules, isLink: isLink))
      case S_IFREG:
        guard Self.looks(at: entry), !rules.excludes(entry, isDirectory: false) else { continue }
        let file = File(path: entry, status: FileStatus(information))
        if Self.isSheet(entry) {
          result.sheets.append(file)
        } else if CoverFile.rank(ofName: entry) != nil {
          // A link may lead out of the root.
          if !isLink { result.pictures.append(file) }
        } else if LyricsFile.canBe(entry) {
          // A link may lead out of the root.
          let isReadable = (1...LyricsFile.largestByteCount).contains(file.status.byteCount)
          if isReadable, !isLink { lyrics.insert(entry.stem.bytes) }
        } else {
          result.files.append(file)
        }
      default:
        result.skippedSpecialFiles.append(entry)
      }
    }
    if !lyrics.isEmpty {
      let files = result.files[firstFile...].lazy.map(\.path)
      result.filesWithLyrics.formUnion(files.filter { lyrics.contains($0.stem.bytes) })
    }
    return folders
  }

  /// Whether scans look at files of that name: sounds, and what lies beside them.
  static func looks(at name: BytePath) -> Bool {
    FileNameHint(pathExtension: name.pathExtension) != .other || isBesideSounds(name)
  }

  /// Whether files of that name belong to the sounds in their folder: sheets, covers and lyrics.
  static func isBesideSounds(_ name: BytePath) -> Bool {
    isSheet(name) || CoverFile.rank(ofName: name) != nil || LyricsFile.canBe(name)
  }

  static func isSheet(_ name: BytePath) -> Bool { name.pathExtension == "cue" }

  private static let dot = CChar(bitPattern: UInt8(ascii: "."))
  private static let ignoreFileName = IgnoreRules.fileName.utf8CString.map { $0 }

  /// A folder's path with a slash at its end, and a name in it.
  private static func path(_ prefix: [UInt8], _ name: [CChar]) -> BytePath {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(prefix.count + name.count)
    bytes += prefix
    name.withUnsafeBytes { bytes.append(contentsOf: $0.dropLast()) }
    return BytePath(bytes)
  }

  /// The names in a folder in bytewise order, each with its NUL, without `.` and `..`; there may be more after a
  /// failure.
  private static func names(in folder: borrowing FolderDescriptor) throws(SystemError) -> (
    names: [[CChar]], failure: SystemError?
  ) {
    let descriptor = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open") }
    guard let stream = fdopendir(descriptor) else {
      let failure = SystemError(call: "opendir")
      close(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [[CChar]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let code = errno
        names.sort { strcmp($0, $1) < 0 }
        return (names, code == 0 ? nil : SystemError(call: "readdir", code: code))
      }
      let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
        .assumingMemoryBound(to: CChar.self)
      let characters = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
      if characters != [dot, 0] && characters != [dot, dot, 0] { names.append(characters) }
    }
  }

  /// The contents of the ignore file of a folder, also through a link; nil if there is no such file.
  ///
  /// - Throws: If it cannot be read. The folder is not walked then, because it may contain what the file leaves out.
  private static func ignoreFile(in folder: borrowing FolderDescriptor) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try folder.openRegularFile(BytePath(IgnoreRules.fileName), followsLinks: true)
      defer { close(file.descriptor) }
      return try DescriptorBytes.bytes(from: file.descriptor, count: IgnoreRules.maximumByteCount)
    } catch {
      // A folder, FIFO or socket with that name has no rules.
      if [ENOENT, ENOTDIR, EINVAL, ENXIO].contains(error.code) { return nil }
      throw SystemError(
        call: error.call, code: error.code, detail: "its \(IgnoreRules.fileName) cannot be read: \(error)")
    }
  }
}
