/// The kernel's list of file locks, which names the processes that hold them.
package enum KernelLocks {
  /// A process with a POSIX write lock on one of the files; nil where there is none or the list cannot be read.
  static func writer(ofInodes inodes: [UInt]) -> Int32? {
    SmallFile.text(at: "/proc/locks").flatMap { writer(ofInodes: inodes, in: $0) }
  }

  /// - Parameter list: lines such as `1: POSIX  ADVISORY  WRITE 708 08:01:1234 120 120`.
  package static func writer(ofInodes inodes: [UInt], in list: String) -> Int32? {
    for line in list.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "POSIX", words[3] == "WRITE", let process = Int32(words[4]), process > 0,
        let inode = words[5].split(separator: ":").last.flatMap({ UInt($0) }), inodes.contains(inode)
      else { continue }
      return process
    }
    return nil
  }
}
