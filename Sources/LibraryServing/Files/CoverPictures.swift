package import DecodingService
package import HTTPServing
package import LibraryTracks
internal import MediaModel
package import MediaStore

/// Pictures from tags for clients; their bytes are read when they are needed.
package struct CoverPictures: Sendable {
  /// Types that browsers show and that cannot hold scripts.
  private static let shownTypes: Set = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
  ]

  /// So many bytes are read from the library at once.
  private static let stepByteCount = 1 << 20

  private let library: LibraryAccess
  private let thumbnails: ThumbnailCache

  package init(_ library: LibraryAccess, _ thumbnails: ThumbnailCache) {
    self.library = library
    self.thumbnails = thumbnails
  }

  /// The picture with the type that its bytes have, whatever its tag says; nil if that is none that is shown.
  ///
  /// - Throws: ``StoreError``.
  package static func shown(_ picture: StoredPicture, in store: MediaStore) throws -> StoredPicture? {
    let head = try store.pictures.bytes(of: picture.hash, 0..<PictureMediaType.headByteCount)
    guard let type = PictureMediaType.name(ofPictureThatBegins: head), shownTypes.contains(type) else { return nil }
    var picture = picture
    picture.mimeType = type
    return picture
  }

  /// The picture, made smaller if its longest side is longer than the next larger side that is made. What cannot be made
  /// smaller is sent as it is: the client may know more formats.
  package func answer(to call: Call, _ picture: StoredPicture, size: Int?) throws -> Answer {
    guard let side = size.flatMap(ThumbnailCache.side) else { return .reply(try original(picture, call)) }
    if let known = thumbnails.known(picture.hash, side: side) {
      return .reply(try reply(to: call, picture, side: side, known))
    }
    return .decoding {
      let bytes = try library.reading { try $0.pictures.bytes(of: picture.hash, 0..<picture.byteCount) }
      // nil if no worker can be started.
      let made = try? thumbnails.reduced(picture.hash, side: side, bytes: bytes)
      return try reply(to: call, picture, side: side, made)
    }
  }

  private func reply(
    to call: Call, _ picture: StoredPicture, side: Int, _ made: ReducedPictureAnswer?
  ) throws -> Reply {
    guard case .reduced(let jpeg) = made else { return try original(picture, call) }
    return call.tagged("\(picture.hash)-\(side)") { Reply(jpeg, type: "image/jpeg") }
  }

  private func original(_ picture: StoredPicture, _ call: Call) throws -> Reply {
    try call.tagged(picture.hash.description) {
      let (library, step) = (library, Self.stepByteCount)
      let steps = DocumentItems(count: (picture.byteCount + step - 1) / step, separator: []) { range, take in
        for place in range {
          let wanted = place * step..<min((place + 1) * step, picture.byteCount)
          let bytes = try library.reading { try $0.pictures.bytes(of: picture.hash, wanted) }
          guard bytes.count == wanted.count else { throw HTTPProblem(404, "the picture is gone") }
          guard take(place, [.bytes(bytes)]) else { return }
        }
      }
      return try Reply(
        DocumentStream([.items(steps)], byteCount: Int64(picture.byteCount), heldByteCount: 2 * step),
        type: picture.mimeType)
    }
  }
}
