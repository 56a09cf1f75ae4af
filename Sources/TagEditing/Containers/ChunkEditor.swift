import AudioDecoding
import Base
internal import MediaModel

/// Changes the tags of WAV and AIFF: ID3v2 in a chunk, and the texts of the format.
///
/// Both are kept equal where both are; what has no place in the texts gets a chunk with ID3v2 at the end.
struct ChunkEditor {
  private struct Chunk {
    let name: [UInt8]
    /// With its head and, if there is one, its byte of padding.
    let range: Range<Int64>
    let body: Range<Int64>

    func has(_ names: StaticString...) -> Bool { names.contains { name.elementsEqual($0.utf8Buffer) } }
  }

  private static let maximumChunkCount = 100_000

  private let file: BufferedBytes
  private let isBigEndian: Bool
  /// Of the file's own head.
  private let start: Int64
  private var end: Int64 = 0
  private var chunks: [Chunk] = []

  /// - Parameter known: what all tags of the file say together.
  static func splices(
    _ file: BufferedBytes, _ edit: TagEdit, known: Tags, isAIFF: Bool, allowsLatin1: Bool
  ) throws(TagEditRefusal) -> [Splice] {
    try ChunkEditor(file, isBigEndian: isAIFF).splices(edit, known, allowsLatin1)
  }

  private init(_ file: BufferedBytes, isBigEndian: Bool) throws(TagEditRefusal) {
    (self.file, self.isBigEndian) = (file, isBigEndian)
    start = try reading { () throws(DecodingError) in try TagBounds.start(of: file) }
    let mark = try reading { () throws(DecodingError) in try file.copy(at: start, count: 4) }
    guard mark.elementsEqual((isBigEndian ? "FORM" : "RIFF").utf8) else {
      throw .format("\(String(decoding: mark, as: UTF8.self)) instead of \(isBigEndian ? "FORM" : "RIFF")")
    }
    let claimed = start + 8 + (try number(at: start + 4))
    let audio = try reading { () throws(DecodingError) in try TagBounds(file).audio }
    do throws(TagEditRefusal) { try readChunks(before: audio.upperBound) } catch {
      if case .unreadable = error { throw error }
    }
    // Some programs count the last byte of padding but leave it out. A head that says less than its chunks is corrected.
    let isComplete = end == audio.upperBound && claimed <= end + end % 2
    if !isComplete {
      guard claimed <= file.byteCount else { throw .malformed("the file is shorter than its header declares") }
      chunks = []
      try readChunks(before: claimed)
    }
    let first = start
    let tags = try reading { () throws(DecodingError) in
      isBigEndian ? try AIFFTags(file, from: first).id3v2 : try RIFFTags(file, from: first).id3v2
    }
    if let last = tags.last, last.range.lowerBound >= end {
      throw .malformed("the ID3v2 chunk is after the end that the file header declares")
    }
  }

