/// Counts how many postings agree on each place at which the excerpt could begin.
///
/// A vote is the position of a posting less the column of the pair in the excerpt. Votes of one place differ by a column
/// or two, so they are counted in cells of four columns, and two neighbouring cells are one candidate.
///
/// - Complexity: O(n) for n votes: they are dealt to ranges whose counters fit into the fast caches.
struct VoteCounter {
  struct Cell {
    /// The first vote that falls into it.
    var start: UInt32
    var count: Int
  }

  private static let cellBits: UInt32 = 2
  /// Cells of a range: 64 KiB of counters.
  private static let rangeBits: UInt32 = 16
  /// With more candidates than these, those with the fewest votes are dropped.
  private static let mostCandidates = 4_096

  private(set) var votes: [UInt32] = []

  mutating func removeAll() { votes.removeAll(keepingCapacity: true) }

  @inline(__always) mutating func add(_ vote: UInt32) { votes.append(vote) }

  /// The cells with the most votes, at least `least`, in descending order of votes; at most `limit`.
  func best(_ limit: Int, atLeast least: Int) -> [Cell] {
    guard let largest = votes.max() else { return [] }
    let shift = Self.cellBits + Self.rangeBits
    let rangeCount = Int(largest >> shift) + 1
    // Where the votes of each range begin when they are sorted by range.
    var places = [Int](repeating: 0, count: rangeCount + 1)
    for vote in votes { places[Int(vote >> shift) + 1] += 1 }
    for range in 0..<rangeCount { places[range + 1] += places[range] }
    let starts = places
    var sorted = [UInt32](repeating: 0, count: votes.count)
    for vote in votes {
      let range = Int(vote >> shift)
      sorted[places[range]] = vote
      places[range] += 1
    }
    var counters = [UInt16](repeating: 0, count: 1 << Int(Self.rangeBits) + 1)
    let mask: UInt32 = 1 << Self.rangeBits - 1
    var threshold = least
    var cells: [Cell] = []
    for range in 0..<rangeCount {
      let own = starts[range]..<starts[range + 1]
      guard own.count >= threshold else { continue }
      for index in own {
        let cell = Int(sorted[index] >> Self.cellBits & mask)
        if counters[cell] < .max { counters[cell] += 1 }
      }
      for index in own {
        let cell = Int(sorted[index] >> Self.cellBits & mask)
        let count = Int(counters[cell]) + Int(counters[cell + 1])
        if count >= threshold {
          cells.append(Cell(start: UInt32(range) << shift | UInt32(cell) << Self.cellBits, count: count))
          if cells.count > Self.mostCandidates { (cells, threshold) = Self.trimmed(cells, to: limit) }
        }
      }
      for index in own { counters[Int(sorted[index] >> Self.cellBits & mask)] = 0 }
    }
    var found = Set<UInt32>()
    return cells.sorted { ($0.count, $1.start) > ($1.count, $0.start) }
      .filter { found.insert($0.start).inserted }.prefix(limit).map { $0 }
  }

  private static func trimmed(_ cells: [Cell], to limit: Int) -> ([Cell], threshold: Int) {
    var found = Set<UInt32>()
    let kept = cells.sorted { $0.count > $1.count }.filter { found.insert($0.start).inserted }.prefix(4 * limit)
    return (Array(kept), (kept.last?.count ?? 0) + 1)
  }
}
