package import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel
package import MediaStore
internal import UserData

/// What another program knows of a track, for finding it in this library.
package struct TrackDescription: Hashable, Sendable {
  /// Absolute paths that it may have, the most likely first.
  package var paths: [BytePath]
  package var hash: String?
  package var title: String?
  package var artist: String?
  package var durationInSeconds: Double?
  /// File names without any folder that it may have, if that is all that the other program says about the place.
  package var bareNames: [String]

  package init(
    paths: [BytePath], hash: String? = nil, title: String? = nil, artist: String? = nil,
    durationInSeconds: Double? = nil, bareNames: [String] = []
  ) {
    self.paths = paths
    self.hash = hash
    self.title = title
    self.artist = artist
    self.durationInSeconds = durationInSeconds
    self.bareNames = bareNames
  }

  /// The largest difference between two lengths of one recording: playlists have whole seconds, and programs count
  /// differently.
  static let toleranceInSeconds = 3.0

  /// Whether a file cannot be the track: its length differs, or both its title and its artist. Unknown values never
  /// contradict.
  func contradicts(title: String?, artist: String?, durationInSeconds: Double?) -> Bool {
    if let here = durationInSeconds, let there = self.durationInSeconds, abs(here - there) > Self.toleranceInSeconds {
      return true
    }
    return Self.differ(self.title, title) && Self.differ(self.artist, artist)
  }

  private static func differ(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other, !one.isEmpty, !other.isEmpty else { return false }
    return TextFolding.fold(one) != TextFolding.fold(other)
  }
}

/// A track that was found, and how.
package struct TrackLink: Hashable, Sendable {
  /// The rules in the order in which they are tried.
  package enum Rule: String, CaseIterable, Sendable {
    case path, hash
    /// The last components of the path.
    case pathEnd = "path_end"
    /// Title, artist and length.
    case tags
    /// A bare file name that only one recording of the library has.
    case name
  }

  package var rule: Rule
  package var recordingID: Int64

  package init(_ rule: Rule, recordingID: Int64) {
    self.rule = rule
    self.recordingID = recordingID
  }
}

extension Tracks {
  /// Finds the recordings of tracks, by the first ``TrackLink/Rule`` that leads to one; nil for a track that is not found,
  /// or not without doubt.
  package func links(of tracks: [TrackDescription]) throws(StoreError) -> [TrackLink?] {
    var links = try sureLinks(of: tracks)
    let open = zip(tracks, links).filter { $0.1 == nil }.map(\.0)
    guard !open.isEmpty else { return links }
    let (ends, tagged) = try candidates(for: open, besides: Set(links.compactMap { $0?.recordingID }))
    for index in links.indices where links[index] == nil {
      let track = tracks[index]
      links[index] =
        ends.recordingID(of: track).map { TrackLink(.pathEnd, recordingID: $0) }
        ?? tagged.recordingID(of: track).map { TrackLink(.tags, recordingID: $0) }
        ?? ends.recordingID(byNameOf: track).map { TrackLink(.name, recordingID: $0) }
    }
    return links
  }

  /// Links by the whole path, unless the hash shows that another file has that path now; otherwise by hash.
  private func sureLinks(of tracks: [TrackDescription]) throws(StoreError) -> [TrackLink?] {
    let files = try store.files.ids(at: tracks.flatMap(\.paths))
    return try store.read { db in
      let recording = try db.makeStatement(sql: "SELECT audio_id FROM file WHERE id = ?")
      let byHash = try db.makeStatement(
        sql: """
          SELECT id, EXISTS (SELECT 1 FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
            FROM audio WHERE hash = ?
          """)
      var next = files.startIndex
      return try tracks.map { track in
        defer { next += track.paths.count }
        let named = track.hash.flatMap(ContentHash.init(hexadecimal:))
        // It may be written down from before the recording got its present hash.
        let hash = try named.map { try FormerHashes.current(of: $0, db).first ?? $0 }
        let meant: (id: Int64, isPresent: Bool)? = try hash.flatMap {
          try Row.fetchOne(byHash, arguments: [Data($0.bytes)]).map { try (id: $0[0], isPresent: $0[1]) }
        }
        for (path, file) in zip(track.paths, files[next...]) where !path.bytes.isEmpty {
          guard let file, let id = try Int64.fetchOne(recording, arguments: [file]) else { continue }
          guard let meant, meant.id != id, meant.isPresent else { return TrackLink(.path, recordingID: id) }
          break
        }
        return meant.map { TrackLink(.hash, recordingID: $0.id) }
      }
    }
  }

  /// Candidates for tracks, from one pass over all files: a separate query costs as much as reading some thousand rows.
  private func candidates(
    for tracks: [TrackDescription], besides taken: Set<Int64>
  ) throws(StoreError) -> (PathEnds, TaggedRecordings) {
    var ends = PathEnds(wanted: tracks.flatMap(\.paths), taken: taken)
    var tagged = TaggedRecordings(wanted: tracks)
    let roots = Dictionary(uniqueKeysWithValues: try store.roots.all().map { ($0.id, $0.path) })
    try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT file.name_text, file.root_id, file.path, file.audio_id, file.title, file.artist, file.duration_s
            FROM file
          """)
      while let row = try rows.next() {
        if let id: Int64 = try row[3], let title: String = try row[4] {
          try tagged.add(id, title: title, artist: row[5], durationInSeconds: row[6])
        }
        guard ends.wants(try row[0]), let root = try roots[row[1] as Int64] else { continue }
        try ends.add(
          PathEnds.File(
            path: root.appending(BytePath(row[2] as Data)), recordingID: row[3], title: row[4], artist: row[5],
            durationInSeconds: row[6]))
      }
    }
    return (ends, tagged)
  }
}
