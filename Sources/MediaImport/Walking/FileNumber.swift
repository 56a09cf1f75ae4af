internal import MediaModel

/// What tells a file or folder from all others that are there at the time.
struct FileNumber: Hashable {
  let device: UInt64
  let inode: UInt64
}

extension FileNumber {
  init(_ status: FileStatus) { self.init(device: status.device, inode: status.inode) }
}
