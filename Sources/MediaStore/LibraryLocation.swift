internal import MediaModel

/// How SQLite is to open a library.
struct LibraryLocation {
  let path: String
  /// Whether SQLite itself must be kept from writing.
  let isReadOnly: Bool

  /// A reader opens the file for writing where it can, although it never writes: a reader that cannot would leave
  /// SQLite's `-wal` and `-shm` behind. On read-only media and full disks, where there is no place for those, a file that
  /// nobody has open is declared immutable.
  init(of library: LibraryFile, forWriting: Bool) throws(StoreError) {
    let hasSpace = forWriting || !library.isDiskFull || library.hasWriteAheadLog || library.isOpenInSQLite
    let isWritable = library.isWritable && library.folderIsWritable && hasSpace
    guard isWritable || !forWriting else { throw .readOnly(library.path) }
    isReadOnly = !isWritable
    guard isWritable || !library.hasWriteAheadLog || library.hasSharedMemory else {
      throw .inputOutput(
        library.path,
        reason: "its last writer was killed, and recovering needs a folder that can be written: copy it, with its -wal")
    }
    let isInUse = isWritable || library.hasWriteAheadLog || library.isOpenInSQLite
    path = isInUse ? library.pathForSQLite : Self.immutable(library.path)
  }

  /// For looking at a library that is probably in no use: nothing is written, not even beside it.
  init(resting library: LibraryFile) throws(StoreError) {
    guard !library.hasWriteAheadLog else {
      self = try LibraryLocation(of: library, forWriting: false)
      return
    }
    isReadOnly = true
    path = Self.immutable(library.path)
  }

  private static func immutable(_ path: BytePath) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.".utf8)
    let hex = Array("0123456789ABCDEF")
    let encoded = path.bytes.map { byte in
      plain.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + String([hex[Int(byte >> 4)], hex[Int(byte & 15)]])
    }
    return "file://" + encoded.joined() + "?immutable=1"
  }
}
