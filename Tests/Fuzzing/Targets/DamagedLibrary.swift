internal import Foundation
internal import MediaModel
internal import MediaStore
internal import TestSupport

/// A library file with changes at any place, for the targets that read such a file in one way or another.
///
/// An input is a list of changes, each a `u24` place, a `u8` length up to 15, and as many bytes.
enum DamagedLibrary {
  static let maximumByteCount = 256

  /// Some twenty pages are changed at their start and near their end.
  static func seeds() throws -> [[UInt8]] {
    let pageCount = try original.get().count / 4096
    return stride(from: 0, to: pageCount, by: max(1, pageCount / 20)).map { page in
      change(4096 * page, [0x0D]) + change(4096 * page + 0xFF0, [0])
    }
  }

  private static func change(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    let digits = [16, 8, 0].map { UInt8(truncatingIfNeeded: place >> $0) }
    return digits + [UInt8(bytes.count)] + bytes
  }

  /// The bytes of a small library with everything in it.
  private static let original = Result {
    let library = try FuzzLibrary.shared.get()
    let folder = try TemporaryFolder()
    _ = try library.store.backUp(to: folder.file("copy.sqlite"), keeping: 0, replacesMore: true)
    return try folder.bytes(of: "copy.sqlite")
  }

  private static let folder = Result { try TemporaryFolder() }

  /// Calls `body` with the path of the damaged file and that of another, where nothing is.
  static func with(_ changes: [UInt8], _ body: (BytePath, BytePath) throws -> Void) throws {
    var library = try original.get()
    var rest = changes[...]
    while rest.count > 4 {
      let head = Array(rest.prefix(4))
      let place = (Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) % library.count
      let bytes = rest.dropFirst(4).prefix(Int(head[3] % 16))
      library.replaceSubrange(
        place..<min(place + bytes.count, library.count), with: bytes.prefix(library.count - place))
      rest = rest.dropFirst(4 + bytes.count)
    }
    let folder = try folder.get()
    for name in try folder.names() { try FileManager.default.removeItem(at: folder.appending(name)) }
    try Data(library).write(to: folder.appending("library.sqlite"))
    try body(folder.file("library.sqlite"), folder.file("other.sqlite"))
  }
}
