internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaRendering
internal import MediaStore

/// Albums in all their editions, and one of them with what is wrong with it.
struct AlbumRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(
        .get, "/albums", "Albums, with track counts and lengths.",
        [PageParameters.query, order, detail, PageParameters.from, PageParameters.limit], work: .searching
      ) { try page($0) },
      Route(.get, "/albums/{id}", "An album, with its editions and problems.") { try album($0) },
    ]
  }

  private let order = Parameter<AlbumOrder>.choice(
    "sort", "artist, album, year, added, plays, played, loudness or brightness; with - the greatest first")
  private let detail = Parameter<Int64>.integer(
    "detail", "1 to include the loudness and recordings of each album", 0...1, default: 0)

  /// Recordings of an album that are listed: all tracks without an album can be one.
  private static let largestRecordingCount = 200

  /// The albums of the files that the call's query finds.
  private func page(_ call: Call) throws -> Reply {
    let (text, from, limit) = (
      try call[PageParameters.query], try call[PageParameters.from], try call[PageParameters.limit]
    )
    let (order, isDetailed) = (try call[order], try call[detail] == 1)
    return try library.reading { store in
      let (albums, total) = try store.albums.all(
        of: try store.query(text), orderedBy: order, from: Int(clamping: from), limit: Int(clamping: limit))
      let recordings = try store.albums.firstRecordings(of: albums.map(\.id))
      let loudness = isDetailed ? try store.albums.loudness(of: albums.map(\.id)) : [:]
      var rows: [JSONValue] = []
      for album in albums {
        try ClientDisconnect.check()
        var row = members(of: album, recordingID: recordings[album.id])
        if isDetailed {
          row.append(.init("loudness_lufs", .number(loudness[album.id])))
          row.append(.init("recordings", try self.recordings(of: album, in: store)))
        }
        rows.append(.object(row))
      }
      return try Reply(
        ["revision": .string(try store.revision()), "total": .integer(total)], "rows", JSONRows(rows) { $0 })
    }
  }

  private func album(_ call: Call) throws -> Reply {
    try library.reading { store in
      let id = try call.id(of: "album")
      guard let album = try store.albums.album(id: id) else { throw HTTPProblem(404, "there is no album \(id)") }
      let recordings = try store.albums.firstRecordings(of: [album.id])
      let (loudness, faults) = (try store.albums.loudness(of: [album.id]), try store.albums.faults(of: [album.id]))
      var document = [JSONValue.Member("revision", .string(try store.revision()))]
      document += members(of: album, recordingID: recordings[album.id])
      document.append(.init("artists", .array(album.artists.map { .string(RowText.cut($0)) })))
      document.append(.init("loudness_lufs", .number(loudness[album.id])))
      document.append(.init("wrong", AlbumDocument.wrong(faults[album.id] ?? AlbumFaults())))
      return Reply(.object(document))
    }
  }

  private func members(of album: Album, recordingID: Int64?) -> [JSONValue.Member] {
    [
      .init("album", .string(album.title.isEmpty ? nil : album.title)),
      .init("artist", .string(album.artist.isEmpty ? nil : album.artist)),
      .init("year", .integer(album.year)), .init("compilation", .bool(album.isCompilation)),
      .init("files", .integer(album.fileCount)), .init("tracks", .integer(album.trackCount)),
      .init("discs", .integer(album.discCount)), .init("editions", .integer(album.editionCount)),
      .init("problems", .integer(album.problemCount)), .init("duration_seconds", .number(album.durationInSeconds)),
      .init("id", .integer(recordingID)), .init("album_id", .integer(album.id)),
      .init("cover", .string(album.coverSource?.rawValue)),
      .init("query", .string("album-id:\(album.id) edition+ album-disc+ track+")),
    ]
  }

  /// The recordings of the first edition, in their order.
  private func recordings(of album: Album, in store: MediaStore) throws -> JSONValue {
    .array(
      try store.albums.tracks(of: album.id).prefix(Self.largestRecordingCount).map {
        .object(["id": .integer($0.recordingID), "duration_seconds": .number($0.durationInSeconds)])
      })
  }
}
