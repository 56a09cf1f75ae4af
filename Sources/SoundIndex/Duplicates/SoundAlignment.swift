package import MediaModel

/// How the peaks of two recordings agree if one begins at a place of the other.
package struct SoundAlignment: Hashable, Sendable {
  /// Columns of the blocks that are judged on their own: five seconds.
  private static let blockLength: Int32 = 215
  /// The share of the peaks of a block that agree if it is the same sound.
  private static let leastShareOfBlock = 0.2
  private static let leastPeaksOfBlock = 5

  /// The column of the first recording at which the second begins.
  package var offset: Int32
  /// The columns of the first recording that the second one reaches, too.
  package var overlap: Range<Int32>
  /// The peaks of both that agree, as a share of those of the recording with fewer peaks in the overlap.
  package var share: Double
  /// The blocks of the overlap that are the same sound, as a share of those that have peaks.
  package var coverage: Double
  /// The columns of the first recording from the first to the last block that is the same sound; empty if there is none.
  package var same: Range<Int32>
  /// Peaks that agree to the column, which tell an offset from those next to it.
  private let exactCount: Int

  /// - Complexity: O(n) for n peaks.
  package init(_ first: Landmarks, _ second: Landmarks, offset: Int32) {
    self.offset = offset
    let overlap = max(0, offset)..<max(max(0, offset), min(first.columnCount, second.columnCount + offset))
    self.overlap = overlap
    let blockCount = Int(overlap.upperBound - overlap.lowerBound) / Int(Self.blockLength) + 1
    var blocks = [(peaks: Int, matched: Int)](repeating: (0, 0), count: blockCount)
    let own = first.part(overlap).peaks
    let other = second.part(overlap.lowerBound - offset..<overlap.upperBound - offset).peaks
    var start = 0
    var matchedCount = 0
    var exactCount = 0
    for peak in own {
      let block = Int(peak.column / Self.blockLength)
      blocks[block].peaks += 1
      while start < other.count, other[start].column < peak.column - 1 { start += 1 }
      var index = start
      while index < other.count, other[index].column <= peak.column + 1 {
        if abs(Int(other[index].unit) - Int(peak.unit)) <= 1 {
          if other[index].column == peak.column { exactCount += 1 }
          matchedCount += 1
          blocks[block].matched += 1
          break
        }
        index += 1
      }
    }
    self.exactCount = exactCount
    let least = min(own.count, other.count)
    share = least > 0 ? min(1, Double(matchedCount) / Double(least)) : 0
    let audible = blocks.indices.filter { blocks[$0].peaks >= Self.leastPeaksOfBlock }
    let agreeing = audible.filter { Double(blocks[$0].matched) >= Self.leastShareOfBlock * Double(blocks[$0].peaks) }
    coverage = audible.isEmpty ? 0 : Double(agreeing.count) / Double(audible.count)
    if let low = agreeing.first, let high = agreeing.last {
      let end = min(overlap.upperBound, overlap.lowerBound + Int32(high + 1) * Self.blockLength)
      same = overlap.lowerBound + Int32(low) * Self.blockLength..<end
    } else {
      same = overlap.lowerBound..<overlap.lowerBound
    }
  }

  /// The best of the offsets next to one that was counted from keys.
  package init(_ first: Landmarks, _ second: Landmarks, near offset: Int32) {
    self =
      (-2...2).map { SoundAlignment(first, second, offset: offset + $0) }
      .max { ($0.exactCount, -abs($0.offset - offset)) < ($1.exactCount, -abs($1.offset - offset)) }
      ?? SoundAlignment(first, second, offset: offset)
  }
}
