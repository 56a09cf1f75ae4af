package import Glibc

/// Distinguishes a file or folder from all others that exist at the same time.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ status: FileStatus) { self.init(device: status.device, inode: status.inode) }

  package init(_ status: stat) { self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }

  /// The identity of the target of a path, through links; nil if it does not exist or cannot be accessed.
  package init?(of path: BytePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}

/// What `fstat` reports for a regular file; if two values are equal, nothing was written in between.
package struct FileStatus: Hashable, Sendable {
  package var byteCount: Int64
  /// Nanoseconds since 1970; may be negative or in the future.
  package var modificationTimeInNanoseconds: Int64
  package var changeTimeInNanoseconds: Int64
  package var inode: UInt64
  /// The device number of the file system, valid while it stays mounted; ``unknownDevice`` if the value comes from
  /// another machine, or from before the folder was moved.
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

  /// What stays the same after a rename, and after a copy that preserves times.
  package struct Stamp: Hashable, Sendable {
    package let byteCount: Int64
    package let modificationTimeInNanoseconds: Int64

    package init(byteCount: Int64, modificationTimeInNanoseconds: Int64) {
      self.byteCount = byteCount
      self.modificationTimeInNanoseconds = modificationTimeInNanoseconds
    }
  }

  /// Whether this is the file of another status, and nobody has written to it since.
  ///
  /// Anybody can give a file of their own the size and times of another one, but not its inode, and the time of the latest
  /// change is the kernel's. Device numbers may differ after a restart.
  package func isSameVersion(as other: FileStatus) -> Bool {
    inode == other.inode && changeTimeInNanoseconds == other.changeTimeInNanoseconds && stamp == other.stamp
  }

  package var stamp: Stamp {
    Stamp(byteCount: byteCount, modificationTimeInNanoseconds: modificationTimeInNanoseconds)
  }
}

extension FileStatus {
  /// More than any file has that is not mostly sparse; sums of sizes stay within 64 bits.
  private static let maximumByteCount: Int64 = 1 << 48

  package init(_ information: stat) {
    self.init(
      byteCount: min(Int64(information.st_size), Self.maximumByteCount),
      modificationTimeInNanoseconds: Self.nanoseconds(information.st_mtim),
      changeTimeInNanoseconds: Self.nanoseconds(information.st_ctim),
      inode: UInt64(information.st_ino),
      device: UInt64(information.st_dev))
  }

  /// A time in nanoseconds since 1970, as all times of files are compared.
  ///
  /// What 64 bits do not hold (the year 2262 and later, 1677 and before) wraps: such times still differ from each
  /// other, and `&-` still gives the time from one to another, unless it is longer than 292 years.
  package static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension FileStatus {
  /// What to store of a file that is read at a time.
  ///
  /// A file that is read within a clock tick of being written could change again without a visible trace: its time of change
  /// is then left out, so that the next scan reads it again.
  package func storable(at now: timespec) -> FileStatus {
    // Modulo 2^64, as the times themselves are: exact unless they are 292 years apart.
    let age = Self.nanoseconds(now) &- modificationTimeInNanoseconds
    let tick: Int64 = modificationTimeInNanoseconds % 1_000_000_000 == 0 ? 2_000_000_000 : 10_000_000
    guard age >= 0, age < tick else { return self }
    var racy = self
    racy.changeTimeInNanoseconds = 0
    return racy
  }
}

extension timespec {
  /// The clock by which file systems write times, which advances by ticks.
  package static var coarseNow: timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now
  }
}
