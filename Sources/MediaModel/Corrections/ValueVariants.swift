internal import Base

/// Values of a field that are probably one: they differ by case, accents, punctuation, an article, or by one letter.
package struct ValueVariants: Hashable, Sendable {
  /// A value, and how many files have it.
  package struct Value: Hashable, Sendable {
    package var text: String
    package var fileCount: Int
    /// Of whom it is, such as the artist of an album: values of others are no variants. Empty if that makes no difference.
    package var context: String

    package init(_ text: String, fileCount: Int, context: String = "") {
      self.text = text
      self.fileCount = fileCount
      self.context = context
    }
  }

  /// The most common spelling.
  package var common: Value
  /// The others, the most common first.
  package var others: [Value]

  /// How many files have one of the others.
  package var fileCount: Int { others.reduce(0) { $0 + $1.fileCount } }

  /// Shorter keys differ by a letter because they are other words.
  package static let shortestKey = 5
  /// How many times as common a spelling is than one that is a letter away. Two names that are both common are two.
  package static let leastRatio = 4

  /// The groups of values that are probably one, those first that concern most files.
  ///
  /// - Parameters:
  ///   - leastRatio: 1 for all that are one letter apart.
  ///   - areArtists: Whether `VA` is `Various Artists`.
  /// - Complexity: O(n · length) on average: a letter more or less is looked up, not compared with all others.
  package static func groups(
    of values: [Value], leastRatio: Int = leastRatio, areArtists: Bool = false
  ) -> [ValueVariants] {
    var spellings = Spellings(leastRatio: leastRatio, areArtists: areArtists)
    for value in values { spellings.add(value) }
    spellings.joinNeighbours()
    return spellings.groups.sorted {
      ($1.fileCount, $0.common.text, $0.common.context) < ($0.fileCount, $1.common.text, $1.common.context)
    }
  }
}

/// The values by their keys.
private struct Spellings {
  private struct Key: Hashable {
    var context: String
    var name: String
  }

  private struct Group {
    /// Of the key.
    var name: String
    /// Its code points.
    var letters: [UInt32]
    var context: String
    var values: [ValueVariants.Value]
    var fileCount: Int
  }

  let leastRatio: Int
  let areArtists: Bool
  private var indexes: [Key: Int] = [:]
  private var kept: [Group] = []
  /// Of each group that belongs to another one, that one.
  private var joined: [Int: Int] = [:]

  init(leastRatio: Int, areArtists: Bool) { (self.leastRatio, self.areArtists) = (leastRatio, areArtists) }

  mutating func add(_ value: ValueVariants.Value) {
    let isVarious = areArtists && ArtistName.isVarious(value.text)
    let name = SpellingKey.key(isVarious ? AlbumRule.variousArtists : value.text)
    guard !name.isEmpty else { return }
    let key = Key(context: value.context.isEmpty ? "" : SpellingKey.key(value.context), name: name)
    if let index = indexes[key] {
      kept[index].fileCount += value.fileCount
      // Canonically equal texts are one spelling; they look the same, too.
      if let same = kept[index].values.firstIndex(where: { $0.text == value.text }) {
        kept[index].values[same].fileCount += value.fileCount
      } else {
        kept[index].values.append(value)
      }
    } else {
      indexes[key] = kept.count
      kept.append(
        Group(
          name: name, letters: name.unicodeScalars.map(\.value), context: key.context, values: [value],
          fileCount: value.fileCount))
    }
  }

  /// Joins rare keys to common ones that are one letter away, by the hashes of what is left of both without a letter.
  mutating func joinNeighbours() {
    let common = kept.indices.filter {
      kept[$0].fileCount >= leastRatio && kept[$0].letters.count >= ValueVariants.shortestKey
    }
    guard !common.isEmpty else { return }
    var filter = HashFilter(count: common.reduce(0) { $0 + kept[$1].letters.count + 1 })
    var places: [UInt64: [Int]] = [:]
    for index in common {
      DeletionHashes.forEach(kept[index].letters, kept[index].context) { hash in
        filter.insert(hash)
        if places[hash]?.last != index { places[hash, default: []].append(index) }
      }
    }
    for index in kept.indices where kept[index].letters.count >= ValueVariants.shortestKey - 1 {
      var best: Int?
      DeletionHashes.forEach(kept[index].letters, kept[index].context) { hash in
        guard filter.contains(hash) else { return }
        for other in places[hash] ?? [] where other != index && isVariant(index, of: other) {
          if let known = best, !isBefore(other, known) { continue }
          best = other
        }
      }
      joined[index] = best
    }
  }

  private func isVariant(_ index: Int, of other: Int) -> Bool {
    let (rare, common) = (kept[index], kept[other])
    return rare.fileCount * leastRatio <= common.fileCount && rare.context == common.context
      // None leads back to itself.
      && isBefore(other, index)
      // Volumes and years are others.
      && rare.letters.filter(Self.isDigit) == common.letters.filter(Self.isDigit)
      && EditDistance.between(rare.name, common.name) == 1
  }

