/// The compressed form that Chromaprint writes and AcoustID takes.
///
/// A `u8` algorithm, the number of words in 24 bits, big-endian, then for each word the set bits of its exclusive or with
/// the word before, as distances from one set bit to the next: three bits each, 0 at the end of a word. A distance of 7
/// or more is a 7, and what is above 7 follows in five bits after all the others. Both runs of bits begin at the lowest
/// bit of a byte.
extension AcoustIDFingerprint {
  private static let headerByteCount = 4
  private static let escape: UInt8 = 7

  package var compressed: [UInt8] {
    let words = words.prefix(Self.maximumWordCount)
    var distances = BitPacker(bitsPerValue: 3)
    var excesses = BitPacker(bitsPerValue: 5)
    var previous: UInt32 = 0
    for word in words {
      var rest = word ^ previous
      var position = 0
      while rest != 0 {
        let distance = UInt8(rest.trailingZeroBitCount + 1 - position)
        position += Int(distance)
        rest &= rest - 1
        distances.append(min(distance, Self.escape))
        if distance >= Self.escape { excesses.append(distance - Self.escape) }
      }
      distances.append(0)
      previous = word
    }
    let header = [algorithm] + [16, 8, 0].map { UInt8(truncatingIfNeeded: words.count >> $0) }
    return header + distances.bytes + excesses.bytes
  }

  /// Bytes behind the last word are ignored, as Chromaprint does.
  ///
  /// - Throws: where bytes are missing, or a distance leads out of a word.
  package init(compressed: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(compressed)
    let algorithm = try reader.read(UInt8.self)
    var count = 0
    for _ in 0..<3 { count = count << 8 | Int(try reader.read(UInt8.self)) }
    // Three bits a word at least: a count that lies must not size an allocation.
    guard count * 3 <= reader.remainingCount * 8 else { throw reader.failure("ends before \(count) words") }
    let body = Array(compressed.dropFirst(Self.headerByteCount))

    var distances = BitUnpacker(body, bitsPerValue: 3)
    var positions: [(word: Int, distance: UInt8)] = []
    var word = 0
    while word < count {
      guard let distance = distances.next() else { throw reader.failure("ends after \(word) of \(count) words") }
      if distance == 0 { word += 1 } else { positions.append((word, distance)) }
    }
    var excesses = BitUnpacker(Array(body.dropFirst(distances.consumedByteCount)), bitsPerValue: 5)
    var words = [UInt32](repeating: 0, count: count)
    var (current, position) = (0, 0)
    for (word, distance) in positions {
      if word != current { (current, position) = (word, 0) }
      position += Int(distance)
      if distance == Self.escape {
        guard let excess = excesses.next() else { throw reader.failure("ends inside the long distances") }
        position += Int(excess)
      }
      guard position <= UInt32.bitWidth else { throw reader.failure("word \(word) has a bit \(position)") }
      words[word] |= 1 << UInt32(position - 1)
    }
    for index in words.indices.dropFirst() { words[index] ^= words[index - 1] }
    self.init(algorithm: algorithm, words: words)
  }
}
