internal import Base
internal import DecodingService
internal import MediaModel

/// A picture from tags on its way to a client.
struct CoverPicture {
  let hash: ContentHash
  let mimeType: String
  let bytes: [UInt8]

  /// Types that browsers show and that cannot hold scripts.
  private static let shownTypes: Set = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
  ]

  var isShown: Bool { Self.shownTypes.contains(mimeType) }

  /// The picture, made smaller if its longest side is longer than the step of the ladder above `size`. What cannot be made
  /// smaller is sent as it is: the client may know more formats.
  ///
  /// - Throws: ``NeedsDecoder`` if it has to be made smaller, and this thread may not decode.
  func reply(to call: Call, size: Int?) throws -> Reply {
    guard let side = size.flatMap(PictureLadder.side) else { return original(call) }
    let pictures = call.service.pictures
    guard let answer = try pictures.known(hash, side: side) ?? make(side, call) else { return original(call) }
    guard case .reduced(let jpeg) = answer else { return original(call) }
    return call.tagged("\(hash)-\(side)") { Reply(jpeg, type: "image/jpeg") }
  }

  /// nil if no worker can be started.
  private func make(_ side: Int, _ call: Call) throws(NeedsDecoder) -> ReducedPictureAnswer? {
    try call.requireDecoder()
    return try? call.service.pictures.reduced(hash, side: side, bytes: bytes)
  }

  private func original(_ call: Call) -> Reply { call.tagged(hash.description) { Reply(bytes, type: mimeType) } }
}
