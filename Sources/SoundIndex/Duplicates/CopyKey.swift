internal import MediaModel

/// A key of a place in a recording that copies of it have, too: three peaks as 46 bits, some six of them a second.
///
/// Of a long recording some 24 a minute are enough. They are chosen by their own value (the least within a second to each side, as
/// in S. Schleimer's winnowing), so copies that are cut elsewhere choose the same ones. Equal keys of different recordings are
/// rare.
struct CopyKey {
  /// A key counts if none is less within as many columns to each side.
  private static let reach: Int32 = 54

  let value: UInt64
  let column: Int32

  /// All keys, by their columns.
  ///
  /// - Complexity: O(n) for n peaks.
  static func all(of landmarks: Landmarks) -> [CopyKey] {
    // The pairs of one peak come one after the other.
    var all: [CopyKey] = []
    var previous: (pair: UInt32, column: Int32, unit: UInt32)?
    LandmarkPair.forEachStored(of: landmarks) { pair, column in
      let unit = pair >> 15
      if let known = previous, known.column == column, known.unit == unit {
        all.append(CopyKey(value: mixed(UInt64(known.pair) << 23 | UInt64(pair)), column: column))
      }
      previous = (pair, column, unit)
    }
    return all
  }

  /// Those of some keys that are enough to find a long recording.
  ///
  /// - Complexity: O(n) for n keys.
  static func chosen(from all: [CopyKey]) -> [CopyKey] {
    var kept: [CopyKey] = []
    var start = 0
    for (index, key) in all.enumerated() {
      while all[start].column < key.column - reach { start += 1 }
      var isLeast = true
      var other = start
      while isLeast, other < all.count, all[other].column <= key.column + reach {
        if all[other].value < key.value || all[other].value == key.value && other < index { isLeast = false }
        other += 1
      }
      if isLeast { kept.append(key) }
    }
    return kept
  }

  /// A number that seems random, and differs for each value (SplitMix64).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
