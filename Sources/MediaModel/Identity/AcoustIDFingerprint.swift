package import Base

/// The fingerprint by which AcoustID identifies a recording: 32 bits for each eighth of a second of its first two
/// minutes.
///
/// Fingerprints of the same recording differ in few bits, whatever the codec. docs/formats.md has the layout.
package struct AcoustIDFingerprint: Hashable, Sendable {
  /// The most words that ``compressed`` can hold.
  package static let maximumWordCount = 0xFF_FFFF

  /// The number of the algorithm in Chromaprint's compressed form; its default algorithm is 1.
  package var algorithm: UInt8
  /// At most ``maximumWordCount``; empty if the recording is too short.
  package var words: [UInt32]

  package init(algorithm: UInt8, words: [UInt32]) {
    self.algorithm = algorithm
    self.words = words
  }
}

/// The compressed form that Chromaprint writes and AcoustID accepts.
///
/// A `u8` algorithm and the number of words in 24 bits, big-endian. Then, for each word, the set bits of its exclusive
/// or with the previous word, as distances from one set bit to the next: three bits each, and 0 at the end of a word. A
/// distance of 7 or more is written as 7, and its excess over 7 follows in five bits, after all distances. Both
/// sequences start at the lowest bit of a byte.
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

  /// Bytes after the last word are ignored, as in Chromaprint.
  ///
  /// - Throws: If bytes are missing, or a distance exceeds a word.
  package init(compressed: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(compressed)
    let algorithm = try reader.read(UInt8.self)
    var count = 0
    for _ in 0..<3 { count = count << 8 | Int(try reader.read(UInt8.self)) }
    // At least three bits per word: a false count must not size an allocation.
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

/// The compressed form as text: base64 with `-` and `_` (RFC 4648, section 5) and without padding.
extension AcoustIDFingerprint {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, UInt32($0)) })

  package var text: String {
    let bytes = compressed
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0...group.count { text.append(Self.digits[Int(bits >> UInt32(18 - 6 * digit)) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The words in decimal, separated by commas, as `fpcalc -raw` prints them.
  package var rawText: String { words.map { String($0) }.joined(separator: ",") }

  /// - Throws: If the text is not base64 of that kind, or the bytes are not a fingerprint.
  package init(text: String) throws(ByteReader.Failure) {
    var bytes: [UInt8] = []
    var (bits, bitCount) = (UInt32(0), 0)
    for (offset, digit) in text.utf8.enumerated() {
      guard let value = Self.values[digit] else {
        throw ByteReader.Failure(offset: offset, reason: "not a digit of URL-safe base64")
      }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    try self.init(compressed: bytes)
  }
}