  /// By number of files, then by their letters, whatever the order in which values came.
  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (kept[one], kept[other])
    if one.fileCount != other.fileCount { return one.fileCount > other.fileCount }
    return one.letters.lexicographicallyPrecedes(other.letters)
  }

  private static func isDigit(_ letter: UInt32) -> Bool { (0x30...0x39).contains(letter) }

  var groups: [ValueVariants] {
    var members: [Int: [ValueVariants.Value]] = [:]
    for index in kept.indices {
      var root = index
      // Each step leads to a key that is more common.
      while let next = joined[root] { root = next }
      if root != index { members[root, default: kept[root].values] += kept[index].values }
    }
    for index in kept.indices where kept[index].values.count > 1 && joined[index] == nil && members[index] == nil {
      members[index] = kept[index].values
    }
    return members.values.map { values in
      let sorted = values.sorted { Spelling.isBefore(($0.text, $0.fileCount), ($1.text, $1.fileCount)) }
      return ValueVariants(common: sorted[0], others: Array(sorted.dropFirst()))
    }
  }
}

/// The hashes of a text and of all texts that lack one of its letters.
private enum DeletionHashes {
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func forEach(_ letters: [UInt32], _ context: String, _ body: (UInt64) -> Void) {
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in context.utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The hash of a prefix is the sum of its letters times powers of the base.
    var whole: UInt64 = 0
    for letter in letters { whole = whole &* base &+ UInt64(letter) &+ 1 }
    body(mixed(whole ^ seed))
    var (power, suffix, prefix): (UInt64, UInt64, UInt64) = (1, 0, whole)
    // Odd, so that dividing by the base is multiplying with its inverse.
    for letter in letters.reversed() {
      prefix = (prefix &- (UInt64(letter) &+ 1)) &* inverse
      // Without this letter: what is before it, moved one place less, and what is behind it.
      body(mixed((prefix &* power &+ suffix) ^ seed))
      suffix = suffix &+ (UInt64(letter) &+ 1) &* power
      power = power &* base
    }
  }

  /// Of ``base`` modulo 2^64, by Newton's iteration, which doubles the number of right bits.
  private static let inverse: UInt64 = {
    var inverse = base
    for _ in 0..<6 { inverse = inverse &* (2 &- base &* inverse) }
    return inverse
  }()

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return hash ^ (hash >> 32)
  }
}

/// Says of most hashes at once that they were not inserted.
private struct HashFilter {
  private var words: [UInt64]
  private let mask: UInt64

  init(count: Int) {
    var size = 1 << 16
    while size < count * 16, size < 1 << 28 { size <<= 1 }
    words = Array(repeating: 0, count: size / 64)
    mask = UInt64(size - 1)
  }

  mutating func insert(_ hash: UInt64) {
    let bit = hash & mask
    words[Int(bit >> 6)] |= 1 << (bit & 63)
  }

  func contains(_ hash: UInt64) -> Bool {
    let bit = hash & mask
    return words[Int(bit >> 6)] & (1 << (bit & 63)) != 0
  }
}

/// ``NameKey`` without blanks, so that `Post-Rock` and `Postrock` are one; faster for plain English.
package enum SpellingKey {
  package static func key(_ text: String) -> String {
    plainKey(text) ?? NameKey.key(text).replacing(" ", with: "")
  }

  /// nil for a text that is not letters, digits and blanks of ASCII.
  private static func plainKey(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      var start = 0
      guard let first = bytes.first, first != 0x20, first != 0x2D else { return nil }
      if bytes.count > 3, bytes[0] & 0xDF == 0x54, bytes[1] & 0xDF == 0x48, bytes[2] & 0xDF == 0x45, bytes[3] == 0x2D {
        return nil
      }
      if bytes.count > 4, bytes[0] & 0xDF == 0x54, bytes[1] & 0xDF == 0x48, bytes[2] & 0xDF == 0x45, bytes[3] == 0x20 {
        start = 4
        // "The The" is a name, and so is one of which nothing else is left.
        if bytes.count < 8 || bytes[4] & 0xDF == 0x54 || bytes[4] == 0x20 || bytes[4] == 0x2D { return nil }
      }
      var key: [UInt8] = []
      key.reserveCapacity(bytes.count)
      var isLetter = false
      for byte in bytes[start...] {
        switch byte {
        case 0x61...0x7A, 0x30...0x39:
          key.append(byte)
          isLetter = true
        case 0x41...0x5A:
          key.append(byte | 0x20)
          isLetter = true
        case 0x20, 0x2D: continue
        default: return nil
        }
      }
      return isLetter ? String(decoding: key, as: UTF8.self) : nil
    }
  }
}
