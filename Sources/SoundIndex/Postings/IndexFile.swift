internal import Base
internal import Glibc

/// The files of an index.
enum IndexFile {
  /// Opens one without blocking; pipes, folders and links in its place are damage.
  static func open(at path: BytePath) throws(SoundIndexError) -> Int32 {
    do throws(SystemError) {
      return try FolderDescriptor(opening: path.folder).openRegularFile(path.lastComponent).descriptor
    } catch {
      guard [ELOOP, EINVAL, ENXIO].contains(error.code) else { throw .system(path, code: error.code) }
      throw .damaged(path, reason: "not a regular file")
    }
  }
}
