package import Base

/// The tags of WAV and RF64: chunks with ID3v2, and lists of texts (Microsoft and IBM, Multimedia Programming Interface and
/// Data Specifications 1.0, "INFO List Chunk").
package struct RIFFTags {
  private static let maximumTagCount = 16

  package private(set) var id3v2: [RawTag] = []
  package private(set) var info: [RawTag] = []
  /// Of the texts in lists, by the chunk CSET.
  package private(set) var codePage: TextEncoding?

  /// - Parameter start: of the file behind the tags that were put before it.
  package init(_ bytes: BufferedBytes, from start: Int64) throws(DecodingError) {
    let isBigEndian = try bytes.matches("RIFX", at: start)
    var walk = ChunkWalk(bytes, in: start + 12..<bytes.byteCount, isBigEndian: isBigEndian)
    while let chunk = try walk.next() {
      if chunk.has("ds64") {
        walk.longDataByteCount = try bytes.copy(at: chunk.body.lowerBound + 8, count: 8).littleEndian(
          UInt64.self, at: 0
        )
        .map { Int64(clamping: min($0, 1 << 62)) }
      } else if chunk.has("CSET") {
        let number = try bytes.copy(at: chunk.body.lowerBound, count: 2)
        let page = isBigEndian ? number.bigEndian(UInt16.self, at: 0) : number.littleEndian(UInt16.self, at: 0)
        codePage = page.flatMap { TextEncoding(windowsCodePage: Int($0)) }
      } else if chunk.has("ID3 ") || chunk.has("id3 ") {
        guard id3v2.count < Self.maximumTagCount else { continue }
        if let tag = try ID3v2Reader.tag(bytes, at: chunk.body.lowerBound, before: chunk.body.upperBound) {
          id3v2.append(tag)
        }
      } else if chunk.has("LIST") || chunk.has("list"), try bytes.matches("INFO", at: chunk.body.lowerBound) {
        guard info.count < Self.maximumTagCount else { continue }
        info.append(try Self.list(bytes, chunk, isBigEndian: isBigEndian))
      }
    }
  }

  private static func list(
    _ bytes: BufferedBytes, _ chunk: ChunkWalk.Chunk, isBigEndian: Bool
  ) throws(DecodingError) -> RawTag {
    var tag = RawTag(.riffInfo, bytes, chunk.range)
    let body = chunk.body.lowerBound + 4..<max(chunk.body.lowerBound + 4, chunk.body.upperBound)
    var walk = ChunkWalk(bytes, in: body, isBigEndian: isBigEndian)
    walk.known = TagContents.infoIdentifiers
    while let text = try walk.next(), tag.add(text.item) {}
    if walk.isOdd { tag.isOdd = true }
    return tag
  }
}

extension TagContents {
  static let infoNames = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ICMT": "COMMENT", "IGNR": "GENRE", "ICRD": "DATE",
    "IPRT": "TRACKNUMBER", "ITRK": "TRACKNUMBER", "ICOP": "COPYRIGHT", "ISFT": "ENCODING", "IENG": "ENGINEER",
    "ITCH": "ENCODEDBY", "ILNG": "LANGUAGE", "IMUS": "COMPOSER", "IWRI": "LYRICIST", "IMED": "MEDIA",
    "ISBJ": "SUBJECT", "IKEY": "KEYWORDS",
  ]

  fileprivate static let infoIdentifiers = Set(infoNames.keys.map { Array($0.utf8) })

  /// What a list of texts says, each of which ends with NUL.
  ///
  /// - Parameter codePage: of the file; nil if it names none.
  init(info tag: RawTag, codePage: TextEncoding?) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    let hasWideTexts = try Self.hasWideTexts(tag)
    for item in tag.items {
      guard let name = Self.infoNames[String(decoding: item.name, as: UTF8.self).uppercased()] else { continue }
      let body = try tag.body(item, limit: Self.maximumBodyByteCount)
      if body.isEmpty { isOdd = true }
      let text = Self.endingAtNUL(body, amongWide: hasWideTexts)
      // Programs write the same number under two names.
      if name == "TRACKNUMBER", texts.contains(where: { $0.name == name && $0.bytes.elementsEqual(text) }) { continue }
      add(name, text, codePage.map { .page($0) } ?? .none)
    }
  }
}
