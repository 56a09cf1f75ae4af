/// What `fstat` says of a regular file; two equal values mean that nothing was written in between.
package struct FileStatus: Hashable, Sendable {
  package var byteCount: Int64
  /// Nanoseconds since 1970; may be negative or in the future.
  package var modificationTimeInNanoseconds: Int64
  package var changeTimeInNanoseconds: Int64
  package var inode: UInt64
  /// The number that the kernel gave the file's disk, for as long as it was mounted; ``unknownDevice`` where it was learnt
  /// on another machine or before the folder was moved.
  package var device: UInt64

  package static let unknownDevice: UInt64 = 0

  package init(
    byteCount: Int64, modificationTimeInNanoseconds: Int64, changeTimeInNanoseconds: Int64, inode: UInt64,
    device: UInt64
  ) {
    self.byteCount = byteCount
    self.modificationTimeInNanoseconds = modificationTimeInNanoseconds
    self.changeTimeInNanoseconds = changeTimeInNanoseconds
    self.inode = inode
    self.device = device
  }
}
