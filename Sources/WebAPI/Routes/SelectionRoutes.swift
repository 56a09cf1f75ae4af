internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// What is done with many tracks at once, each time as one change; and playlists as files.
struct SelectionRoutes {
  let library: LibraryAccess
  let results: ResultLists

  var routes: [Route] {
    [
      Route(
        .post, "/attributes", "Gives tracks an attribute, such as a rating, or removes it.", needs: .own, setAttribute),
      Route(
        .post, "/presets/assign", "Assigns a preset to tracks, or removes it from them.", needs: .own, assignPreset),
      Route(
        .post, "/playlists", "Tracks as a playlist file of other programs.", [], answers: [.bytes], needs: .reading,
        work: .searching, writePlaylist),
      Route(.post, "/lists/import", "Makes a list of a playlist file.", [], takes: .form, needs: .own, importPlaylist),
    ]
  }

  /// - Parameter changed: the number of tracks that were not so before.
  private func reply(_ count: Int, changed: Int) -> Reply {
    Reply(.object(["tracks": .integer(count), "changed": .integer(changed)]))
  }

  private func setAttribute(_ call: Call) throws -> Reply {
    let body = try call.document()
    let selection = try RowSelection(body)
    guard let name = body["name"]?.string else { throw HTTPProblem(422, "name is that of the attribute") }
    let value: String?
    switch body["value"] {
    case .null?: value = nil
    case .string(let text)?: value = text
    case let number?:
      guard let number = number.double else { throw HTTPProblem(422, "value is a text, a number, or null") }
      value = DecimalText.number(number, places: 9)
    case nil: throw HTTPProblem(422, "value is missing; null removes the attribute")
    }
    return try library.writing { store in
      let ids = try selection.recordingIDs(results, in: store)
      return reply(ids.count, changed: try store.attributes.set(name, to: value, ofRecordings: ids))
    }
  }

  private func assignPreset(_ call: Call) throws -> Reply {
    let body = try call.document()
    let selection = try RowSelection(body)
    guard let preset = body["preset"], preset == .null || preset.string != nil else {
      throw HTTPProblem(422, "preset is a name, or null for none")
    }
    return try library.writing { store in
      let subjects = try subjects(ofFiles: try selection.fileIDs(results, in: store), in: store)
      let changed =
        if let name = preset.string {
          try store.presets.assign(named: name, to: subjects)
        } else {
          try store.presets.unassign(of: subjects)
        }
      return reply(subjects.count, changed: changed)
    }
  }

  /// The recordings of files as subjects of presets, each once.
  private func subjects(ofFiles ids: [Int64], in store: MediaStore) throws -> [PresetSubject] {
    let fields = ["hash", "title", "artist", "filename"].compactMap { store.vocabulary[$0] }
    var subjects: [PresetSubject] = []
    var known: Set<ContentHash> = []
    try store.forEachListRow(ofFiles: ids, fields: fields) { row in
      let texts = row.values.dropFirst().map { if case .text(let text) = $0 { text } else { "" } }
      guard let hash = ContentHash(hexadecimal: texts[0]), known.insert(hash).inserted else { return }
      let words = texts[1].isEmpty ? [texts[3]] : [texts[2], texts[1]].filter { !$0.isEmpty }
      subjects.append(.track(hash, label: words.joined(separator: " - ")))
    }
    return subjects
  }

  // MARK: - Playlists

  /// In bytes: some 30,000 tracks.
  private static let largestPlaylist = 8_000_000
  private static let tooLarge = HTTPProblem(
    422, "the playlist would have more than 8 MB: select fewer tracks, or use deadwax export --what playlist")

  private func writePlaylist(_ call: Call) throws -> Reply {
    let body = try call.document()
    let selection = try RowSelection(body)
    guard let format = PlaylistFormat(rawValue: body["format"]?.string ?? PlaylistFormat.m3u8.rawValue) else {
      let names = PlaylistFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPProblem(422, "format is one of \(names)")
    }
    let title = body["title"]?.string
    let entries = try library.reading { store in
      var entries: [Playlist.Entry] = []
      var byteCount = 0
      let ids = try selection.fileIDs(results, in: store)
      try store.forEachListRow(of: .everything, fields: PlaylistRow.fields, fileIDs: ids) { row in
        guard let row = PlaylistRow(row), !row.isMissing else { return }
        let entry = row.entry(relativeTo: nil)
        byteCount += (entry.path?.bytes.count ?? 0) + entry.name.utf8.count
        guard byteCount <= Self.largestPlaylist else { throw Self.tooLarge }
        entries.append(entry)
      }
      return entries
    }
    let text = Array(format.text(of: Playlist(title: title, entries: entries)).utf8)
    guard text.count <= Self.largestPlaylist else { throw Self.tooLarge }
    var reply = Reply(text, .bytes)
    reply.makeAttachment(named: "\(title ?? "Playlist").\(format.rawValue)")
    return reply.with([("Cache-Control", "no-store")])
  }

  /// Names of entries that were not found, in an answer.
  private let largestNameCount = 500

  private func importPlaylist(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let file = body["file"]?.string, let text = body["text"]?.string else {
      throw HTTPProblem(422, "file and text are the name and the text of a playlist file")
    }
    let (path, bytes) = (BytePath(file), Array(text.utf8))
    guard let format = PlaylistFormat.detect(bytes, extension: path.pathExtension) else {
      throw HTTPProblem(422, "this is no playlist: the file must be m3u8, m3u, xspf, jspf or pls")
    }
    let playlist: Playlist
    do { playlist = try format.playlist(from: bytes) } catch { throw HTTPProblem(422, "\(error)") }
    return try library.writing { store in
      // Where the file was is not known here, so relative paths say something by their ends.
      let found = try PlaylistImport(playlist, in: nil, store)
      guard !found.recordingIDs.isEmpty else { throw HTTPProblem(422, "\(found.summary); no list was made") }
      guard found.recordingIDs.count <= SongList.largestCount else {
        throw HTTPProblem(422, "a list that is made here has at most \(SongList.largestCount) tracks")
      }
      let title = [playlist.title, path.stem.displayString].lazy.compactMap { $0.flatMap(SavedList.name(after:)) }.first
      let name = try freeName(like: title ?? "Imported", in: store)
      try store.lists.save(name, recordingIDs: found.recordingIDs, replaces: false)
      let list = UserDataRoutes.document(try store.lists.list(named: name))
      let names = found.notFound.prefix(largestNameCount).map { RowText.value($0.name) }
      return Reply(
        status: 201,
        .object([
          "list": list, "entries": .integer(found.entryCount), "found": .integer(found.recordingIDs.count),
          "omitted": .integer(playlist.omittedCount), "not_found": .array(Array(names)),
        ]))
    }
  }

  /// The name, with a number behind it if there is such a list.
  private func freeName(like name: String, in store: MediaStore) throws -> String {
    let taken = Set(try store.lists.all().map { SavedList.key($0.name) })
    if !taken.contains(SavedList.key(name)) { return name }
    for number in 2... {
      if let other = SavedList.name(after: "\(name) \(number)"), !taken.contains(SavedList.key(other)) { return other }
    }
    return name
  }
}
