internal import Foundation
internal import GRDB
internal import MediaModel

extension MediaStore {
  /// The recordings that are described, found by path, else by the hash of the sound, else by the end of the path, else by
  /// tags; nil for what is not found, or not without doubt.
  package func links(of tracks: [TrackDescription]) throws(StoreError) -> [TrackLink?] {
    let roots = try roots()
    var links: [TrackLink?] = []
    for track in tracks { links.append(try link(of: track, roots)) }
    return links
  }

  private func link(of track: TrackDescription, _ roots: [Root]) throws(StoreError) -> TrackLink? {
    let paths = track.paths.filter { !$0.bytes.isEmpty }
    for path in paths {
      if let id = try recording(at: path) { return .path(recordingID: id) }
    }
    // A sound is sure; the end of a path may be that of another file.
    if let id = try recording(hash: track.hash) { return .hash(recordingID: id) }
    for path in paths {
      if let id = try recording(atEndOf: path, roots) { return .path(recordingID: id) }
    }
    return try recording(taggedAs: track).map { .tags(recordingID: $0) }
  }

  private func recording(at path: BytePath) throws(StoreError) -> Int64? {
    guard let file = try fileIDs(at: [path]).first, let file else { return nil }
    return try read { try Int64.fetchOne($0, sql: "SELECT audio_id FROM file WHERE id = ?", arguments: [file]) }
  }

  /// Where the folders above a file have changed: by the longest end of its path that leads to a file below a root, two
  /// components at least.
  private func recording(atEndOf path: BytePath, _ roots: [Root]) throws(StoreError) -> Int64? {
    try read { db in
      var parts = path.bytes.split(separator: UInt8(ascii: "/"))[...]
      while parts.count >= 2 {
        let end = Data(parts.joined(separator: [UInt8(ascii: "/")]))
        for root in roots {
          let found = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT audio_id FROM file WHERE root_id = ? AND path = ?"),
            arguments: [root.id, end])
          if let found { return found }
        }
        parts = parts.dropFirst()
      }
      return nil
    }
  }

  private func recording(hash: String?) throws(StoreError) -> Int64? {
    guard let hash = hash.flatMap(ContentHash.init(hexadecimal:)) else { return nil }
    return try read {
      try Int64.fetchOne($0, sql: "SELECT id FROM audio WHERE hash = ?", arguments: [Data(hash.bytes)])
    }
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
