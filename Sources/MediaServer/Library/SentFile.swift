internal import Base
internal import Glibc
internal import MediaModel
internal import MediaStore

/// A file of the library, opened to be sent as it is.
///
/// Users who may write to a music folder can put a link in the place of a file, and a library can name any file. Neither
/// must give away what only the server can read. So the file must lie in one of the folders; a link may lead out of them
/// only to the sound that a scan has found there.
enum SentFile {
  /// Opens it; the caller closes the descriptor.
  ///
  /// - Parameter roots: The folders of the library; only asked for if the file is not as it was scanned.
  static func open(
    _ known: FileDetail, roots: () throws -> [BytePath]
  ) throws -> (descriptor: Int32, status: FileStatus) {
    guard !known.path.climbs else { throw Problem(404, "the file has no proper name") }
    let opened: (descriptor: Int32, status: FileStatus)
    do {
      let folder = try FolderDescriptor(opening: known.path.folder)
      opened = try folder.openRegularFile(known.path.lastComponent, followsLinks: true)
    } catch {
      throw Problem(404, "the file cannot be read: \(error)")
    }
    let stamp = FileStatus.Stamp(
      byteCount: known.byteCount, modificationTimeInNanoseconds: known.modificationTimeInNanoseconds)
    if opened.status.stamp == stamp, known.state == .ok || known.state == .damaged { return opened }
    do {
      let place = place(of: opened.descriptor)
      if let place, try roots().contains(where: { isInside($0, place) }) { return opened }
      throw Problem(404, "the file is a link that leads elsewhere than when it was scanned")
    } catch {
      close(opened.descriptor)
      throw error
    }
  }

  /// Where an open file is, without links.
  private static func place(of descriptor: Int32) -> BytePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    return count > 0 ? BytePath(bytes.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }

  private static func isInside(_ root: BytePath, _ place: BytePath) -> Bool {
    guard let real = root.withCString({ realpath($0, nil) }) else { return false }
    defer { free(real) }
    return place.isBelowOrEqual(to: BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }
}

extension BytePath {
  /// Whether a component leads to the folder above.
  fileprivate var climbs: Bool { bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) } }
}
