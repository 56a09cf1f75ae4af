package import Base
internal import LibraryQueries
internal import MediaModel
package import MediaStore
package import QueryLanguage
package import UserData

extension Presets {
  /// The subjects of a scope that a query finds, in its order, each once.
  ///
  /// Files without a known recording, albums without a title and artists without a name are skipped. The library is one
  /// subject, whatever the query finds.
  package func subjects(_ scope: PresetScope, of query: Query) throws -> [PresetSubject] {
    if scope == .library { return [.library] }
    let names = ["hash", "title", "artist", "albumartist", "album-id", "filename"]
    let fields = names.compactMap { LibraryField.named($0)?.field }
    let albums = scope == .album ? try store.albums.knownNames() : [:]
    var subjects: [PresetSubject] = []
    // Compared by bytes, as SQLite does: for Swift, two encodings of one letter are equal.
    var seen: Set<[[UInt8]]> = []
    try store.forEachRow(of: query, fields: fields) { values in
      let texts = values.map { if case .text(let text) = $0 { text } else { "" } }
      guard texts.count == names.count else { return }
      let (subject, key): (PresetSubject, [String])
      switch scope {
      case .track:
        guard let hash = ContentHash(hexadecimal: texts[0]) else { return }
        let parts = texts[1].isEmpty ? [texts[5]] : [texts[2], texts[1]].filter { !$0.isEmpty }
        (subject, key) = (.track(hash, label: parts.joined(separator: " - ")), [texts[0]])
      case .album:
        guard case .integer(let id) = values[4], let album = albums[id] else { return }
        (subject, key) = (.album(album.title, artist: album.artist), [album.title, album.artist])
      case .artist:
        let artist = texts[2].isEmpty ? texts[3] : texts[2]
        guard !artist.isEmpty else { return }
        (subject, key) = (.artist(artist), [artist])
      case .part, .library: return
      }
      if seen.insert(key.map { Array($0.utf8) }).inserted { subjects.append(subject) }
    }
    return subjects
  }

  /// The parts that words such as `17#3` name; nil if none of the words names a part.
  ///
  /// - Throws: ``TrackError/partOfMany(_:)`` if only some of them do.
  package func partSubjects(naming words: [String]) throws -> [PresetSubject]? {
    guard words.contains(where: { PartAddress(BytePath(argument: $0)) != nil }) else { return nil }
    let tracks = try words.map { try store.tracks.named(BytePath(argument: $0)) }
    guard let part = zip(words, tracks).first(where: { $1?.part != nil })?.0 else { return nil }
    let subjects = tracks.compactMap { track -> PresetSubject? in
      guard let track, let part = track.part else { return nil }
      return .part(track.hash, frames: part.part.frames, label: part.label)
    }
    guard subjects.count == words.count else { throw TrackError.partOfMany(part) }
    return subjects
  }

  /// The preset that applies to a recording, and why.
  ///
  /// - Parameters:
  ///   - path: the file whose tags name the album and artist; nil for the first one that is present.
  ///   - part: the frames of a part of the recording; nil for all of it.
  ///   - listener: who hears it; the owner's assignments are the library's. nil for the one for whom the connection speaks.
  package func resolution(
    ofRecording id: Int64, preferring path: BytePath? = nil, part: Range<Int64>? = nil, for listener: Listener? = nil
  ) throws(StoreError) -> PresetResolution {
    let files = try store.files.all(ofRecording: id)
    let file = files.first { $0.path == path } ?? files.first
    return try resolution(ofRecording: id, withTagsOfFile: file?.id, part: part, for: listener)
  }
}
