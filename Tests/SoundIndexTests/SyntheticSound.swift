import Base
import Foundation
import MediaModel
import TestSupport

@testable import SoundIndex

/// Landmarks of recordings that do not exist.
enum SyntheticSound {
  /// Peaks at random, some six a second.
  static func landmarks(seed: UInt64, seconds: Double = 60) -> Landmarks {
    var random = RepeatableRandom(seed: seed)
    let columnCount = Int32(seconds * Landmarks.columnsPerSecond)
    var peaks: [Landmarks.Peak] = []
    var column: Int32 = 0
    while true {
      column += Int32.random(in: 0...14, using: &random)
      guard column < columnCount else { break }
      peaks.append(
        Landmarks.Peak(
          column: column, unit: UInt8.random(in: 0..<172, using: &random),
          strength: UInt8.random(in: 2...12, using: &random)))
    }
    peaks.sort { ($0.column, $0.unit) < ($1.column, $1.unit) }
    return Landmarks(columnCount: columnCount, peaks: peaks)
  }

  /// A part, of whose peaks some are lost and others move, and some times as many others are added.
  static func excerpt(
    of landmarks: Landmarks, fromColumn start: Int32, columnCount: Int32, keeping share: Double = 1,
    movingBy reach: Int32 = 0, adding factor: Double = 3, seed: UInt64 = 1
  ) -> Landmarks {
    var random = RepeatableRandom(seed: seed)
    var peaks = landmarks.peaks.filter { (start..<start + columnCount).contains($0.column) }
      .filter { _ in Double.random(in: 0..<1, using: &random) < share }
    if reach > 0 {
      for index in peaks.indices {
        let column = peaks[index].column + Int32.random(in: -reach...reach, using: &random)
        peaks[index].column = min(max(column, start), start + columnCount - 1)
      }
    }
    for _ in 0..<Int(Double(peaks.count) * factor) {
      peaks.append(
        Landmarks.Peak(
          column: start + Int32.random(in: 0..<columnCount, using: &random),
          unit: UInt8.random(in: 0..<172, using: &random),
          strength: UInt8.random(in: 1...9, using: &random)))
    }
    return Landmarks(
      columnCount: columnCount,
      peaks: peaks.map { Landmarks.Peak(column: $0.column - start, unit: $0.unit, strength: $0.strength) }
        .sorted { ($0.column, $0.unit) < ($1.column, $1.unit) })
  }

  static func recording(_ number: UInt64, seconds: Double = 60) -> NewRecording {
    let bytes = landmarks(seed: number, seconds: seconds).blob
    return NewRecording(hash: hash(number), landmarkBytes: bytes, checksum: CRC32.checksum(bytes))
  }

  static func hash(_ number: UInt64) -> ContentHash { ContentHash(high: 7, low: number) }

  static func listing(_ recordings: [NewRecording], mark: UInt8 = 1, version: Int = 1) -> LibraryListing {
    LibraryListing(
      mark: [UInt8](repeating: mark, count: 16), recipeVersion: version,
      entries: recordings.map {
        LibraryListing.Entry(hash: $0.hash, checksum: $0.checksum, productID: Int64($0.hash.low))
      })
  }

  /// Brings an index up to date with recordings.
  @discardableResult
  static func update(
    _ folder: BytePath, _ recordings: [NewRecording], mark: UInt8 = 1, version: Int = 1
  ) throws -> IndexUpdateReport {
    let byHash = Dictionary(uniqueKeysWithValues: recordings.map { ($0.hash, $0) })
    return try SoundIndex.update(
      at: folder, to: listing(recordings, mark: mark, version: version),
      load: { $0.compactMap { byHash[$0.hash] } })
  }
}
