import MediaModel

/// The CUESHEET block of a FLAC file (RFC 9639 section 8.7): places in samples, and no names.
enum FLACCueSheet {
  private static let maximumBlockCount = 1000
  private static let headByteCount = 396
  private static let trackByteCount = 36
  private static let indexByteCount = 12

  /// nil without such a block.
  static func parts(_ bytes: BufferedBytes) throws(DecodingError) -> PartList? {
    var offset = try FLACStart.range(bytes).lowerBound + 4
    for _ in 0..<maximumBlockCount {
      guard let word = try bytes.bigEndian(UInt32.self, at: offset) else { break }
      let length = Int(word & 0xFF_FFFF)
      if word >> 24 & 0x7F == 5 {
        return PartList(marks(try bytes.file.bytes(at: offset + 4, count: length)), from: .flac)
      }
      guard word >> 31 == 0 else { break }
      offset += 4 + Int64(length)
    }
    return nil
  }

  /// The last track is the lead-out, which only ends the one before.
  private static func marks(_ block: [UInt8]) -> [PartList.Mark] {
    guard block.count >= headByteCount else { return [] }
    var marks: [PartList.Mark] = []
    var offset = headByteCount
    for _ in 0..<block[headByteCount - 1] {
      guard let start = block.bigEndian(Int64.self, at: offset), offset + trackByteCount <= block.count else { break }
      let (number, indexCount) = (block[offset + 8], Int(block[offset + 35]))
      let isAudio = block[offset + 21] & 0x80 == 0
      var tags = PartTags()
      tags.isrc = String(decoding: block[offset + 9..<offset + 21].filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
      offset += trackByteCount
      // The track begins with its gap; INDEX 01 is where its sound begins.
      var first: Int64 = 0
      for _ in 0..<indexCount {
        guard offset + indexByteCount <= block.count, let place = block.bigEndian(Int64.self, at: offset) else { break }
        if block[offset + 8] == 1 { first = place }
        offset += indexByteCount
      }
      let (place, overflow) = start.addingReportingOverflow(first)
      guard !overflow else { continue }
      let isSound = isAudio && number != 170 && number != 255
      // A track of data, or the lead-out, ends the track before it.
      if !isSound, let last = marks.indices.last, marks[last].end == nil, marks[last].start < start {
        marks[last].end = start
      }
      if isSound { marks.append(PartList.Mark(start: place, tags: tags)) }
    }
    return marks
  }
}
