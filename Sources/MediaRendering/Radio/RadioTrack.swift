internal import Base
internal import DecodingService
internal import LibraryQueries
package import LibraryTracks
package import MediaModel
package import MediaStore
package import QueryLanguage

/// A track of a radio programme, and what the library knows of its place there.
package struct RadioTrack: Sendable {
  package let rendered: RenderedTrack
  private let album: AlbumPlace?
  /// How long it is quiet at its start.
  let introInSeconds: Double

  /// Where a file stands in an edition of an album.
  package struct AlbumPlace: Hashable, Sendable {
    package var edition: String
    package var disc: Int
    package var track: Int

    package init(edition: String, disc: Int, track: Int) {
      self.edition = edition
      self.disc = disc
      self.track = track
    }

    /// Whether another place is the next one; the first track of a disc follows the last of the disc before, which nobody can
    /// tell from any other.
    package func isFollowed(by next: AlbumPlace) -> Bool {
      guard edition == next.edition else { return false }
      return disc == next.disc ? next.track == track + 1 : next.disc == disc + 1 && next.track == 1
    }
  }

  package init(_ rendered: RenderedTrack, album: AlbumPlace?, in store: MediaStore) throws {
    self.rendered = rendered
    self.album = album
    let id = rendered.source.track.recordingID
    // What is a part begins somewhere else, and what changes its speed lasts longer.
    guard rendered.source.track.part == nil, rendered.chain.rate == 1,
      let product = try store.products.product(.waveformEnergy, ofRecording: id)
    else {
      introInSeconds = 0
      return
    }
    introInSeconds = try Self.introInSeconds(WaveformEnergy(blob: product.bytes))
  }

  func isFollowed(by next: RadioTrack) -> Bool {
    guard let album, let other = next.album else { return false }
    return album.isFollowed(by: other)
  }

  /// How far below the mean of the track its beginning stays.
  private static let introInDB = -8.0

  /// Until a second of the track is nearly as loud as its mean.
  package static func introInSeconds(_ energy: WaveformEnergy) -> Double {
    guard energy.sampleRateInHz > 0, energy.framesPerPoint > 0 else { return 0 }
    let pointCount = max(1, energy.sampleRateInHz / energy.framesPerPoint)
    let mean = BandEnergy(energy, frames: 0..<energy.points.count * energy.framesPerPoint).whole
    guard mean > 0 else { return 0 }
    let limit = mean * Decibels.power(introInDB)
    var end = 0
    while end < energy.points.count {
      let second = end * energy.framesPerPoint..<(end + pointCount) * energy.framesPerPoint
      guard BandEnergy(energy, frames: second).whole < limit else { break }
      end += max(1, pointCount / 4)
    }
    return Double(min(end, energy.points.count) * energy.framesPerPoint) / Double(energy.sampleRateInHz)
  }

  /// The tracks that a query finds, in its order, each recording once.
  ///
  /// - Parameter chain: nil for the presets that apply to the tracks.
  /// - Returns: Also how many files have no decoded sound.
  package static func all(
    of query: Query, through chain: EffectChain?, in store: MediaStore, source: (TrackReference) -> RecordingSource
  ) throws -> (tracks: [RadioTrack], undecodedCount: Int) {
    let fields = [
      QueryField("id", .integer), QueryField("path", .path), QueryField("duration", .duration),
      QueryField("editionname", .text), QueryField("disc", .integer), QueryField("track", .integer),
    ]
    var rows: [(path: BytePath, album: AlbumPlace?)] = []
    var seen: Set<Int64> = []
    var undecodedCount = 0
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .path(let path) = values[1] else { return }
      guard case .integer(let id) = values[0], values[2] != .none else {
        undecodedCount += 1
        return
      }
      guard seen.insert(id).inserted else { return }
      var album: AlbumPlace?
      if case .text(let edition) = values[3], case .integer(let track) = values[5] {
        var disc = 1
        if case .integer(let number) = values[4] { disc = Int(number) }
        album = AlbumPlace(edition: edition, disc: disc, track: Int(track))
      }
      rows.append((path, album))
    }
    let tracks = try rows.map { row in
      let rendered = try RenderedTrack(
        source(try store.tracks.resolve(row.path)), through: chain, in: store, withArtwork: false)
      return try RadioTrack(rendered, album: row.album, in: store)
    }
    return (tracks, undecodedCount)
  }
}
