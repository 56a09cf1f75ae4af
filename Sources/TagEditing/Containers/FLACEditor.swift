import AudioDecoding
internal import MediaModel

/// Changes the comments and pictures of a FLAC file (RFC 9639 section 8). PADDING gives way, so that the frames stay in their
/// place as long as there is enough of it.
struct FLACEditor {
  private enum BlockType {
    static let padding: UInt8 = 1
    static let comments: UInt8 = 4
    static let picture: UInt8 = 6
  }

  private struct Block {
    let type: UInt8
    let isLast: Bool
    /// With the head of four bytes.
    let range: Range<Int64>
    var splices: [Splice] = []
    var isRemoved = false

    var body: Range<Int64> { range.lowerBound + 4..<range.upperBound }
    var newBodyByteCount: Int64 { body.upperBound - body.lowerBound + splices.growth }
  }

  private static let maximumBodyByteCount: Int64 = (1 << 24) - 1
  private static let newPaddingByteCount = 4096
  private static let maximumBlockCount = 10_000

  private let file: BufferedBytes
  private var blocks: [Block] = []
  /// Blocks with their heads that are put behind the last one, but for padding.
  private var added: [(type: UInt8, body: [UInt8])] = []

  /// - Parameter known: what all tags of the file say together.
  static func splices(_ file: BufferedBytes, _ edit: TagEdit, known: Tags) throws(TagEditRefusal) -> [Splice] {
    var editor = try FLACEditor(file)
    try editor.editComments(edit, known)
    if let cover = edit.cover { try editor.editCovers(cover) }
    return try editor.splices()
  }

  private init(_ file: BufferedBytes) throws(TagEditRefusal) {
    self.file = file
    let found = try reading { () throws(DecodingError) in try Self.blocks(file) }
    guard let found, let info = found.first, info.type == 0, info.range.upperBound - info.body.lowerBound == 34 else {
      throw .malformed("the metadata blocks are not followed by a frame")
    }
    blocks = found
  }

  /// nil if they do not lead to a frame or to the end of the file.
  private static func blocks(_ file: BufferedBytes) throws(DecodingError) -> [Block]? {
    let audio = try FLACStart.range(file)
    guard try file.matches("fLaC", at: audio.lowerBound) else { return nil }
    var offset = audio.lowerBound + 4
    var blocks: [Block] = []
    while blocks.count < maximumBlockCount {
      guard let word = try file.bigEndian(UInt32.self, at: offset), word >> 24 & 0x7F != 0x7F else { return nil }
      let end = offset + 4 + Int64(word & 0xFF_FFFF)
      guard end <= audio.upperBound else { return nil }
      blocks.append(Block(type: UInt8(word >> 24 & 0x7F), isLast: word >> 31 == 1, range: offset..<end))
      offset = end
      if word >> 31 == 1 {
        let sync = try file.bigEndian(UInt16.self, at: offset)
        return sync.map { $0 & 0xFFFC == 0xFFF8 } ?? false || offset == audio.upperBound ? blocks : nil
      }
    }
    return nil
  }

  private mutating func editComments(_ edit: TagEdit, _ known: Tags) throws(TagEditRefusal) {
    let places = blocks.indices.filter { blocks[$0].type == BlockType.comments }
    // Covers are blocks here, but some programs put them into comments, too.
    var edit = edit
    if case .set? = edit.cover { edit.changes.removeAll { if case .setFrontCover = $0 { true } else { false } } }
    if places.isEmpty {
      let empty = VorbisCommentWriter.emptyList
      let tag = try reading { () throws(DecodingError) in
        try VorbisCommentReader.tag(BytesInMemory(empty).file, 0..<Int64(empty.count))
      }
      if try VorbisCommentWriter.splices(tag, edit).isEmpty { return }
      let splices = try VorbisCommentWriter.splices(tag, edit.filled(with: known))
      added.append((BlockType.comments, splices.applied(to: empty)))
      return
    }
    for place in places {
      let (file, body) = (file, blocks[place].body)
      let tag = try reading { () throws(DecodingError) in try VorbisCommentReader.tag(file, body) }
      // What is behind them is allowed by some readers in the last block only.
      guard tag.range.upperBound == body.upperBound else {
        throw .malformed("the comment block is longer than its comments")
      }
      // Of two blocks the first one counts.
      blocks[place].splices = try VorbisCommentWriter.splices(tag, edit, adds: place == places[0])
    }
  }

