internal import Base
internal import DecodingService
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import SoundIndex
internal import SoundSearch

/// What is found by sound: what is alike, what is the same, where on the map, and what an excerpt is.
struct SimilarityRoutes {
  let library: LibraryAccess
  let similarity: SimilarityCache

  var routes: [Route] {
    [
      Route(
        .get, "/tracks/{id}/similar", "The tracks that sound most like a given one.",
        [count, otherArtists, otherAlbums], similar),
      Route(
        .get, "/duplicates", "Groups of files with the same sound.",
        [PageParameters.query, kind, PageParameters.from, PageParameters.limit], work: .decoding, duplicates),
      Route(
        .get, "/map", "The library as a map on which neighbours sound alike.",
        [PageParameters.query, points], map),
      Route(
        .post, "/identify", "Identifies the track of an excerpt, and the position in it.", [matchCount], takes: .sound,
        needs: .reading, mayDecode: identify),
    ]
  }

  enum Kind: String, CaseIterable, Sendable {
    case any
    case sameRecording = "same-recording"
    case contained
    case otherMaster = "other-master"
    case sharesSample = "shares-sample"
  }

  private let count = Parameter<Int64>.integer("limit", "how many tracks, 1 to 500", 1...500, default: 20)
  private let otherArtists = Parameter<Int64>.integer(
    "other_artists", "1 to leave out the artist of the track", 0...1, default: 0)
  private let otherAlbums = Parameter<Int64>.integer(
    "other_albums", "1 to leave out the album of the track", 0...1, default: 0)
  private let kind = Parameter<Kind>.choice("kind", Kind.allCases.map(\.rawValue).joined(separator: ", "))
  private let points = Parameter<Int64>.integer(
    "limit", "how many points, 1 to 100000", 1...100_000, default: 20_000)
  private let matchCount = Parameter<Int64>.integer("limit", "how many matches, 1 to 100", 1...100, default: 5)

  private func similar(_ call: Call) throws -> Reply {
    let (count, filter) = (
      try call[count],
      LibrarySimilarity.Filter(
        leavesOutArtist: try call[otherArtists] == 1, leavesOutAlbum: try call[otherAlbums] == 1)
    )
    let (id, matches) = try library.reading { store in
      let id = try call.track(in: store).recordingID
      return (
        id,
        try similarity.similarity(in: store).matches(toRecording: id, count: Int(count), filter: filter)
      )
    }
    let rows = JSONRows(matches) { row(of: $0.track).preceded(by: [.init("likeness", .number($0.likeness))]) }
    return try Reply(["id": .integer(id)], "tracks", rows)
  }

  /// A track as rows of tables have it.
  private func row(of track: ComparedTrack) -> JSONValue {
    .object([
      "file": .integer(track.fileID), "id": .integer(track.recordingID), "title": .string(track.title),
      "artist": .string(track.artist), "album": .string(track.album),
      "filename": .string(track.path.lastComponent.displayString), "duration": .number(track.durationInSeconds),
      "bpm": .number(track.beatsPerMinute), "key": .string(track.key?.name), "camelot": .string(track.key?.camelot),
    ])
  }

  // MARK: - Duplicates

  private func duplicates(_ call: Call) throws -> Reply {
    let (text, kind) = (try call[PageParameters.query], try call[kind])
    let (from, limit) = (try call[PageParameters.from], try call[PageParameters.limit])
    let found = try similarity.copiesNow()
    var groups = found.groups.filter { kind == .any || $0.kind.rawValue == kind.rawValue }
    if !text.isEmpty {
      let chosen = try library.reading { try recordings(text, in: $0) }
      groups = groups.filter { group in group.members.contains { chosen.contains($0.recordingID) } }
    }
    let page = Array(groups.part(from: from, limit: limit))
    let rows = library.rows(page.count) { store, range, take in
      for place in range {
        guard take(place, try row(of: page[place], in: store)) else { return }
      }
    }
    return try Reply(
      ["searching": .number(found.share), "total": .integer(groups.count)], "rows", rows,
      status: found.revision.isEmpty && found.share != nil ? 202 : 200)
  }

  /// Files of a group that are listed.
  private let largestMemberCount = 1_000

  private func row(of group: DuplicateGroup, in store: MediaStore) throws -> JSONValue {
    var shown = group
    shown.members = Array(group.members.prefix(largestMemberCount))
    let hashes = Array(Set(shown.members.map(\.hash)))
    let tracks = Dictionary(
      uniqueKeysWithValues: zip(hashes, try store.tracks.compared(hashes)).compactMap { hash, track in
        track.map { (hash, $0) }
      })
    return shown.json { member in
      let track = tracks[member.hash]
      return [
        .init("file", .integer(member.file.id)), .init("title", .string(track?.title)),
        .init("artist", .string(track?.artist)), .init("size_bytes", .integer(member.file.byteCount)),
      ]
    }
  }

