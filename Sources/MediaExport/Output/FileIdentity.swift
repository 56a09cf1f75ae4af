internal import Glibc
internal import MediaModel

/// What `stat` says of a file: whether two names are one file, and whether it is one that can be replaced.
struct FileIdentity {
  private let status: stat

  /// nil where nothing is there, or it cannot be looked at.
  init?(_ path: BytePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.status = status
  }

  var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
  var permissions: mode_t { status.st_mode & 0o777 }

  /// Equal for all names of one file, and for no other file.
  var key: Key { Key(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }

  struct Key: Hashable {
    let device: UInt64
    let inode: UInt64
  }
}
