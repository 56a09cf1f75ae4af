/// The tags before and behind the sound of a file, or of a chunk: ID3v2, APE and ID3v1.
package struct SurroundingTags {
  /// More than any file has that was not made to do harm.
  private static let maximumCount = 16

  /// In the order of the file.
  package private(set) var tags: [RawTag] = []

  private static let maximumJunkByteCount: Int64 = 256 << 10

  /// - Parameters:
  ///   - range: of the file; nil is all of it.
  ///   - skipsJunk: whether a tag may stand behind bytes that are none of it, as in MPEG audio.
  package init(_ bytes: BufferedBytes, in range: Range<Int64>? = nil, skipsJunk: Bool = false) throws(DecodingError) {
    let range = range ?? 0..<bytes.byteCount
    var start = range.lowerBound
    if skipsJunk, let place = try Self.firstTag(bytes, in: range) { start = place }
    while tags.count < Self.maximumCount, let length = try TagBounds.leadingTagLength(bytes, at: start),
      start < range.upperBound
    {
      if let tag = try ID3v2Reader.tag(bytes, at: start, before: range.upperBound) {
        tags.append(tag)
      } else if start + length <= range.upperBound, let tag = try APEReader.tag(bytes, start..<start + length) {
        tags.append(tag)
      }
      // Behind a tag that claims too much nothing is known.
      guard start + length <= range.upperBound else { break }
      start += length
    }
    let count = tags.count
    var end = range.upperBound
    while tags.count < Self.maximumCount + count,
      let found = try TagBounds.trailingTag(bytes, endingAt: end, notBefore: start)
    {
      let place = end - found.byteCount..<end
      let tag: RawTag? =
        switch found.kind {
        case .id3v1: try ID3v1Reader.tag(bytes, at: end - ID3v1Reader.byteCount)
        case .id3v2: try ID3v2Reader.tag(bytes, at: place.lowerBound, before: end)
        case .ape: try APEReader.tag(bytes, place)
        case .lyrics3: nil
        }
      if let tag { tags.insert(tag, at: count) }
      end = place.lowerBound
    }
  }

  /// Where the first ID3v2 tag begins if the file begins with neither a tag nor a frame.
  private static func firstTag(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) -> Int64? {
    let head = try bytes.copy(at: range.lowerBound, count: 2)
    guard head.count == 2, !(head[0] == 0xFF && head[1] >= 0xE0),
      try TagBounds.leadingTagLength(bytes, at: range.lowerBound) == nil
    else { return nil }
    var offset = range.lowerBound
    let end = min(range.upperBound, offset + maximumJunkByteCount)
    while offset < end {
      offset += try bytes.byteCountToSync(from: offset, before: end, limit: maximumJunkByteCount) {
        $0 == UInt8(ascii: "I")
      }
      if offset < end, let tag = try ID3v2Reader.tag(bytes, at: offset, before: range.upperBound), !tag.items.isEmpty {
        return offset
      }
      offset += 1
    }
    return nil
  }
}

extension TagCollector {
  /// Adds what tags before and behind the sound say.
  ///
  /// - Parameter kinds: which of them count, the best ones first.
  func add(
    _ surrounding: SurroundingTags, _ kinds: [RawTag.Kind] = [.id3v2, .ape, .id3v1]
  ) throws(DecodingError) {
    for kind in kinds {
      for tag in surrounding.tags where tag.kind == kind { add(try TagContents(surrounding: tag)) }
    }
  }
}

extension TagContents {
  /// What a tag says that stands before or behind the sound.
  fileprivate init(surrounding tag: RawTag) throws(DecodingError) {
    switch tag.kind {
    case .id3v2: try self.init(id3v2: tag)
    case .ape: try self.init(ape: tag)
    case .id3v1: try self.init(id3v1: tag)
    default: self.init()
    }
  }
}