  private func recordings(_ text: String, in store: MediaStore) throws -> Set<Int64> {
    var ids: Set<Int64> = []
    try store.forEachRow(of: try store.query(text), fields: [.id]) {
      if case .integer(let id) = $0[0] { ids.insert(id) }
    }
    return ids
  }

  // MARK: - Map

  private func map(_ call: Call) throws -> Reply {
    let (text, limit) = (try call[PageParameters.query], Int(try call[points]))
    let tag = "\(try library.fileRevision())-\(CRC32.checksum(Array(text.utf8)))-\(limit)"
    return try call.tagged(tag) {
      let (shown, total) = try library.reading { store in
        try mapPoints(finding: text, limit: limit, call, in: store)
      }
      let rows = library.rows(shown.count) { store, range, take in
        for part in range.parts() {
          for (place, track) in zip(part, try store.tracks.compared(shown[part].map(\.hash))) {
            guard let track, track.isPresent else { continue }
            let point = shown[place]
            let members: [JSONValue.Member] = [
              .init("x", .number(point.place.x)), .init("y", .number(point.place.y)),
              .init("centroid_hz", .number(point.centroidInHz)),
            ]
            guard take(place, row(of: track).preceded(by: members)) else { return }
          }
        }
      }
      var reply = try Reply(["total": .integer(total)], "rows", rows)
      reply.headers.removeAll { $0.0 == "Cache-Control" }
      return reply
    }
  }

  private struct MapPoint: Sendable {
    let hash: ContentHash
    let place: SoundMap.Point
    let centroidInHz: Double?
  }

  /// The points of the recordings that a query finds, or an even choice of them, and how many there are.
  private func mapPoints(
    finding text: String, limit: Int, _ call: Call, in store: MediaStore
  ) throws -> ([MapPoint], total: Int) {
    let (hashes, places) = try similarity.map(in: store)
    let centroids = try centroids(ofFiles: text, in: store)
    let found = hashes.indices.filter { centroids.keys.contains(hashes[$0]) }
    // An even choice, so that the map keeps its shape.
    let shown = found.count <= limit ? found : (0..<limit).map { found[$0 * found.count / limit] }
    let points = shown.map {
      MapPoint(hash: hashes[$0], place: places[$0], centroidInHz: centroids[hashes[$0]] ?? nil)
    }
    return (points, found.count)
  }

  /// The recordings that a query finds, with the centroid of their spectrum in Hz.
  private func centroids(ofFiles text: String, in store: MediaStore) throws -> [ContentHash: Double?] {
    var centroids: [ContentHash: Double?] = [:]
    let fields = ["hash", "centroid"].compactMap { name in MediaStore.fields.first { $0.name == name } }
    try store.forEachRow(of: try store.query(text), fields: fields) { row in
      guard case .text(let digits) = row[0], let hash = ContentHash(hexadecimal: digits) else { return }
      if case .real(let centroid) = row[1] { centroids[hash] = centroid } else { centroids[hash] = .some(nil) }
    }
    return centroids
  }

  // MARK: - Excerpts

  /// What is longer is not looked at.
  private let longestExcerptInSeconds = 600.0
  private let excerptTimeoutInSeconds = 30.0

  private func identify(_ call: Call) throws -> Answer {
    let limit = Int(try call[matchCount])
    let type = call[header: "content-type"]?.lowercased() ?? ""
    guard [MediaType.bytes.rawValue, "application/ogg", "audio/", "video/"].contains(where: { type.hasPrefix($0) })
    else {
      throw HTTPProblem(415, "the body must be a sound file, such as audio/flac or application/octet-stream")
    }
    guard !call.body.isEmpty else { throw HTTPProblem(422, "the body has no sound") }
    return .decoding { try matches(of: call, limit: limit) }
  }

  private func matches(of call: Call, limit: Int) throws -> Reply {
    let place = try similarity.excerptPlace(for: call.client)
    defer { withExtendedLifetime(place) {} }
    let excerpt = try excerpt(of: call.body)
    let found = try library.reading { store in
      try LibrarySound(of: store).withIndex { index in
        var identification = SoundIdentification(index)
        return try FoundTrack.all(identification.matches(of: excerpt, limit: limit), in: store)
      }
    }
    return try Reply(
      [
        "duration_seconds": .number(excerpt.durationInSeconds), "too_plain": .bool(excerpt.landmarks.isWeak),
      ], "matches", JSONRows(found) { .object($0.members(offset: $0.match.offsetInSeconds)) })
  }

  private func excerpt(of bytes: [UInt8]) throws -> SoundExcerpt {
    // Decoders read files; this one has no name and is gone with the request.
    let spool = try SpooledOutput()
    try spool.append(bytes)
    return try withExtendedLifetime(spool) {
      do {
        return try SoundExcerpt(
          of: spool.path, toSeconds: longestExcerptInSeconds, timeoutInSeconds: excerptTimeoutInSeconds)
      } catch SegmentReadingError.file(_, let reason) {
        throw HTTPProblem(422, "the sound cannot be read: \(reason)")
      }
    }
  }
}
