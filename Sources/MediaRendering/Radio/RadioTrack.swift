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
  private let genres: [String]

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

    package static func neighbours(_ place: AlbumPlace?, _ next: AlbumPlace?) -> TransitionPlanner.Neighbours {
      guard let place, let next else { return .strangers }
      if place.isFollowed(by: next) { return .album }
      return place.edition == next.edition ? .sameEdition : .strangers
    }
  }

  package init(_ rendered: RenderedTrack, album: AlbumPlace?, genres: [String] = [], in store: MediaStore) throws {
    self.rendered = rendered
    self.album = album
    self.genres = genres
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

  func isFollowed(by next: RadioTrack) -> Bool { AlbumPlace.neighbours(album, next.album) == .album }

  /// What decides how it leads to the next one.
  ///
  /// - Parameter length: As it is rendered, in seconds.
  func sequenced(length: Double, from store: MediaStore) throws -> SequencedTrack {
    SequencedTrack(
      try TransitionPlanner.Track(
        ofRecording: rendered.source.track.recordingID, length: length, speed: rendered.chain.rate, genres: genres,
        from: store), album: album)
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

  /// A file that a query finds, and where it stands.
  struct Row {
    fileprivate static let fields = [
      QueryField("id", .integer), QueryField("path", .path), QueryField("duration", .duration),
      QueryField("editionname", .text), QueryField("disc", .integer), QueryField("track", .integer),
      QueryField("genre", .text), QueryField("artist", .text), QueryField("title", .text),
    ]

    var recordingID: Int64
    var path: BytePath
    /// nil without decoded sound.
    var lengthInSeconds: Double?
    var album: AlbumPlace?
    var genres: [String]
    var artist: String?
    var title: String?

    /// - Parameter values: Of ``fields``; nil for a file that is no track.
    fileprivate init?(_ values: ArraySlice<FieldValue>) {
      let values = Array(values)
      guard case .path(let path) = values[1] else { return nil }
      func text(_ index: Int) -> String? { if case .text(let text) = values[index] { text } else { nil } }
      func number(_ index: Int) -> Int64? {
        if case .integer(let number) = values[index] { number } else { nil }
      }
      recordingID = number(0) ?? 0
      self.path = path
      if case .real(let length) = values[2], recordingID > 0 { lengthInSeconds = length }
      album = text(3).flatMap { edition in
        number(5).map { AlbumPlace(edition: edition, disc: Int(number(4) ?? 1), track: Int($0)) }
      }
      genres = text(6).map { [$0] } ?? []
      (artist, title) = (text(7), text(8))
    }
  }

  /// The files that a query finds, in its order, each recording once.
  ///
  /// - Returns: Also how many files have no decoded sound.
  static func rows(of query: Query, in store: MediaStore) throws -> (rows: [Row], undecodedCount: Int) {
    var rows: [Row] = []
    var seen: Set<Int64> = []
    var undecodedCount = 0
    try store.forEachRow(of: query, fields: Row.fields) { values in
      guard let row = Row(values[...]) else { return }
      if row.lengthInSeconds == nil {
        undecodedCount += 1
      } else if seen.insert(row.recordingID).inserted {
        rows.append(row)
      }
    }
    return (rows, undecodedCount)
  }

  /// The first file of a recording; nil if it has none.
  static func row(ofRecording id: Int64, in store: MediaStore) throws -> Row? {
    guard let file = try store.files.all(ofRecording: id).first?.id else { return nil }
    var found: Row?
    try store.forEachListRow(ofFiles: [file], fields: Row.fields) { found = Row($0.values.dropFirst()) }
    return found
  }

  /// The tracks that a query finds, in its order, each recording once.
  ///
  /// - Parameter chain: nil for the presets that apply to the tracks.
  /// - Returns: Also how many files have no decoded sound.
  package static func all(
    of query: Query, through chain: EffectChain?, in store: MediaStore, source: (TrackReference) -> RecordingSource
  ) throws -> (tracks: [RadioTrack], undecodedCount: Int) {
    let (rows, undecodedCount) = try rows(of: query, in: store)
    let tracks = try rows.map { row in
      let rendered = try RenderedTrack(
        source(try store.tracks.resolve(row.path)), through: chain, in: store, withArtwork: false)
      return try RadioTrack(rendered, album: row.album, genres: row.genres, in: store)
    }
    return (tracks, undecodedCount)
  }
}