  /// Reads the chunks, which have to fill the place that they have.
  private mutating func readChunks(before limit: Int64) throws(TagEditRefusal) {
    var offset = start + 12
    while offset < limit {
      guard chunks.count < Self.maximumChunkCount, offset + 8 <= limit else {
        throw .malformed("bytes after the chunks")
      }
      let name = try reading { () throws(DecodingError) in try file.copy(at: offset, count: 4) }
      let body = offset + 8..<offset + 8 + (try number(at: offset + 4))
      let next = body.upperBound + (body.upperBound - body.lowerBound) % 2
      guard name.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }), body.upperBound <= limit else {
        throw .malformed("a chunk is longer than its container")
      }
      chunks.append(Chunk(name: name, range: offset..<min(next, limit), body: body))
      offset = next
    }
    end = limit
  }

  private func number(at offset: Int64) throws(TagEditRefusal) -> Int64 {
    let bytes = try reading { () throws(DecodingError) in try file.copy(at: offset, count: 4) }
    let number = isBigEndian ? bytes.bigEndian(UInt32.self, at: 0) : bytes.littleEndian(UInt32.self, at: 0)
    return Int64(number ?? 0)
  }

  private func field(_ number: Int64) throws(TagEditRefusal) -> [UInt8] {
    guard let field = UInt32(exactly: number) else { throw .tooLong("a chunk file of more than 4 GiB") }
    return isBigEndian ? field.bigEndianBytes : field.littleEndianBytes
  }

  // MARK: Splices

  private func splices(_ edit: TagEdit, _ known: Tags, _ allowsLatin1: Bool) throws(TagEditRefusal) -> [Splice] {
    let id3Chunks = chunks.filter { $0.has("id3 ", "ID3 ") }
    let (texts, rest) = try textSplices(edit, hasID3: !id3Chunks.isEmpty)
    var splices = texts
    for (index, chunk) in id3Chunks.enumerated() {
      // Of two the first one counts.
      splices += try id3Splices(chunk, edit, allowsLatin1, adds: index == 0)
    }
    if id3Chunks.isEmpty, !rest.changes.isEmpty, try ID3v2TagEditor.tag(edit) != nil,
      let tag = try ID3v2TagEditor.tag(edit.filled(with: known))
    {
      let name: StaticString = isBigEndian ? "ID3 " : "id3 "
      let padding: [UInt8] = chunks.last.map { ($0.range.upperBound - $0.range.lowerBound) % 2 == 1 } == true ? [0] : []
      let chunk = try ChunkTextWriter.chunk(Array(name.utf8Buffer), tag, isBigEndian: isBigEndian)
      splices.append(Splice(insert: padding + chunk, at: end))
    }
    guard !splices.isEmpty else { return [] }
    return splices + [Splice(start + 4..<start + 8, try field(end - start - 8 + splices.growth))]
  }

  private func id3Splices(_ chunk: Chunk, _ edit: TagEdit, _ allowsLatin1: Bool, adds: Bool) throws(TagEditRefusal)
    -> [Splice]
  {
    let file = file
    if chunk.body.isEmpty {
      guard adds, let tag = try ID3v2TagEditor.tag(edit) else { return [] }
      return try [Splice(insert: tag, at: chunk.body.lowerBound)] + resized(chunk, by: Int64(tag.count))
    }
    let tag = try reading { () throws(DecodingError) in
      try ID3v2Reader.tag(file, at: chunk.body.lowerBound, before: chunk.body.upperBound)
    }
    // What is behind the tag stays there.
    guard let tag, tag.range.upperBound <= chunk.body.upperBound else {
      throw .malformed("the ID3v2 chunk has no tag")
    }
    let splices = try ID3v2TagEditor(tag, of: file, allowsLatin1: allowsLatin1).splices(edit, adds: adds)
    return try splices + resized(chunk, by: splices.growth)
  }

  /// The length of a chunk, and its byte of padding.
  private func resized(_ chunk: Chunk, by growth: Int64) throws(TagEditRefusal) -> [Splice] {
    guard growth != 0 else { return [] }
    let count = chunk.body.upperBound - chunk.body.lowerBound + growth
    return [
      Splice(chunk.range.lowerBound + 4..<chunk.range.lowerBound + 8, try field(count)),
      Splice(chunk.body.upperBound..<chunk.range.upperBound, count % 2 == 1 ? [0] : []),
    ]
  }

  // MARK: Texts

  /// What changes in the texts of the format, and what of an edit has no place in them.
  private func textSplices(
    _ edit: TagEdit, hasID3: Bool
  ) throws(TagEditRefusal) -> (splices: [Splice], rest: TagEdit) {
    guard let (found, list) = try texts() else { return ([], edit) }
    let tag = try padded(found, before: list?.body.upperBound ?? end)
    let names = try reading { () throws(DecodingError) in try tag.propertyNames() }.reduce(into: Set()) {
      $0.formUnion($1)
    }
    var (own, rest) = (edit, edit)
    rest.changes.removeAll { change in
      switch change {
      case .remove: true
      case .set(let name, let values): !hasID3 && values.count < 2 && holds(name.uppercased(), names)
      case .setFrontCover, .removeFrontCovers: false
      }
    }
    own.changes.removeAll { change in
      guard case .set(let name, let values) = change else { return false }
      return !names.contains(name.uppercased()) && (hasID3 || values.count > 1 || !holds(name.uppercased(), names))
    }
    let file = file
    let codePage = try reading { () throws(DecodingError) in try RIFFTags(file, from: start).codePage }
    var items = try ItemList(tag, end: list?.body.upperBound ?? end)
    try items.apply(own, ChunkTextWriter(tag: tag, codePage: isBigEndian ? nil : codePage), adds: true)
    return (
      try items.splices + (list.map { (list) throws(TagEditRefusal) in try resized(list, by: items.growth) } ?? []),
      rest
    )
  }

  /// Whether the texts have a property, or a place for it.
  private func holds(_ name: String, _ names: Set<String>) -> Bool {
    names.contains(name) || !isBigEndian && TagItemNames.infoChunk(of: name) != nil
  }

  /// The texts of the format, and the chunk that holds them in WAV; nil if there are none.
  private func texts() throws(TagEditRefusal) -> (RawTag, Chunk?)? {
    let file = file
    if isBigEndian {
      let tag = try reading { () throws(DecodingError) in try AIFFTags(file, from: start).texts }
      return tag.items.isEmpty ? nil : (tag, nil)
    }
    let tags = try reading { () throws(DecodingError) in try RIFFTags(file, from: start).info }
    guard tags.count < 2 else { throw .unsafe("there are two INFO lists") }
    guard let tag = tags.first, let list = chunks.first(where: { $0.range.lowerBound == tag.range.lowerBound }) else {
      return nil
    }
    return (tag, list)
  }

  /// The same with the bytes of padding behind the items as parts of them.
  private func padded(_ tag: RawTag, before end: Int64) throws(TagEditRefusal) -> RawTag {
    var tag = tag
    for (index, item) in tag.items.enumerated() where (item.range.upperBound - item.range.lowerBound) % 2 == 1 {
      guard item.range.upperBound < end else { throw .malformed("the last text has no padding byte") }
      tag.items[index].range = item.range.lowerBound..<item.range.upperBound + 1
    }
    return tag
  }
}
