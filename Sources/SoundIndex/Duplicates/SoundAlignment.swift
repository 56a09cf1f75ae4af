package import MediaModel

/// How the peaks of two recordings agree if one begins at a place of the other.
package struct SoundAlignment: Hashable, Sendable {
  /// Columns of the blocks that are judged on their own: five seconds.
  private static let blockLength: Int32 = 215
  /// The share of the peaks of a block, of the recording that has more of them, that agree if it is the same sound.
  private static let leastShareOfBlock = 0.2
  private static let leastPeaksOfBlock = 5

  /// The column of the first recording at which the second begins.
  package var offset: Int32
  /// The columns of the first recording that the second one reaches, too.
  package var overlap: Range<Int32>
  /// The peaks of both that agree, as a share of those of the recording with fewer peaks in the overlap.
  package var share: Double
  /// The blocks of the overlap that are the same sound, as a share of those in which either recording has peaks.
  package var coverage: Double
  /// The blocks that are the same sound, as a share of all blocks of the first recording that have peaks, those outside of the
  /// overlap among them.
  package var coverageOfFirst: Double
  /// The same of the second recording.
  package var coverageOfSecond: Double
  /// The columns of the first recording from the first to the last block that is the same sound; empty if there is none.
  package var same: Range<Int32>
  /// Peaks that agree to the column, which tell an offset from those next to it.
  private let exactCount: Int

  /// What one block of the overlap has.
  private struct Block {
    var firstCount = 0
    var secondCount = 0
    var matchedCount = 0

    var isHeardInFirst: Bool { firstCount >= SoundAlignment.leastPeaksOfBlock }
    var isHeardInSecond: Bool { secondCount >= SoundAlignment.leastPeaksOfBlock }

    var isSame: Bool {
      (isHeardInFirst || isHeardInSecond)
        && Double(matchedCount) >= SoundAlignment.leastShareOfBlock * Double(max(firstCount, secondCount))
    }
  }

  /// - Complexity: O(n) for n peaks.
  package init(_ first: Landmarks, _ second: Landmarks, offset: Int32) {
    self.offset = offset
    let overlap = max(0, offset)..<max(max(0, offset), min(first.columnCount, second.columnCount + offset))
    self.overlap = overlap
    var blocks = [Block](repeating: Block(), count: overlap.count / Int(Self.blockLength) + 1)
    let partOfSecond = overlap.lowerBound - offset..<overlap.upperBound - offset
    let own = first.part(overlap).peaks
    let other = second.part(partOfSecond).peaks
    for peak in other { blocks[Int(peak.column / Self.blockLength)].secondCount += 1 }
    var start = 0
    var exactCount = 0
    for peak in own {
      let block = Int(peak.column / Self.blockLength)
      blocks[block].firstCount += 1
      while start < other.count, other[start].column < peak.column - 1 { start += 1 }
      var index = start
      while index < other.count, other[index].column <= peak.column + 1 {
        if abs(Int(other[index].unit) - Int(peak.unit)) <= 1 {
          if other[index].column == peak.column { exactCount += 1 }
          blocks[block].matchedCount += 1
          break
        }
        index += 1
      }
    }
    self.exactCount = exactCount
    let least = min(own.count, other.count)
    let matchedCount = blocks.reduce(0) { $0 + $1.matchedCount }
    share = least > 0 ? min(1, Double(matchedCount) / Double(least)) : 0
    let agreeing = blocks.indices.filter { blocks[$0].isSame }
    func covered(of count: Int) -> Double { count == 0 ? 0 : min(1, Double(agreeing.count) / Double(count)) }
    coverage = covered(of: blocks.count { $0.isHeardInFirst || $0.isHeardInSecond })
    coverageOfFirst = covered(
      of: blocks.count { $0.isHeardInFirst } + Self.heardBlockCount(of: first, outside: overlap))
    coverageOfSecond = covered(
      of: blocks.count { $0.isHeardInSecond } + Self.heardBlockCount(of: second, outside: partOfSecond))
    if let low = agreeing.first, let high = agreeing.last {
      let end = min(overlap.upperBound, overlap.lowerBound + Int32(high + 1) * Self.blockLength)
      same = overlap.lowerBound + Int32(low) * Self.blockLength..<end
    } else {
      same = overlap.lowerBound..<overlap.lowerBound
    }
  }

  /// The blocks before and behind a range that have peaks; nothing of the other recording is there.
  private static func heardBlockCount(of landmarks: Landmarks, outside range: Range<Int32>) -> Int {
    var counts: [Int32: Int] = [:]
    for peak in landmarks.peaks {
      if peak.column < range.lowerBound {
        counts[-1 - (range.lowerBound - 1 - peak.column) / blockLength, default: 0] += 1
      } else if peak.column >= range.upperBound {
        counts[(peak.column - range.upperBound) / blockLength, default: 0] += 1
      }
    }
    return counts.values.count { $0 >= leastPeaksOfBlock }
  }

  /// The best of the offsets next to one that was counted from keys.
  package init(_ first: Landmarks, _ second: Landmarks, near offset: Int32) {
    self =
      (-2...2).map { SoundAlignment(first, second, offset: offset + $0) }
      .max { ($0.exactCount, -abs($0.offset - offset)) < ($1.exactCount, -abs($1.offset - offset)) }
      ?? SoundAlignment(first, second, offset: offset)
  }
}
