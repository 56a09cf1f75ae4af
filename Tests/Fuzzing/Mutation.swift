import TestSupport

/// Random changes of inputs, the same in every run: what the tests use instead of libFuzzer.
package struct Mutation {
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private let maximumByteCount: Int
  private var random: RepeatableRandom

  /// - Parameters:
  ///   - words: Texts that are sometimes inserted.
  ///   - maximumByteCount: Longer inputs are cut.
  package init(of seeds: [[UInt8]], words: [String] = [], maximumByteCount: Int = .max, seed: UInt64) {
    self.seeds = seeds
    self.words = words.map { Array($0.utf8) }
    self.maximumByteCount = maximumByteCount
    random = RepeatableRandom(seed: seed)
  }

  package init(of target: any FuzzTarget, seed: UInt64) throws {
    self.init(
      of: try target.seeds, words: target.dictionary, maximumByteCount: target.maximumByteCount, seed: seed)
  }

  /// One of the seeds with one to eight changes.
  package mutating func next() -> [UInt8] {
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...8, using: &random) { change(&bytes) }
    return Array(bytes.prefix(maximumByteCount))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    // Half of the changes are near the start, where headers are.
    let end = Bool.random(using: &random) ? min(512, bytes.count) : bytes.count
    let place = Int.random(in: 0...end, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
    case 1: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &random) }
    case 2: if place < bytes.count { bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0 }
    case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 4: bytes.removeSubrange(place..<min(place + Int.random(in: 1...16, using: &random), bytes.count))
    case 5: bytes.removeSubrange(place...)
    case 6: if let word = words.randomElement(using: &random) { bytes.insert(contentsOf: word, at: place) }
    case 7: number(in: &bytes, at: place)
    default: splice(into: &bytes, at: place)
    }
  }

  /// Writes a number of two, four or eight bytes at which sums and products overflow, little-endian or big-endian.
  private mutating func number(in bytes: inout [UInt8], at place: Int) {
    let values: [UInt64] = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max >> 1, .max]
    let value = values.randomElement(using: &random) ?? 0
    let size = [2, 4, 8].randomElement(using: &random) ?? 4
    var digits = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    if Bool.random(using: &random) { digits.reverse() }
    bytes.replaceSubrange(place..<min(place + size, bytes.count), with: digits)
  }

  /// Inserts a part of any seed.
  private mutating func splice(into bytes: inout [UInt8], at place: Int) {
    guard let other = seeds.randomElement(using: &random), !other.isEmpty else { return }
    let start = Int.random(in: 0..<other.count, using: &random)
    let end = Int.random(in: start...min(start + 256, other.count), using: &random)
    bytes.insert(contentsOf: other[start..<end], at: place)
  }
}
