internal import CPosix

/// Which file system an open folder is on.
package struct FileSystemIdentity: Hashable, Sendable {
  /// The magic number, as in linux/magic.h.
  package let type: Int64
  /// For the usual disk file systems it is the same after a reboot; it differs if another disk is mounted there.
  package let identity: UInt64

  package init(type: Int64, identity: UInt64) {
    self.type = type
    self.identity = identity
  }

  /// nil if the kernel does not report it.
  package init?(of folder: borrowing FolderDescriptor) {
    var type: Int64 = 0
    var identity: UInt64 = 0
    guard dw_file_system(folder.rawValue, &type, &identity) == 0 else { return nil }
    self.init(type: type, identity: identity)
  }

  /// The form in which the library stores it.
  package var text: String { String(type, radix: 16) + ":" + String(identity, radix: 16) }

  /// Whether inode numbers are permanent. On other file systems they are assigned at each mount, or by the program or
  /// machine that serves the files.
  package var hasLastingInodes: Bool { dw_has_lasting_inodes(type) != 0 }

  /// Whether the file system shows data of the kernel, such as `/proc`, instead of files.
  package var isKernelFileSystem: Bool { dw_is_kernel_file_system(type) != 0 }
}
