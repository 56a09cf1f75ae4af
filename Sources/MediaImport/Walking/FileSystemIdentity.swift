internal import CWorker

/// Which file system an open folder is on.
package struct FileSystemIdentity: Hashable, Sendable {
  /// The magic number of linux/magic.h.
  package let type: Int64
  /// The same after a reboot for the usual disk file systems; another one after another disk is mounted there.
  package let identity: UInt64

  package init(type: Int64, identity: UInt64) {
    self.type = type
    self.identity = identity
  }

  /// nil where the kernel does not say.
  package init?(of folder: borrowing FolderDescriptor) {
    var type: Int64 = 0
    var identity: UInt64 = 0
    guard dw_file_system(folder.rawValue, &type, &identity) == 0 else { return nil }
    self.init(type: type, identity: identity)
  }

  /// The form in which the store keeps it.
  package var text: String { String(type, radix: 16) + ":" + String(identity, radix: 16) }

  /// Whether a file keeps its inode number for good; elsewhere numbers are dealt out at each mount, or by the program or
  /// machine that serves the files.
  package var hasLastingInodes: Bool {
    // FAT, exFAT, FUSE, and what Windows shares: CIFS, SMB 2, SMB.
    ![0x4D44, 0x2011_BAB0, 0x6573_5546, 0xFF53_4D42, 0xFE53_4D42, 0x517B].contains(type)
  }

  /// Whether the folder shows the kernel's own data, not anybody's files.
  var isKernelFileSystem: Bool {
    // proc, sysfs, cgroup, cgroup2, devpts, debugfs, tracefs, securityfs, bpf, pstore, mqueue.
    let types: Set<Int64> = [
      0x9FA0, 0x6265_6572, 0x27_E0EB, 0x6367_7270, 0x1CD1, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0xCAFE_4A11,
      0x6165_676C, 0x1980_0202,
    ]
    return types.contains(type)
  }
}
