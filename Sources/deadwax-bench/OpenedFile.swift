internal import AudioDecoding
internal import Glibc
internal import MediaImport
internal import MediaModel

/// Opens files as a scan does.
enum OpenedFile {
  /// Calls `body` with an open file, and closes it.
  static func read<Result>(_ path: BytePath, _ body: (inout MediaFile) throws -> Result) throws -> Result {
    let folder = try FolderDescriptor(opening: path.parent)
    let opened = try folder.openRegularFile(path.lastComponent, followsLinks: true)
    defer { close(opened.descriptor) }
    var file = try MediaFile(
      descriptor: opened.descriptor, byteCount: opened.status.byteCount, pathExtension: path.pathExtension)
    return try body(&file)
  }
}
