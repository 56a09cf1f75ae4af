/// The boxes of an MP4 file that may have tags.
package struct MP4TagBoxes {
  /// What a `meta` holds.
  package struct Metadata {
    package let range: Range<Int64>
    /// Whether the types of its items are the numbers of keys (QuickTime File Format, "QuickTime Metadata").
    package let hasNamedKeys: Bool

    /// In MP4 a version comes first, in QuickTime none does.
    package init(_ bytes: BufferedBytes, _ box: MP4Box) throws(DecodingError) {
      let body = box.body
      let head = try bytes.copy(at: body.lowerBound, count: 8)
      let versionByteCount: Int64 = head.has("hdlr", at: 4) || head.has("ilst", at: 4) ? 0 : 4
      range = min(body.lowerBound + versionByteCount, body.upperBound)..<body.upperBound
      let handler = try MP4Box.body(bytes, of: "hdlr", in: range)
      hasNamedKeys = if let handler { try bytes.matches("mdta", at: handler.lowerBound + 8) } else { false }
    }
  }

  /// More than any file has that was not made to do harm.
  private static let maximumCount = 16

  /// Of the whole file, of its movies, and of the user data of those.
  private let file, movie: [MP4Box]
  let userData: [MP4Box]
  private let bytes: BufferedBytes

  package init(_ bytes: BufferedBytes) throws(DecodingError) {
    self.bytes = bytes
    let start = try TagBounds.start(of: bytes)
    file = try MP4Box.boxes(bytes, in: start..<bytes.byteCount)
    movie = try Self.inner(bytes, of: "moov", in: file)
    userData = try Self.inner(bytes, of: "udta", in: movie)
  }

  private static func inner(
    _ bytes: BufferedBytes, of name: StaticString, in boxes: [MP4Box]
  ) throws(DecodingError) -> [MP4Box] {
    var inner: [MP4Box] = []
    for box in boxes.filter({ $0.isType(name) }).prefix(maximumCount) { inner += try MP4Box.boxes(bytes, in: box.body) }
    return inner
  }

  /// Those with named keys, of the movie first; or those with items of iTunes, of the user data first.
  package func metadata(hasNamedKeys: Bool) throws(DecodingError) -> [Metadata] {
    let places = hasNamedKeys ? movie + userData + file : userData + movie + file
    var found: [Metadata] = []
    for box in places.filter({ $0.isType("meta") }).prefix(Self.maximumCount) {
      let metadata = try Metadata(bytes, box)
      if metadata.hasNamedKeys == hasNamedKeys { found.append(metadata) }
    }
    return found
  }

  /// Whether the file ends in what describes it, and perhaps in its tags.
  var isMovieCut: Bool { file.contains { $0.isType("moov") && $0.isCut } }
}
