internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// Landmarks of recordings that do not exist, with the peaks a second, frequencies and distances of real ones.
///
/// Each is joined of pieces of some seconds of real landmarks, which are moved in frequency and shaken a little, so that no
/// piece is heard in two recordings.
struct SyntheticLandmarks {
  private static let pieceSeconds = 3.0...8.0
  /// Of peaks: how many are left out, and how many are a column early or late.
  private static let lostShare = 0.1
  private static let shakenShare = 0.3
  /// How far pieces are moved; peaks within a unit of each other count as equal.
  private static let distancesInUnits = 4...12

  private let sources: [Landmarks]

  /// - Parameter library: Whose landmarks are the example.
  init(like library: BytePath) throws {
    let store = try MediaStore(at: library, access: .readOnly)
    defer { try? store.close() }
    let ids = try store.products.landmarks().rows.map(\.productID)
    sources = try store.products.bytes(of: ids).sorted { $0.key < $1.key }.map { try Landmarks(blob: $0.value) }
      .filter { $0.durationInSeconds > 2 * Self.pieceSeconds.upperBound }
    guard !sources.isEmpty else { throw BenchFailure("\(library.displayString) has no recording with landmarks") }
  }

  func next(durationInSeconds: Double, _ random: inout BenchRandom) -> Landmarks {
    let end = Int32(durationInSeconds * Landmarks.columnsPerSecond)
    var peaks: [Landmarks.Peak] = []
    var start: Int32 = 0
    while start < end {
      let source = random.pick(sources)
      let seconds =
        Self.pieceSeconds.lowerBound
        + random.unit() * (Self.pieceSeconds.upperBound - Self.pieceSeconds.lowerBound)
      let length = min(Int32(seconds * Landmarks.columnsPerSecond), end - start)
      let first = Int32(random.unit() * Double(source.columnCount - length))
      let distance = random.number(Self.distancesInUnits) * (random.isTrue(0.5) ? 1 : -1)
      for peak in source.part(first..<first + length).peaks {
        let unit = Int(peak.unit) + distance
        guard (0..<LandmarkScale.unitCount).contains(unit), !random.isTrue(Self.lostShare) else { continue }
        let shift = random.isTrue(Self.shakenShare) ? Int32(random.number(-1...1)) : 0
        let column = max(start, min(start + peak.column + shift, start + length - 1))
        peaks.append(Landmarks.Peak(column: column, unit: UInt8(unit), strength: peak.strength))
      }
      start += length
    }
    peaks.sort { ($0.column, $0.unit) < ($1.column, $1.unit) }
    return Landmarks(columnCount: end, peaks: peaks)
  }
}
