import MediaModel

/// Monkey's Audio, whose packets libavformat finds.
struct MonkeysAudioFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = ["ape": [.ape]]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("MAC ", at: 0) ? .audio(.ape, .ape, name: "Monkey's Audio") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    return DemuxedLayout(container: .ape, rules: StreamHashers.Rules("ape"), range: range, hashed: range)
  }

  func formerRanges(_ file: SniffedFile) throws(DecodingError) -> [Range<Int64>] { [try TagBounds(file.bytes).audio] }

  func readTags(_ file: SniffedFile, with reader: TagReader) throws(DecodingError) -> TagReading {
    try reader.collect(measuring: file.bareFormat, as: .ape) { (collector) throws(DecodingError) in
      try collector.add(SurroundingTags(file.bytes), [.ape, .id3v2, .id3v1])
    }
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    try account.addMonkey()
  }
}

extension FileAccount {
  private static let mostForeignByteCount: Int64 = 1 << 16

  /// Monkey's Audio from version 3.98 on states the lengths of all its parts; those before do not.
  fileprivate mutating func addMonkey() throws(DecodingError) {
    let range = try TagBounds(bytes).audio
    let head = try bytes.copy(at: range.lowerBound, count: 36)
    guard let version = head.littleEndian(UInt16.self, at: 4), version >= 3980, head.count == 36 else {
      return noteSurplus()
    }
    // Descriptor, header, table, header of the WAV file, sound in two words, and what was behind the sound.
    let parts = [8, 12, 16, 20, 24, 32].map { Int64(head.littleEndian(UInt32.self, at: $0) ?? 0) }
    let upper = head.littleEndian(UInt32.self, at: 28) ?? 0
    guard upper < 1 << 24, parts[3] + parts[5] <= Self.mostForeignByteCount else { return noteSurplus() }
    let end = range.lowerBound + parts.reduce(0, +) + Int64(upper) << 32
    if end < range.upperBound { try leave(end..<range.upperBound) }
  }
}