  private mutating func editCovers(_ change: TagEdit.CoverChange) throws(TagEditRefusal) {
    let file = file
    var covers: [Int] = []
    for (index, block) in blocks.enumerated() where block.type == BlockType.picture {
      let type = try reading { () throws(DecodingError) in try file.bigEndian(UInt32.self, at: block.body.lowerBound) }
      if type == 3 { covers.append(index) }
    }
    switch change {
    case .remove: for index in covers { blocks[index].isRemoved = true }
    case .set(let cover):
      let picture = FLACPicture(cover).bytes
      if let first = covers.first {
        blocks[first].splices = [Splice(blocks[first].body, picture)]
      } else {
        added.append((BlockType.picture, picture))
      }
    }
  }

  // MARK: Padding

  private func splices() throws(TagEditRefusal) -> [Splice] {
    var growth = added.reduce(Int64(0)) { $0 + 4 + Int64($1.body.count) }
    for block in blocks {
      growth += block.isRemoved ? block.range.lowerBound - block.range.upperBound : block.splices.growth
    }
    var blocks = blocks
    var added = added
    if added.isEmpty, blocks.allSatisfy({ $0.splices.isEmpty && !$0.isRemoved }) { return [] }
    if let padding = blocks.lastIndex(where: { $0.type == BlockType.padding }) {
      let body = blocks[padding].body
      var left = body.upperBound - body.lowerBound - growth
      if !(0...Self.maximumBodyByteCount).contains(left) { left = Int64(Self.newPaddingByteCount) }
      let change = left - (body.upperBound - body.lowerBound)
      if change > 0 { blocks[padding].splices = [Splice(insert: Self.zeros(Int(change)), at: body.upperBound)] }
      if change < 0 { blocks[padding].splices = [Splice(body.upperBound + change..<body.upperBound, [])] }
    } else if growth != 0 {
      let fits = (4...Self.maximumBodyByteCount + 4).contains(-growth)
      added.append((BlockType.padding, Self.zeros(fits ? Int(-growth) - 4 : Self.newPaddingByteCount)))
    }
    return try splices(blocks, added)
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// New blocks come behind the others, because padding is the last one as a rule: before it.
  private func splices(_ blocks: [Block], _ added: [(type: UInt8, body: [UInt8])]) throws(TagEditRefusal) -> [Splice] {
    var splices: [Splice] = []
    let kept = blocks.indices.filter { !blocks[$0].isRemoved }
    guard let last = kept.last else { throw .malformed("there is no STREAMINFO") }
    let endsInPadding = blocks[last].type == BlockType.padding && !added.contains { $0.type == BlockType.padding }
    for (index, block) in blocks.enumerated() {
      if block.isRemoved {
        splices.append(Splice(block.range, []))
        continue
      }
      let isLast = index == last && (added.isEmpty || endsInPadding)
      let head = try Self.head(block.type, block.newBodyByteCount, isLast: isLast)
      splices.append(Splice(block.range.lowerBound..<block.body.lowerBound, head))
      splices += block.splices
    }
    let place = endsInPadding ? blocks[last].range.lowerBound : blocks[last].range.upperBound
    for (index, block) in added.enumerated() {
      let isLast = index == added.count - 1 && !endsInPadding
      splices.append(
        Splice(insert: try Self.head(block.type, Int64(block.body.count), isLast: isLast) + block.body, at: place))
    }
    return splices
  }

  private static func head(_ type: UInt8, _ byteCount: Int64, isLast: Bool) throws(TagEditRefusal) -> [UInt8] {
    guard byteCount <= maximumBodyByteCount else { throw .tooLong("a FLAC block of more than 16 MiB") }
    return (UInt32(byteCount) | UInt32(type) << 24 | (isLast ? 1 << 31 : 0)).bigEndianBytes
  }
}
