import AudioDecoding
import Base

/// Texts that are chunks: those in lists INFO of WAV (Microsoft and IBM, Multimedia Programming Interface and Data
/// Specifications 1.0), which end with NUL, and those of AIFF (Apple, Audio Interchange File Format 1.3), which do not.
///
/// They have one value, and no encoding but the one that a chunk `CSET` names: others than ASCII are UTF-8.
struct ChunkTextWriter: ItemWriter {
  let tag: RawTag
  var codePage: TextEncoding?

  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]] {
    let text = Array((property.values.first ?? "").utf8)
    if let codePage, codePage != .utf8, text.contains(where: { $0 >= 0x80 }) {
      throw .value(property: property.name, reason: "the texts of the INFO list are in \(codePage.rawValue)")
    }
    if tag.kind == .aiffTexts {
      // Comments with times and marks are replaced by a text without.
      guard
        let name = old.map(\.name).first(where: { !Self.isComments($0) }) ?? TagItemNames.aiffChunk(of: property.name)
      else { return [] }
      return [try Self.chunk(name, text, isBigEndian: true)]
    }
    guard let name = old.first?.name ?? TagItemNames.infoChunk(of: property.name).map({ Array($0.utf8) }) else {
      return []
    }
    // The number of a track is under two names in what some programs write.
    let others = property.name == "TRACKNUMBER" ? old.dropFirst().map(\.name).filter { $0 != name } : []
    var chunks: [[UInt8]] = []
    for name in [name] + others { chunks.append(try Self.chunk(name, text + [0], isBigEndian: false)) }
    return chunks
  }

  func check(_ item: RawTag.Item) throws(TagEditRefusal) {
    guard Self.isComments(item.name) else { return }
    let tag = tag
    let body = try reading { () throws(DecodingError) in try tag.body(item, limit: 1 << 20) }
    var offset = 2
    for _ in 0..<(body.bigEndian(UInt16.self, at: 0) ?? 0) {
      let (mark, count) = (body.bigEndian(UInt16.self, at: offset + 4), body.bigEndian(UInt16.self, at: offset + 6))
      guard mark == 0, let count else { throw .unsafe("a COMT chunk has comments about markers") }
      offset += 8 + Int(count) + Int(count % 2)
    }
  }

  private static func isComments(_ name: [UInt8]) -> Bool { name.elementsEqual("COMT".utf8) }

  /// With a byte of padding behind a body of odd length.
  static func chunk(_ name: [UInt8], _ body: [UInt8], isBigEndian: Bool) throws(TagEditRefusal) -> [UInt8] {
    guard let size = UInt32(exactly: body.count) else { throw .tooLong("a chunk of more than 4 GiB") }
    return name + (isBigEndian ? size.bigEndianBytes : size.littleEndianBytes) + body + (body.count % 2 == 0 ? [] : [0])
  }
}
