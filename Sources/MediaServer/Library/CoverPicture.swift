internal import Base
internal import DecodingService
internal import MediaModel
internal import MediaStore

/// A picture from tags on its way to a client; its bytes are read when they are needed.
struct CoverPicture {
  let picture: StoredPicture

  private var hash: ContentHash { picture.hash }

  /// Types that browsers show and that cannot hold scripts.
  private static let shownTypes: Set = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
  ]

  /// So many bytes are read from the library at once.
  private static let stepByteCount = 1 << 20

  var isShown: Bool { Self.shownTypes.contains(picture.mimeType) }

  /// The picture, made smaller if its longest side is longer than the next larger side that is made. What cannot be made
  /// smaller is sent as it is: the client may know more formats.
  ///
  /// - Throws: ``NeedsDecoder`` if it has to be made smaller, and this thread may not decode.
  func reply(to call: Call, size: Int?) throws -> Reply {
    guard let side = size.flatMap(ThumbnailCache.side) else { return try original(call) }
    let pictures = call.service.pictures
    guard let answer = try pictures.known(hash, side: side) ?? make(side, call) else { return try original(call) }
    guard case .reduced(let jpeg) = answer else { return try original(call) }
    return call.tagged("\(hash)-\(side)") { Reply(jpeg, type: "image/jpeg") }
  }

  /// nil if no worker can be started.
  private func make(_ side: Int, _ call: Call) throws -> ReducedPictureAnswer? {
    try call.requireDecoder()
    let bytes = try call.service.library.reading { try $0.bytes(ofPicture: hash, 0..<picture.byteCount) }
    return try? call.service.pictures.reduced(hash, side: side, bytes: bytes)
  }

  private func original(_ call: Call) throws -> Reply {
    try call.tagged(hash.description) {
      let (library, picture, step) = (call.service.library, picture, Self.stepByteCount)
      let steps = DocumentItems(count: (picture.byteCount + step - 1) / step, separator: []) { range, take in
        for place in range {
          let wanted = place * step..<min((place + 1) * step, picture.byteCount)
          let bytes = try library.reading { try $0.bytes(ofPicture: picture.hash, wanted) }
          guard bytes.count == wanted.count else { throw Problem(404, "the picture is gone") }
          guard take(place, [.bytes(bytes)]) else { return }
        }
      }
      return try Reply(
        DocumentStream([.items(steps)], byteCount: Int64(picture.byteCount), heldByteCount: 2 * step),
        type: picture.mimeType)
    }
  }
}
