extension PCMLayout {
  /// Chunks that programs append to a WAV file.
  private static let appendedChunks: Set<String> = [
    "id3 ", "ID3 ", "LIST", "bext", "cue ", "iXML", "axml", "_PMX", "JUNK", "PAD ", "FLLR", "smpl", "inst", "plst",
    "note", "labl", "acid", "cart", "afsp", "DISP", "PEAK", "fact", "chna", "ubxt", "aXML", "umid", "CDif", "SAUR",
    "NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "INST", "APPL", "AESD", "MIDI",
  ]
  /// How far before the end of a file appended chunks are searched for: there are pictures in them.
  private static let searchedByteCount: Int64 = 64 << 20
  private static let maximumRoundCount = 4

  /// Ends the data before the tags and chunks at the end of the file, for a header that leaves the length open. There
  /// the data reaches to the end, but not over what taggers have appended.
  ///
  /// - Parameter isBigEndian: nil if the container has no chunks of RIFF.
  mutating func leaveOutAppendedTags(_ bytes: BufferedBytes, isBigEndian: Bool?) throws(DecodingError) {
    let start = data.lowerBound
    var end = data.upperBound
    for _ in 0..<Self.maximumRoundCount {
      let before = end
      end = max(start, min(end, try TagBounds.end(of: bytes, from: start, before: end)))
      if let isBigEndian, let first = try Self.firstAppendedChunk(bytes, in: start..<end, isBigEndian: isBigEndian) {
        end = first
        // Chunks begin at even offsets: a byte of data may be followed by one that only fills up.
        if bytesPerFrame == 1, end > start, try bytes.bigEndian(UInt8.self, at: end - 1) == 0 { end -= 1 }
      }
      if end == before { break }
    }
    guard end < data.upperBound else { return }
    longerData = data
    data = start..<end
    whole = whole.lowerBound..<max(whole.lowerBound, end)
  }

  static func isAppendedChunk(_ head: [UInt8]) -> Bool {
    appendedChunks.contains { head.starts(with: $0.utf8) }
  }

  /// Where a row of chunks begins that ends exactly where `range` does; nil if there is none.
  private static func firstAppendedChunk(
    _ bytes: BufferedBytes, in range: Range<Int64>, isBigEndian: Bool
  ) throws(DecodingError) -> Int64? {
    let end = range.upperBound
    var offset = max(range.lowerBound, end - searchedByteCount)
    let names = Set(appendedChunks.compactMap { Array($0.utf8).bigEndian(UInt32.self, at: 0) })
    let firstBytes = names.reduce(into: [Bool](repeating: false, count: 256)) { $0[Int($1 >> 24)] = true }
    while offset + 8 <= end {
      let count = Int(min(Int64(BufferedBytes.bufferSize), end - offset))
      var candidates: [Int64] = []
      try bytes.withBytes(at: offset, count: count) { view in
        guard view.count >= 8 else { return }
        for place in 0...(view.count - 8) where firstBytes[Int(view[place])] {
          guard let name = view.bigEndian(UInt32.self, at: place), names.contains(name),
            let size = isBigEndian ? view.bigEndian(UInt32.self, at: place + 4) : view.littleEndian(at: place + 4),
            offset + Int64(place) + 8 + Int64(size) <= end
          else { continue }
          candidates.append(offset + Int64(place))
        }
      }
      for candidate in candidates where try isRowOfChunks(bytes, candidate..<end, names, isBigEndian: isBigEndian) {
        return candidate
      }
      guard count >= 8, offset + Int64(count) < end else { break }
      offset += Int64(count - 7)
    }
    return nil
  }

  private static func isRowOfChunks(
    _ bytes: BufferedBytes, _ range: Range<Int64>, _ names: Set<UInt32>, isBigEndian: Bool
  ) throws(DecodingError) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let head = try bytes.copy(at: offset, count: 8)
      guard head.count == 8, let name = head.bigEndian(UInt32.self, at: 0), names.contains(name),
        let size = isBigEndian ? head.bigEndian(UInt32.self, at: 4) : head.littleEndian(UInt32.self, at: 4)
      else { return false }
      offset += 8 + Int64(size)
      if offset == range.upperBound { return true }
      offset += Int64(size & 1)
    }
    return offset == range.upperBound
  }
}
