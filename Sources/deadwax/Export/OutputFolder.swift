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
      throw ExportError.writing(path: folder.displayString, code: errno)
    }
    defer { free(real) }
    return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// Makes a folder where there is none.
  static func make(_ folder: BytePath) throws {
    guard folder.withCString({ mkdir($0, 0o777) }) != 0, errno != EEXIST else { return }
    throw ExportError.writing(path: folder.displayString, code: errno)
  }
}
