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
    let ends = try pathEnds(for: open.flatMap(\.paths))
    for index in links.indices where links[index] == nil {
      let track = tracks[index]
      if let id = track.paths.lazy.compactMap(ends.recordingID).first {
        links[index] = .path(recordingID: id)
      } else {
        links[index] = try recording(taggedAs: track).map { .tags(recordingID: $0) }
      }
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

  private func pathEnds(for paths: [BytePath]) throws(StoreError) -> PathEnds {
    var ends = PathEnds(wanted: paths)
    let roots = Dictionary(uniqueKeysWithValues: try roots().map { ($0.id, $0.path) })
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT name_text, root_id, path, audio_id FROM file WHERE audio_id IS NOT NULL")
      while let row = try rows.next() {
        guard ends.wants(try row[0]), let root = try roots[row[1] as Int64] else { continue }
        ends.add(root.appending(BytePath(try row[2] as Data)), recordingID: try row[3])
      }
    }
    return ends
  }

  /// Title and artist as they are, but for case and accents; of several the one whose length fits best, within 3 s.
  private func recording(taggedAs track: TrackDescription) throws(StoreError) -> Int64? {
    guard let title = track.title, !title.isEmpty else { return nil }
    var parts: [QueryCondition] = [.test(QueryField("title", .text), .equalsFolded(TextFolding.fold(title)))]
    if let artist = track.artist, !artist.isEmpty {
      parts.append(.test(QueryField("artist", .text), .equalsFolded(TextFolding.fold(artist))))
    }
    let fields = [.id, QueryField("duration", .duration)]
    let query = Query(condition: parts.count > 1 ? .all(parts) : parts[0])
    let found = try read { db in
      var found: [Int64: Double] = [:]
      let plan = try QueryPlan(query, fields: fields, limit: 100, in: db)
      try plan.withFunctions(db) {
        try plan.run(db) { row in
          guard case .integer(let id) = row.value(0) else { return }
          if case .real(let seconds) = row.value(1) { found[id] = seconds } else { found[id] = .nan }
        }
      }
      return found
    }
    guard let wanted = track.durationInSeconds else { return found.count == 1 ? found.keys.first : nil }
    let near = found.filter { abs($0.value - wanted) <= 3 }
    return near.min { (abs($0.value - wanted), $0.key) < (abs($1.value - wanted), $1.key) }?.key
  }
}
