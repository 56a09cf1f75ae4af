internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import UserData

/// One track: what is known of it, its file, its pictures.
struct TrackRoutes {
  let library: LibraryAccess
  let files: ServableFiles
  let covers: CoverPictures

  var routes: [Route] {
    [
      Route(.get, "/tracks/{id}", "Everything known about a track.", detail),
      Route(
        .get, "/tracks/{id}/file", "The bytes of a file of the track, with ranges.",
        [fileID, download], answers: [.sound, .bytes], mayDecode: file),
      Route(.get, "/tracks/{id}/lyrics", "Its lyrics, from the file next to it and from its tags.", lyrics),
      Route(
        .get, "/tracks/{id}/artwork", "A picture from the track's tags, or next to its file.", [index, size],
        answers: [.picture], mayDecode: artwork),
      Route(
        .get, "/tracks/{id}/cover", "The cover of the track; engraved from its album's sound if it has none.",
        [size, ground], answers: [.picture], mayDecode: cover),
      Route(
        .get, "/albums/{id}/cover", "The cover of the album; engraved from its sound if it has none.", [size, ground],
        answers: [.picture], mayDecode: albumCover),
    ]
  }

  private let fileID = Parameter<Int64?>.optionalInteger("file", "the id of a file", 1...Int64.max)
  private let download = Parameter<Int64>.integer("download", "1 to save it", 0...1, default: 0)
  private let index = Parameter<Int64?>.optionalInteger("index", "which picture, from 1", 1...10_000)
  private let size = Parameter<Int64?>.optionalInteger(
    "size", "pixels of the longest side; a larger picture is made smaller, to this or a little more", 1...100_000)

  private let ground = Parameter<EngravedCover.Ground>.choice(
    "ground", "dark or light: background of an engraved cover")

  /// Files of a recording that are described: a library can have thousands of copies.
  private let largestFileCount = 500

  private func detail(_ call: Call) throws -> Reply {
    let parts = try library.reading { store in
      let id = try call.id()
      guard var detail = try store.tracks.detail(ofRecording: id) else {
        throw HTTPProblem(404, "there is no track \(id)")
      }
      let fileCount = detail.files.count
      detail.files = Array(detail.files.prefix(largestFileCount))
      let fingerprint = try? FingerprintText(
        ofRecording: id, durationInSeconds: detail.recording.format?.durationInSeconds, in: store)
      let document = TrackDocument.json(detail, fingerprint: fingerprint, library: store.path)
      guard case .object(var members) = document else { return document.parts }
      for index in members.indices where members[index].key == "files" {
        members[index].value = .array(
          zip(members[index].value.array ?? [], detail.files).map { $0.preceded(by: [.init("id", .integer($1.id))]) })
      }
      members.append(.init("file_count", .integer(fileCount)))
      members.append(.init("plays", PlayRoutes.document(of: try store.plays.count(ofRecording: id))))
      return JSONValue.object(members.filter { $0.key != "library" }).parts
    }
    return try call.tagged(parts, .json)
  }

  private func lyrics(_ call: Call) throws -> Reply {
    let parts = try library.reading { store in
      let track = try call.track(in: store)
      let file = track.fileDetails.first { $0.missingSince == nil }
      let texts = try file.map { try SongLyrics.texts(of: $0, in: store) } ?? []
      return JSONValue.object([
        "schema": .integer(1), "id": .integer(track.recordingID),
        "lyrics": .array(texts.map { Self.document(of: $0.text, from: $0.source) }),
      ]).parts
    }
    return try call.tagged(parts, .json)
  }

  private static func document(of text: LyricsText, from source: SongLyrics.Source) -> JSONValue {
    .object([
      "source": .string(source.rawValue), "language": .string(text.language == "xxx" ? nil : text.language),
      "synced": .bool(text.isSynced),
      "lines": .array(
        text.lines.map { line in
          let start = line.startInMilliseconds.map { Double($0) / 1000 }
          return .object(["start_seconds": .number(start), "text": .string(line.text)])
        }),
    ])
  }

  // MARK: - File

  private func file(_ call: Call) throws -> Answer {
    let wanted = try call[fileID]
    let track = try library.reading { try call.track(in: $0) }
    let found = track.fileDetails.first { file in wanted.map { $0 == file.id } ?? (file.missingSince == nil) }
    guard let known = found else { throw HTTPProblem(404, "the track has no such file") }
    let isDownload = try call[download] == 1
    let damage = known.problem.map { SoundDamage(path: known.path, problem: $0) }
    return try files.answer(to: call, known, of: track).map { reply in
      var reply = reply.with(damage.map { [$0.header] } ?? [])
      if isDownload { reply.makeAttachment(named: known.path.lastComponent.displayString) }
      return reply
    }
  }

  // MARK: - Artwork

  private func artwork(_ call: Call) throws -> Answer {
    let index = try call[index]
    let picture = try library.reading { store in
      let pictures = try store.pictures.all(ofRecording: try call.id())
      let picture =
        if let index { pictures.indices.contains(Int(index) - 1) ? pictures[Int(index) - 1] : nil } else {
          pictures.first { $0.pictureType == 3 } ?? pictures.first
        }
      guard let picture else { throw HTTPProblem(404, "the track has no such picture") }
      guard let shown = try picture.asShown(in: store) else {
        throw HTTPProblem(415, "pictures of this type are not shown")
      }
      return shown
    }
    return try covers.answer(to: call, picture, size: try call[size].map { Int($0) })
  }

  private func cover(_ call: Call) throws -> Answer {
    let found = try library.reading { store in
      let id = try call.id()
      guard let cover = try Cover(ofRecording: id, in: store) else { throw HTTPProblem(404, "there is no track \(id)") }
      return cover
    }
    return try answer(to: call, found)
  }

  private func albumCover(_ call: Call) throws -> Answer {
    let found = try library.reading { store in
      let id = try call.id(of: "album")
      let current = try store.albums.currentID(of: id)
      guard let cover = try Cover(ofAlbum: current, in: store) else {
        throw HTTPProblem(404, "there is no album \(id)")
      }
      return cover
    }
    return try answer(to: call, found)
  }

  private func answer(to call: Call, _ cover: Cover) throws -> Answer {
    try covers.answer(to: call, cover, size: try call[size].map { Int($0) }, ground: try call[ground])
  }
}
