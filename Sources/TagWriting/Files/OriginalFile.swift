internal import Base
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaModel

/// A file that is to be replaced, open for reading, with the folder that it is in: nothing that anybody renames meanwhile leads to
/// another one.
final class OriginalFile {
  let file: WritableFile
  let folder: FolderDescriptor
  let name: BytePath
  /// Open for reading.
  let descriptor: Int32
  let information: stat

  var status: FileStatus { FileStatus(information) }

  /// Opens a file below its root, through no link.
  init(_ file: WritableFile) throws(WriteRefusal) {
    self.file = file
    name = file.known.path.lastComponent
    do throws(SystemError) {
      let root = try FolderDescriptor(opening: file.root.path)
      folder = try FolderDescriptor(throughNoLink: file.known.path.parent, below: root)
      let name = name
      let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
      let opened = name.withCString { [descriptor = folder.rawValue] in openat(descriptor, $0, flags) }
      guard opened >= 0 else { throw SystemError(call: "open") }
      descriptor = opened
      var information = stat()
      guard fstat(opened, &information) == 0 else { throw SystemError(call: "fstat") }
      self.information = information
    } catch {
      switch error.code {
      case ELOOP, ENOTDIR, ENXIO: throw WriteRefusal(code: "not-regular", reason: "its path contains a symbolic link")
      default: throw .system(error)
      }
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw WriteRefusal(code: "not-regular", reason: "it is not a regular file")
    }
  }

  deinit { close(descriptor) }

  // MARK: Whether it may be written

  /// Requires that the file can be replaced by one that differs in its bytes only.
  func requireWritable(breaksLinks: Bool) throws(WriteRefusal) {
    if file.isProtected {
      throw WriteRefusal(
        code: "protected", reason: "`roots protect` forbids writing below \(file.root.path.displayString)")
    }
    var system = statvfs()
    guard fstatvfs(folder.rawValue, &system) == 0 else { throw .system(SystemError(call: "statvfs")) }
    if system.f_flag & UInt(ST_RDONLY) != 0 {
      throw WriteRefusal(code: "read-only", reason: "its file system is read-only")
    }
    guard faccessat(folder.rawValue, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw WriteRefusal(code: "folder", reason: "its folder is not writable")
    }
    if let attribute = lockingAttribute {
      throw WriteRefusal(code: "write-protected", reason: "it or its folder is \(attribute)")
    }
    if information.st_mode & 0o222 == 0 { throw WriteRefusal(code: "write-protected", reason: "it is write-protected") }
    if information.st_uid != geteuid(), geteuid() != 0 {
      throw WriteRefusal(code: "owner", reason: "it belongs to another user")
    }
    guard mayGiveGroup else {
      throw WriteRefusal(code: "owner", reason: "it belongs to a group that you are not a member of")
    }
    if information.st_nlink > 1, !breaksLinks {
      throw WriteRefusal(
        code: "hard-links",
        reason: "it has \(information.st_nlink) names (hard links), and the other names would keep the old file")
    }
  }

  /// Whether a new file in its folder can belong to its group.
  private var mayGiveGroup: Bool {
    let group = information.st_gid
    var parent = stat()
    if geteuid() == 0 || group == getegid() { return true }
    // Files in such a folder have its group from the start.
    if fstat(folder.rawValue, &parent) == 0, parent.st_mode & S_ISGID != 0, parent.st_gid == group { return true }
    var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
    return getgroups(Int32(groups.count), &groups) >= 0 && groups.contains(group)
  }

  /// FS_IOC_GETFLAGS of linux/fs.h, a macro of 64-bit machines, which fills 32 bits; below, FS_IMMUTABLE_FL and FS_APPEND_FL.
  private static let getFlags: UInt = 0x8008_6601

  /// The attribute, in words, because of which not even root can replace the file; nil if there is none, or it cannot be known.
  private var lockingAttribute: String? {
    for descriptor in [descriptor, folder.rawValue] {
      var flags = 0
      guard ioctl(descriptor, Self.getFlags, &flags) == 0 else { continue }
      if flags & 0x10 != 0 { return "immutable (chattr +i)" }
      if flags & 0x20 != 0 { return "append-only (chattr +a)" }
    }
    return nil
  }

  /// Requires that it is the file that the library knows.
  func requireAsScanned() throws(WriteRefusal) {
    guard file.known.state == .ok || file.known.state == .damaged else {
      throw WriteRefusal(code: "not-scanned", reason: "its state is \(file.known.state.rawValue)")
    }
    let hasLastingInodes = FileSystemIdentity(of: folder)?.hasLastingInodes ?? true
    let (known, found) = (file.known.status, status)
    guard known.stamp == found.stamp, !hasLastingInodes || known.inode == found.inode,
      // Without a time it was read so soon after it was written that only its bytes tell.
      known.changeTimeInNanoseconds == 0 || known.changeTimeInNanoseconds == found.changeTimeInNanoseconds
    else { throw .changed }
  }

  /// Whether nobody has written to it, or put another file in its place, since it was opened.
  var isUnchanged: Bool {
    var (now, named) = (stat(), stat())
    guard fstat(descriptor, &now) == 0, FileStatus(now) == status, now.st_nlink == information.st_nlink,
      name.withCString({ fstatat(folder.rawValue, $0, &named, AT_SYMLINK_NOFOLLOW) }) == 0
    else { return false }
    return FileStatus(named) == status && named.st_mode & S_IFMT == S_IFREG
  }

  /// Requires room on its disk for another file.
  func requireRoom(for byteCount: Int64) throws(WriteRefusal) {
    var system = statvfs()
    guard fstatvfs(folder.rawValue, &system) == 0 else { throw .system(SystemError(call: "statvfs")) }
    let free = Double(system.f_bavail) * Double(system.f_frsize)
    guard free >= Double(byteCount) + Self.reserveByteCount else {
      throw WriteRefusal(code: "no-space", reason: "the disk has no room for a copy")
    }
  }

  /// What others, the library among them, may need meanwhile.
  private static let reserveByteCount = 1e6
}
