/// The kind of file system that a file lies on, by the names of Linux's mount table.
package enum FileSystemType {
  /// Those whose files other machines may change: processes there cannot share memory with ours.
  private static let remote: Set<Substring> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "9p", "lustre", "gfs2", "ocfs2", "fuse.sshfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.ceph", "fuse.davfs", "davfs",
  ]

  /// - Parameter device: `st_dev` of a file. An unknown one counts as local.
  static func isRemote(device: UInt) -> Bool {
    guard let table = SmallFile.text(at: "/proc/self/mountinfo") else { return false }
    return isRemote(device: device, mountTable: table)
  }

  /// - Parameter mountTable: lines such as `36 35 0:98 / /mnt rw,noatime master:1 - nfs4 server:/x rw`.
  package static func isRemote(device: UInt, mountTable: String) -> Bool {
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF
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
