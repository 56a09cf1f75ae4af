internal import Base
internal import LibraryTracks
package import MediaDrawing
internal import MediaModel
package import MediaStore

/// What the engraved cover of an album or a recording is drawn from: which recordings, and what they are called together.
///
/// Cheap to make, because no product is read before ``cover(side:ground:in:)``.
package struct AlbumEngraving: Sendable {
  /// Columns of a track: more than a ring has strokes, at most sizes.
  static let columnCount = 512
  /// An album with more is drawn from so many of its tracks, spread evenly over it: each would have a fraction of a ring anyway.
  static let largestTrackCount = 240
  /// Changes with the drawing.
  private static let drawingVersion = 1

  /// 32 hexadecimal digits that name the drawing at any size: of the recordings in order and of their stored waveforms.
  ///
  /// What shards keep is not in it.
  package let identity: String

  private let tracks: [AlbumTrack]
  private let number: EtchedNumber?

  /// The best edition of an album, or all tracks without an album that are together as one; nil if there is none, or none of its
  /// files is there.
  package init?(ofAlbum id: Int64, in store: MediaStore) throws(StoreError) {
    try self.init(try store.albums.tracks(of: id), in: store)
  }

  /// A recording alone: one ring; nil if there is none.
  package init?(ofRecording id: Int64, in store: MediaStore) throws(StoreError) {
    try self.init(try [store.albums.track(ofRecording: id)].compactMap(\.self), in: store)
  }

  private init?(_ all: [AlbumTrack], in store: MediaStore) throws(StoreError) {
    guard !all.isEmpty else { return nil }
    let number = EtchedNumber(of: all.map(\.hash))
    tracks = Self.sample(of: all)
    self.number = number
    let marks = try store.products.marks(of: [.waveform, .waveformEnergy], ofRecordings: tracks.map(\.recordingID))
    identity = MD5.hexadecimal(
      of: (["engraving \(Self.drawingVersion)", number.description, "\(all.count)"]
        + zip(tracks, marks).map { "\($0.hash) \($0.durationInSeconds) \($1)" }).joined(separator: "\n"))
  }

  /// At most ``largestTrackCount`` of the tracks, from the first on at equal distances.
  static func sample<Track>(of tracks: [Track]) -> [Track] {
    guard tracks.count > largestTrackCount else { return tracks }
    return (0..<largestTrackCount).map { tracks[$0 * tracks.count / largestTrackCount] }
  }

  /// - Parameter side: In pixels; the nearest of ``EngravedCover/sides`` is taken.
  /// - Returns: The cover, and whether all that is stored could be read. If not, a shard is not at hand: its tracks are left
  ///   out, and what is drawn now should not be kept. Damaged products count as absent.
  package func cover(
    side: Int, ground: EngravedCover.Ground, in store: MediaStore
  ) throws -> (cover: EngravedCover, isComplete: Bool) {
    var reader = EngravedTrackReader(store: store)
    var read = try tracks.map { try reader.track($0) }
    let durations = read.filter(\.isAudible).map(\.durationInSeconds)
    if EngravedCover.showsPeaks(side: side, durations: durations) {
      for (index, track) in tracks.enumerated() where read[index].isAudible {
        read[index].peaks = try reader.peaks(of: track, columnCount: read[index].energy.count)
      }
    }
    var cover = try EngravedCover(side: side, tracks: read, ground: ground)
    cover.number = number
    return (cover, reader.isComplete)
  }
}

extension MediaStore {
  /// The engraved cover of the album with a key, see ``AlbumEngraving``; nil if there is no such album, or no file of it.
  package func engravedCover(
    ofAlbum key: String, side: Int, ground: EngravedCover.Ground = .dark
  ) throws -> EngravedCover? {
    guard let id = try albums.id(ofKey: key) else { return nil }
    return try AlbumEngraving(ofAlbum: id, in: self)?.cover(side: side, ground: ground, in: self).cover
  }
}

/// Reads the stored waveforms of tracks, reduced to columns.
private struct EngravedTrackReader {
  let store: MediaStore
  /// Whether every shard answered that was asked.
  private(set) var isComplete = true

  init(store: MediaStore) { self.store = store }

  mutating func track(_ track: AlbumTrack) throws -> EngravedCover.Track {
    let energy = try product(.waveformEnergy, of: track).flatMap { try? WaveformEnergy(blob: $0.bytes) }
    var engraved = EngravedCover.Track(
      durationInSeconds: track.durationInSeconds, hash: track.hash,
      energy: energy?.columns(AlbumEngraving.columnCount) ?? [])
    if let energy, engraved.durationInSeconds <= 0, energy.sampleRateInHz > 0 {
      engraved.durationInSeconds =
        Double(energy.points.count) * Double(energy.framesPerPoint) / Double(energy.sampleRateInHz)
    }
    return engraved
  }

  mutating func peaks(of track: AlbumTrack, columnCount: Int) throws -> [UInt8] {
    let peaks = try product(.waveform, of: track).flatMap { try? WaveformPeaks(datBytes: $0.bytes) }
    return peaks?.columns(columnCount) ?? []
  }

  /// nil for a damaged one, too; `doctor` reports it.
  private mutating func product(_ kind: ProductKind, of track: AlbumTrack) throws -> Product? {
    do throws(StoreError) {
      return try store.products.product(kind, ofRecording: track.recordingID)
    } catch {
      switch error {
      case .damagedProduct: return nil
      case .shard:
        isComplete = false
        return nil
      default: throw error
      }
    }
  }
}

extension WaveformEnergy {
  /// The mean levels of `count` equal parts; of fewer, if there are fewer points.
  fileprivate func columns(_ count: Int) -> [Point] {
    let count = min(count, points.count)
    return (0..<count).map { mean(of: points.count * $0 / count..<points.count * ($0 + 1) / count) }
  }
}

extension WaveformPeaks {
  /// The peaks of any channel of `count` equal parts as ``DecibelStep``, 0 for silence; none if there are fewer points.
  fileprivate func columns(_ count: Int) -> [UInt8] {
    guard pointCount >= count else { return [] }
    let width = 2 * channelCount
    let fullScale = resolution == .bits8 ? 128.0 : 32_768
    return (0..<count).map { column in
      let range = pointCount * column / count * width..<pointCount * (column + 1) / count * width
      var largest = 0
      // Rounded down, so -1 may be silence; ``peakInDBFS`` counts in the same way.
      for value in values[range] where value > 0 || value < -1 {
        largest = max(largest, value < 0 ? -Int(value) : Int(value) + 1)
      }
      return largest > 0 ? DecibelStep.encode(Float(Decibels.level(ofAmplitude: Double(largest) / fullScale))) : 0
    }
  }
}
