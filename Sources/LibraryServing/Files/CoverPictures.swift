internal import Base
package import DecodingService
package import HTTPServing
package import LibraryTracks
package import MediaDrawing
internal import MediaModel
package import MediaRendering
internal import MediaStore

/// Covers for clients; their bytes are read, and engraved ones drawn, when they are needed.
package struct CoverPictures: Sendable {
  /// So many bytes are read from the library at once.
  private static let stepByteCount = 1 << 20
  /// The sizes of engraved covers, in pixels; a size between two of them becomes the larger one.
  private static let sides = [
    32, 48, 64, 96, 128, 144, 176, 192, 256, 320, 352, 400, 512, 640, 800, 1024, 1280, 1536, 2048,
  ]
  /// Of an engraved cover that is asked for without a size, in pixels.
  private static let usualSide = 512

  private let library: LibraryAccess
  private let cache: PictureCache
  private let thumbnails: ThumbnailCache

  package init(_ library: LibraryAccess, _ cache: PictureCache, _ thumbnails: ThumbnailCache) {
    self.library = library
    self.cache = cache
    self.thumbnails = thumbnails
  }

  /// - Parameters:
  ///   - size: of the longest side, in pixels; nil for the picture as it is.
  ///   - ground: of an engraved one.
  package func answer(to call: Call, _ cover: Cover, size: Int?, ground: EngravedCover.Ground = .dark) throws -> Answer
  {
    switch cover {
    case .picture(let picture): try answer(to: call, picture, size: size)
    case .engraved(let engraving): engraved(engraving, call, size: size, ground)
    }
  }

  /// The picture, made smaller if its longest side is longer than the next larger side that is made. What cannot be made
  /// smaller is sent as it is: the client may know more formats.
  package func answer(to call: Call, _ picture: StoredPicture, size: Int?) throws -> Answer {
    guard let side = size.flatMap(ThumbnailCache.side) else { return .reply(try original(picture, call)) }
    if let known = thumbnails.known(picture.hash, side: side) {
      return .reply(try reply(to: call, picture, side: side, known))
    }
    return .decoding {
      let bytes = try bytes(of: picture)
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

  private func bytes(of picture: StoredPicture) throws -> [UInt8] {
    guard let bytes = try library.reading({ try $0.pictures.bytes(of: picture) }) else {
      throw HTTPProblem(404, "the picture is gone, or was changed after the last scan")
    }
    return bytes
  }

  private func original(_ picture: StoredPicture, _ call: Call) throws -> Reply {
    try call.tagged(picture.hash.description) {
      guard picture.place == .tags else { return try Reply(bytes(of: picture), type: picture.mimeType) }
      let (library, step) = (library, Self.stepByteCount)
      let steps = DocumentItems(count: (picture.byteCount + step - 1) / step, separator: []) { range, take in
        for place in range {
          let wanted = place * step..<min((place + 1) * step, picture.byteCount)
          let bytes = try library.reading { try $0.pictures.bytes(inTags: picture.hash, wanted) }
          guard bytes.count == wanted.count else { throw HTTPProblem(404, "the picture is gone") }
          guard take(place, [.bytes(bytes)]) else { return }
        }
      }
      return try Reply(
        DocumentStream([.items(steps)], byteCount: Int64(picture.byteCount), heldByteCount: 2 * step),
        type: picture.mimeType)
    }
  }

  // MARK: - Engraved

  private func engraved(
    _ engraving: AlbumEngraving, _ call: Call, size: Int?, _ ground: EngravedCover.Ground
  ) -> Answer {
    let wanted = size ?? Self.usualSide
    let side = Self.sides.first { $0 >= wanted } ?? EngravedCover.sides.upperBound
    let tag = "\(engraving.identity)-\(side)-\(ground.rawValue)"
    if let known = cache[tag + ".png"] { return .reply(call.tagged(tag) { Reply(known, type: "image/png") }) }
    return call.decoding(taggedWith: tag) {
      let (cover, isComplete) = try library.reading { try engraving.cover(side: side, ground: ground, in: $0) }
      let png: [UInt8]
      do throws(DrawingError) { png = try cover.bytes(as: .png, compression: EngravedCover.compression) } catch {
        throw HTTPProblem(404, "no picture, and none can be drawn: \(error)")
      }
      if isComplete { cache.keep(png, as: tag + ".png") }
      return Reply(png, type: "image/png")
    }
  }
}
