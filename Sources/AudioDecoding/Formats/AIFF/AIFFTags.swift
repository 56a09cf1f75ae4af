internal import Base

/// The tags of AIFF: chunks with ID3v2, and the texts of the format itself (Apple, Audio Interchange File Format 1.3,
/// "Text Chunks" and "Comments Chunk").
package struct AIFFTags {
  private static let maximumTagCount = 16

  package private(set) var id3v2: [RawTag] = []
  /// The chunks with texts; those with comments have several in one.
  package private(set) var texts: RawTag

  /// - Parameter start: of the file behind the tags that were put before it.
  package init(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) {
    texts = RawTag(.aiffTexts, bytes, start..<bytes.byteCount)
    var walk = ChunkWalk(bytes, in: start + 12..<bytes.byteCount, isBigEndian: true)
    walk.known = Set(TagContents.aiffNames.keys).union(["ID3 ", "COMM", "SSND"].map { Array($0.utf8) })
    while let chunk = try walk.next() {
      if chunk.has("ID3 ") || chunk.has("id3 ") {
        guard id3v2.count < Self.maximumTagCount else { continue }
        if let tag = try ID3v2Reader.tag(bytes, at: chunk.body.lowerBound, before: chunk.body.upperBound) {
          id3v2.append(tag)
        }
      } else if TagContents.aiffNames[chunk.name] != nil {
        if !texts.add(chunk.item) { break }
      }
    }
    if walk.isOdd { texts.isOdd = true }
  }
}

extension TagContents {
  static let aiffNames: [[UInt8]: String] = [
    Array("NAME".utf8): "TITLE", Array("AUTH".utf8): "ARTIST", Array("(c) ".utf8): "COPYRIGHT",
    Array("ANNO".utf8): "COMMENT", Array("COMT".utf8): "COMMENT",
  ]

  /// What the texts of AIFF say.
  init(aiff tag: RawTag) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    let hasWideTexts = try Self.hasWideTexts(tag)
    for item in tag.items {
      guard let name = Self.aiffNames[item.name] else { continue }
      let body = try tag.body(item, limit: Self.maximumBodyByteCount)
      if item.name.elementsEqual("COMT".utf8) {
        addComments(body)
      } else {
        add(name, Self.endingAtNUL(body, amongWide: hasWideTexts), .none)
      }
    }
  }

  /// A number of comments: each has a time, a marker, a length and a text, padded to an even length.
  private mutating func addComments(_ body: [UInt8]) {
    guard let count = body.bigEndian(UInt16.self, at: 0) else {
      isOdd = true
      return
    }
    var offset = 2
    for _ in 0..<count {
      guard let length = body.bigEndian(UInt16.self, at: offset + 6).map({ Int($0) }) else {
        isOdd = true
        return
      }
      let text = body.dropFirst(offset + 8).prefix(length)
      if text.count < length { isOdd = true }
      add("COMMENT", text.prefix { $0 != 0 }, .none)
      offset += 8 + length + length & 1
    }
  }
}
