internal import Base
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// One track: what is known of it, its file, its pictures.
enum TrackRoutes {
  static let all = [
    Route(.get, "/tracks/{id}", "All that is known of a track.", detail),
    Route(
      .get, "/tracks/{id}/file", "The bytes of a file of the track, with ranges.",
      [fileID.description, download.description], answers: [.sound, .bytes], file),
    Route(
      .get, "/tracks/{id}/artwork", "A picture from the tags of the track.", [index.description, size.description],
      answers: [.picture], artwork),
  ]

  private static let fileID = Parameter<Int64?>.optionalInteger("file", "the id of a file", 1...Int64.max)
  private static let download = Parameter<Int64>.integer("download", "1 to save it", 0...1, default: 0)
  private static let index = Parameter<Int64?>.optionalInteger("index", "which picture, from 1", 1...10_000)
  private static let size = Parameter<Int64?>.optionalInteger(
    "size", "pixels of the longest side; a larger picture is made smaller, to this or a little more", 1...100_000)

  /// Files of a recording that are described: a library can have thousands of copies.
  private static let largestFileCount = 500

  private static func detail(_ call: Call) throws -> Reply {
    let parts = try call.service.library.reading { store in
      let id = try call.id()
      guard var detail = try store.detail(ofRecording: id) else { throw Problem(404, "there is no track \(id)") }
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
      members.append(.init("plays", PlayRoutes.document(of: try store.playCount(ofRecording: id))))
      return JSONValue.object(members.filter { $0.key != "library" }).parts
    }
    return try call.tagged(parts, .json)
  }

  // MARK: - File

  private static func file(_ call: Call) throws -> Reply {
    let wanted = try call[fileID]
    let track = try call.service.library.reading { try call.track(in: $0) }
    let found = track.fileDetails.first { file in wanted.map { $0 == file.id } ?? (file.missingSince == nil) }
    guard let known = found else { throw Problem(404, "the track has no such file") }
    var reply = try reply(with: known, of: track, call)
    let name = known.path.lastComponent.displayString
    if try call[download] == 1 { reply.headers.append(("Content-Disposition", attachment(named: name))) }
    return reply
  }

  /// The bytes of a file, or those that the request asks for.
  static func reply(with known: FileDetail, of track: TrackReference, _ call: Call) throws -> Reply {
    let opened = try call.service.files.open(known, of: track, call)
    let file = OpenFile(descriptor: opened.descriptor, byteCount: opened.status.byteCount)
    let status = opened.status
    let tag = "\(file.byteCount)-\(status.modificationTimeInNanoseconds)-\(status.changeTimeInNanoseconds)"
    return try call.tagged(tag) { () throws -> Reply in
      var reply = try part(of: file, call, tag)
      reply.headers += [("Content-Type", type(of: known)), ("Accept-Ranges", "bytes")]
      return reply
    }
  }

  private static func part(of file: OpenFile, _ call: Call, _ tag: String) throws -> Reply {
    // With another tag in If-Range the client has another file: it gets all of this one.
    let isSame = call.request[header: "if-range"].map { $0 == "\"\(tag)\"" } ?? true
    switch ByteRange.answer(to: isSame ? call.request[header: "range"] : nil, byteCount: file.byteCount) {
    case .whole:
      var reply = Reply(status: 200)
      reply.body = .file(file, 0..<file.byteCount)
      return reply
    case .part(let range):
      var reply = Reply(status: 206)
      reply.makePartial(range, of: file.byteCount)
      reply.body = .file(file, range)
      return reply
    case .unsatisfiable: throw Problem.beyond(file.byteCount)
    }
  }

  /// `filename*` of RFC 6266, which holds any name.
  static func attachment(named name: String) -> String {
    let encoded = name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return "attachment; filename*=UTF-8''\(encoded.joined())"
  }

  private static func type(of file: FileDetail) -> String {
    file.format.map { SoundFileType.mediaType($0.container) } ?? MediaType.bytes.rawValue
  }

  // MARK: - Artwork

  private static func artwork(_ call: Call) throws -> Reply {
    let index = try call[index]
    let pictures = try call.service.library.reading { try $0.pictures(ofRecording: try call.id()) }
    let picture =
      if let index { pictures.indices.contains(Int(index) - 1) ? pictures[Int(index) - 1] : nil } else {
        pictures.first { $0.pictureType == 3 } ?? pictures.first
      }
    guard let picture else { throw Problem(404, "the track has no such picture") }
    let cover = CoverPicture(picture: picture)
    guard cover.isShown else { throw Problem(415, "pictures of this type are not shown") }
    return try cover.reply(to: call, size: try call[size].map { Int($0) })
  }
}
