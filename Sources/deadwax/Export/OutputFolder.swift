internal import Glibc
internal import MediaExport
internal import MediaModel

/// Folders that results go into.
enum OutputFolder {
  /// The folder of a file, absolute and without symbolic links.
  static func of(_ file: BytePath) throws -> BytePath {
    let folder = file.parent.bytes.isEmpty ? BytePath(file.bytes.first == UInt8(ascii: "/") ? "/" : ".") : file.parent
    return try resolved(folder)
  }

  static func resolved(_ folder: BytePath) throws -> BytePath {
    guard let real = folder.withCString({ realpath($0, nil) }) else {
      let reason = String(cString: strerror(errno))
      throw ExportError.writing(path: folder.displayString, reason: reason)
    }
    defer { free(real) }
    return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// Makes a folder where there is none.
  static func make(_ folder: BytePath) throws {
    guard folder.withCString({ mkdir($0, 0o777) }) != 0, errno != EEXIST else { return }
    let reason = String(cString: strerror(errno))
    throw ExportError.writing(path: folder.displayString, reason: reason)
  }
}
