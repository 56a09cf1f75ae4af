package import Base
internal import CPosix
internal import Glibc

/// Files of the kernel, whose size is not known before they are read.
enum ProcFS {
  /// At most 4 MiB; nil if the file cannot be opened.
  static func text(at path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 4 << 20 {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The kernel's list of file locks, which names the processes that hold them.
package enum KernelLocks {
  /// A process with a POSIX write lock on one of the files; nil if there is none or the list cannot be read.
  static func writer(ofInodes inodes: [UInt64]) -> Int32? {
    ProcFS.text(at: "/proc/locks").flatMap { writer(ofInodes: inodes, in: $0) }
  }

  /// - Parameter list: lines such as `1: POSIX  ADVISORY  WRITE 708 08:01:1234 120 120`.
  package static func writer(ofInodes inodes: [UInt64], in list: String) -> Int32? {
    for line in list.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "POSIX", words[3] == "WRITE", let process = Int32(words[4]), process > 0,
        let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) }), inodes.contains(inode)
      else { continue }
      return process
    }
    return nil
  }
}

/// The type of a file system, as Linux's mount table names it.
package enum FileSystemType {
  /// File systems whose files other machines may change: their processes cannot share memory with ours.
  private static let remote: Set<Substring> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "9p", "lustre", "gfs2", "ocfs2", "fuse.sshfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.ceph", "fuse.davfs", "davfs",
  ]

  /// - Parameter device: `st_dev` of a file. An unknown one counts as local.
  static func isRemote(device: UInt64) -> Bool {
    guard let table = ProcFS.text(at: "/proc/self/mountinfo") else { return false }
    return isRemote(device: device, mountTable: table)
  }

  /// - Parameter mountTable: lines such as `36 35 0:98 / /mnt rw,noatime master:1 - nfs4 server:/x rw`.
  package static func isRemote(device: UInt64, mountTable: String) -> Bool {
    let (major, minor) = (dw_device_major(device), dw_device_minor(device))
    for line in mountTable.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 6, words[2] == "\(major):\(minor)", let dash = words.firstIndex(of: "-"),
        dash + 1 < words.count
      else { continue }
      return remote.contains(words[dash + 1])
    }
    return false
  }
}

/// The kernel's table of what is mounted where.
package enum MountTable {
  /// Whether a file system, folder or single file is mounted at exactly this path.
  ///
  /// - Parameter path: absolute, without symbolic links.
  static func hasMount(at path: BytePath) -> Bool {
    ProcFS.text(at: "/proc/self/mountinfo").map { hasMount(at: path, in: $0) } ?? false
  }

  /// - Parameter table: lines such as `36 35 0:98 /lib.sqlite /srv/lib.sqlite rw,noatime - ext4 /dev/sda1 rw`. In
  ///   paths, blanks and backslashes are written in octal digits.
  package static func hasMount(at path: BytePath, in table: String) -> Bool {
    var written: [UInt8] = []
    for byte in path.bytes {
      switch byte {
      case 0x20: written += "\\040".utf8
      case 0x09: written += "\\011".utf8
      case 0x0A: written += "\\012".utf8
      case 0x5C: written += "\\134".utf8
      default: written.append(byte)
      }
    }
    let text = String(decoding: written, as: UTF8.self)
    return table.split(separator: "\n").contains { line in
      let words = line.split(separator: " ", maxSplits: 5)
      return words.count > 4 && words[4] == text
    }
  }
}

/// Processes on this machine that are visible to this one.
package enum RunningProcess {
  /// Whether a process that recorded its id at a certain time still runs; a later process with the same id does not
  /// count.
  ///
  /// - Parameter time: seconds since 1970.
  package static func isThere(_ id: Int32, since time: Int64) -> Bool {
    guard id > 0, kill(id, 0) == 0 || errno == EPERM else { return false }
    // The recorded time is in whole seconds.
    return start(of: id).map { $0 < Double(time) + 2 } ?? true
  }

  /// The start of a process in seconds since 1970 by the present clock; nil if the kernel does not say.
  private static func start(of id: Int32) -> Double? {
    // The process name is in parentheses and may contain anything; the start is the 20th word after it (field 22 in
    // proc(5)).
    guard let text = ProcFS.text(at: "/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let words = text[end...].split(separator: " ")
    guard words.count > 20, let ticks = Double(words[20]) else { return nil }
    return seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
