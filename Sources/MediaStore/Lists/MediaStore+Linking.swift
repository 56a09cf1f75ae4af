internal import Foundation
internal import GRDB
internal import MediaModel

extension MediaStore {
  /// The recordings that are described, found by path, else by the hash of the sound, else by the end of the path, else by
  /// tags; nil for what is not found, or not without doubt.
  package func links(of tracks: [TrackDescription]) throws(StoreError) -> [TrackLink?] {
    var links = try sureLinks(of: tracks)
    let open = zip(tracks, links).filter { $0.1 == nil }.map(\.0)
    guard !open.isEmpty else { return links }
    let (ends, sounds) = try candidates(for: open, besides: Set(links.compactMap { $0?.recordingID }))
    for index in links.indices where links[index] == nil {
      let track = tracks[index]
      links[index] =
        ends.recordingID(of: track).map { .path(recordingID: $0) }
        ?? sounds.recordingID(of: track).map { .tags(recordingID: $0) }
    }
    return links
  }

  /// By the whole path, unless another file has it now than the one that was meant; else by the hash.
  private func sureLinks(of tracks: [TrackDescription]) throws(StoreError) -> [TrackLink?] {
    let files = try fileIDs(at: tracks.flatMap(\.paths))
    return try read { db in
      let recording = try db.makeStatement(sql: "SELECT audio_id FROM file WHERE id = ?")
      let sound = try db.makeStatement(
        sql: """
          SELECT id, EXISTS (SELECT 1 FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
            FROM audio WHERE hash = ?
          """)
      var next = files.startIndex
      return try tracks.map { track in
        defer { next += track.paths.count }
        let hash = track.hash.flatMap(ContentHash.init(hexadecimal:))
        let meant: (id: Int64, isPresent: Bool)? = try hash.flatMap {
          try Row.fetchOne(sound, arguments: [Data($0.bytes)]).map { try (id: $0[0], isPresent: $0[1]) }
        }
        for (path, file) in zip(track.paths, files[next...]) where !path.bytes.isEmpty {
          guard let file, let id = try Int64.fetchOne(recording, arguments: [file]) else { continue }
          guard let meant, meant.id != id, meant.isPresent else { return .path(recordingID: id) }
          break
        }
        return meant.map { .hash(recordingID: $0.id) }
      }
    }
  }

  /// What may be meant, from one reading of all files: each question of its own would cost as much as some thousand of them.
  private func candidates(
    for tracks: [TrackDescription], besides taken: Set<Int64>
  ) throws(StoreError) -> (PathEnds, TaggedSounds) {
    var ends = PathEnds(wanted: tracks.flatMap(\.paths), taken: taken)
    var sounds = TaggedSounds(wanted: tracks)
    let roots = Dictionary(uniqueKeysWithValues: try roots().map { ($0.id, $0.path) })
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT file.name_text, file.root_id, file.path, file.audio_id, file.title, file.artist, audio.duration_s
            FROM file LEFT JOIN audio ON audio.id = file.audio_id
          """)
      while let row = try rows.next() {
        if let id: Int64 = try row[3], let title: String = try row[4] {
          try sounds.add(id, title: title, artist: row[5], durationInSeconds: row[6])
        }
        guard ends.wants(try row[0]), let root = try roots[row[1] as Int64] else { continue }
        try ends.add(
          PathEnds.File(
            path: root.appending(BytePath(row[2] as Data)), recordingID: row[3], title: row[4], artist: row[5],
            durationInSeconds: row[6]))
      }
    }
    return (ends, sounds)
  }
}
