package import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// A recording that a user named by id, path or query.
package struct TrackReference: Hashable, Sendable {
  package var recordingID: Int64
  package var hash: ContentHash
  /// The file that was named first, then the present ones, by path.
  package var fileDetails: [FileDetail]
  /// Whether the recording or one of its files is damaged.
  package var isDamaged: Bool
  package var title: String?
  package var artist: String?
  /// The format of the whole recording; its container is empty if nothing is known.
  package var format: MediaFormat
  /// Set if only this part of the recording is meant; title and artist are then those of the part.
  package var part: NumberedPart?

  /// Of the part, or of the whole recording.
  package var durationInSeconds: Double? {
    guard let part, let rate = format.sampleRateInHz, rate > 0 else { return format.durationInSeconds }
    return Double(part.part.frames.count) / Double(rate)
  }

  /// The track of which this is a part.
  package var whole: TrackReference {
    var track = self
    track.part = nil
    return track
  }

  /// Such as `Nora Vale - Slow Tide`; without tags the name of the file.
  package var label: String {
    let title = title ?? files.first?.stem.displayString ?? "track \(recordingID)"
    return artist.map { "\($0) - \(title)" } ?? title
  }

  /// Absolute paths, in that order.
  package var files: [BytePath] { fileDetails.map(\.path) }
}

/// Why the word of a user for a track does not lead to one.
package enum TrackError: Error, Hashable, Sendable, CustomStringConvertible {
  case noTrack(id: Int64)
  case notInLibrary(BytePath)
  /// The file is in the library, but no recording could be read from it.
  case noRecording(BytePath, FileState, reason: String?)
  case nothingMatches(String)
  /// - Parameter count: of parts that the track has.
  case noPart(String, number: Int, count: Int)
  /// Several ids where one track is expected.
  case severalTracks(Int)
  /// A part is named where only whole tracks can be.
  case partOfMany(String)
  /// The files that were found have no such tag.
  case untagged(String, field: String)
  /// - Parameter examples: some of what matches, as `17 Nora Vale - Slow Tide`; with codec and path if others have
  ///   that name, too.
  case ambiguous(String, count: Int, examples: [String])

  package var description: String {
    switch self {
    case .noTrack(let id): "no track \(id)"
    case .notInLibrary(let path): "\(path.displayString): not in the library"
    case .noRecording(let path, let state, let reason):
      "\(path.displayString): \(state.rawValue)" + (reason.map { ": \($0)" } ?? "")
    case .noPart(let name, let number, let count):
      "\(name): no part \(number)" + (count == 0 ? ": it has no chapters and no CUE sheet" : "; it has \(count)")
    case .severalTracks(let count): "one track is needed, not \(count)"
    case .partOfMany(let word): "\(word): a part cannot be combined with other tracks"
    case .nothingMatches(let text): "no track matches '\(text)'"
    case .untagged(let text, let field): "no match of '\(text)' has a tag for \(field)"
    case .ambiguous(let text, let count, let examples):
      "\(count) tracks match '\(text)': " + examples.joined(separator: "; ")
        + (count > examples.count ? "; …" : "")
    }
  }
}

extension TrackError {
  /// Why the words of a user lead to no track: one is the name of a file that is not in the library, or nothing matches
  /// the query.
  package static func nothing(named words: [String]) -> TrackError {
    nothing(named: words.map(BytePath.init(argument:)))
  }

  fileprivate static func nothing(named words: [BytePath], in workingDirectory: BytePath? = nil) -> TrackError {
    for word in words {
      let places = LibraryPath.candidates(for: word, in: workingDirectory)
      if let file = places.first, MediaStore.looksLikeFile(word, in: workingDirectory) { return .notInLibrary(file) }
    }
    return .nothingMatches(words.map(\.displayString).joined(separator: " "))
  }
}

/// The recordings of a library as people name them.
package struct Tracks {
  let store: MediaStore
}

extension MediaStore {
  /// Its tracks.
  package var tracks: Tracks { Tracks(store: self) }
}

extension Tracks {
  /// The recording that a user means: an id (`17`), the path of a file, or a query that finds one recording. An id or
  /// path with `#3` behind it means the third part of it.
  ///
  /// - Parameter workingDirectory: where relative paths start; nil for that of the process.
  /// - Throws: ``TrackError`` and ``QueryError`` for a user's mistake, otherwise ``StoreError``.
  package func resolve(_ text: BytePath, workingDirectory: BytePath? = nil) throws -> TrackReference {
    if let track = try named(text, workingDirectory: workingDirectory) { return track }
    let words = text.displayString.split(separator: " ")
    if words.count > 1, words.allSatisfy({ Self.isID(String($0)) }) { throw TrackError.severalTracks(words.count) }
    do { return try track(matching: text.displayString) } catch TrackError.nothingMatches {
      throw TrackError.nothing(named: [text], in: workingDirectory)
    }
  }

  /// The recording that a user means by its id or the path of a file; nil for a word that can only be a query.
  ///
  /// - Throws: ``TrackError`` for an id or path that leads to no recording, otherwise ``StoreError``.
  package func named(_ text: BytePath, workingDirectory: BytePath? = nil) throws -> TrackReference? {
    guard let address = PartAddress(text) else { return try wholeTrack(text, workingDirectory: workingDirectory) }
    // A file with such a name comes first.
    do {
      if let track = try wholeTrack(text, workingDirectory: workingDirectory) { return track }
    } catch TrackError.notInLibrary {}
    return try wholeTrack(address.track, workingDirectory: workingDirectory).map { try part(address.number, of: $0) }
  }

  /// A part of a track by its number: of the track's first file, or of the first one that has parts.
  ///
  /// - Throws: ``TrackError/noPart(_:number:count:)``.
  package func part(_ number: Int, of track: TrackReference) throws -> TrackReference {
    var partCount = 0
    for file in track.fileDetails {
      let parts = try store.files.parts(ofFile: file.id)
      guard !parts.isEmpty else { continue }
      guard let part = parts.first(where: { $0.number == number }) else {
        partCount = max(partCount, parts.count)
        continue
      }
      var found = track
      found.part = part
      found.title = part.part.tags.title ?? track.title.map { "\($0), part \(number)" } ?? "part \(number)"
      found.artist = part.part.tags.artist ?? track.artist
      return found
    }
    throw TrackError.noPart(
      track.files.first?.displayString ?? "track \(track.recordingID)", number: number, count: partCount)
  }

  private func wholeTrack(_ text: BytePath, workingDirectory: BytePath? = nil) throws -> TrackReference? {
    let word = text.displayString
    if Self.isID(word) {
      guard let id = Int64(word), let track = try reference(id, first: nil) else {
        throw TrackError.noTrack(id: Int64(word) ?? .max)
      }
      return track
    }
    let path = LibraryPath.candidates(for: text, in: workingDirectory)
    for candidate in path {
      guard let file = try file(at: candidate) else { continue }
      guard let id = file.recordingID, let track = try reference(id, first: candidate) else {
        throw TrackError.noRecording(candidate, file.state, reason: file.reason)
      }
      return track
    }
    if MediaStore.looksLikePath(word, in: workingDirectory) || String(validating: text.bytes, as: UTF8.self) == nil {
      throw TrackError.notInLibrary(path.first ?? text)
    }
    return nil
  }

  package func resolve(_ text: String, workingDirectory: BytePath? = nil) throws -> TrackReference {
    try resolve(BytePath(text), workingDirectory: workingDirectory)
  }

  /// The query for what a user means by words that may name many tracks: ids, paths of files or folders, or one query.
  ///
  /// - Throws: ``TrackError`` for ids and paths that lead to no recording, ``QueryError`` and ``StoreError``.
  package func query(naming words: [String], workingDirectory: BytePath? = nil) throws -> Query {
    let text = words.joined(separator: " ")
    guard !text.isEmpty else { return .everything }
    var ids: [Int64] = []
    var folders: [QueryCondition] = []
    var unknownID: TrackError?
    var otherWord: String?
    var hasPath = false
    for word in words {
      do throws(any Error) {
        if let track = try named(BytePath(argument: word), workingDirectory: workingDirectory) {
          guard track.part == nil else { throw TrackError.partOfMany(word) }
          ids.append(track.recordingID)
          hasPath = hasPath || !Self.isID(word)
        } else {
          otherWord = otherWord ?? word
        }
      } catch TrackError.noTrack(let id) {
        // If not all words are ids, this one may be a year.
        unknownID = unknownID ?? .noTrack(id: id)
      } catch TrackError.notInLibrary(let path) {
        let found = try store.query(MediaStore.queryText(of: [word], workingDirectory: workingDirectory))
        guard let folder = found.condition, MediaStore.looksLikePath(word, in: workingDirectory),
          try store.count(of: found) > 0
        else {
          throw TrackError.notInLibrary(path)
        }
        folders.append(folder)
        hasPath = true
      }
    }
    if let otherWord {
      // Among paths it must be a path, too.
      if hasPath { throw TrackError.notInLibrary(BytePath(argument: otherWord)) }
      return try store.query(text)
    }
    if let unknownID { throw unknownID }
    let named = QueryCondition.test(.id, .oneOf(ids.map(String.init)))
    return Query(condition: folders.isEmpty ? named : .any(folders + (ids.isEmpty ? [] : [named])))
  }

  /// The recordings that a user means by words, each once: see ``query(naming:workingDirectory:)``.
  ///
  /// They are in the order of the words if these are ids or paths of files, otherwise in that of the query.
  package func recordingIDs(naming words: [String], workingDirectory: BytePath? = nil) throws -> [Int64] {
    var found: [Int64] = []
    try store.forEachRow(of: query(naming: words, workingDirectory: workingDirectory), fields: [.id]) { values in
      if case .integer(let id) = values.first { found.append(id) }
    }
    let named = words.compactMap {
      try? self.named(BytePath(argument: $0), workingDirectory: workingDirectory)?.recordingID
    }
    var seen: Set<Int64> = []
    return (Set(named) == Set(found) ? named : found).filter { seen.insert($0).inserted }
  }

  private static func isID(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func track(matching text: String) throws -> TrackReference {
    var query = try store.query(text)
    let hasRecording = QueryCondition.not(.test(.id, .absent))
    query.condition = query.condition.map { .all([$0, hasRecording]) } ?? hasRecording
    var names: [Int64: String] = [:]
    var places: [Int64: String] = [:]
    var order: [Int64] = []
    /// The paths of the first track.
    var paths: Set<BytePath> = []
    let fields = [
      .id, QueryField("artist", .text), QueryField("title", .text), QueryField("filename", .text),
      QueryField("path", .path), QueryField("codec", .text),
    ]
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .integer(let id) = values[0] else { return }
      if case .path(let path) = values[4], order.first ?? id == id { paths.insert(path) }
      guard names[id] == nil else { return }
      let words = values[1...2].compactMap { if case .text(let word) = $0 { word } else { nil } }
      var name = words.joined(separator: " - ")
      if case .text(let file) = values[3], case .none = values[2] { name = file }
      names[id] = name
      if case .path(let path) = values[4] {
        let codec = if case .text(let codec) = values[5] { "\(codec), " } else { "" }
        places[id] = "(\(codec)\(path.displayString))"
      }
      order.append(id)
    }
    guard let only = order.first else { throw TrackError.nothingMatches(text) }
    guard order.count == 1 else {
      // Where tracks of one name are tells them apart.
      let shown = order.prefix(5)
      let examples = shown.map { id in
        let isAlone = shown.count { names[$0] == names[id] } == 1
        return ["\(id)", names[id], isAlone ? nil : places[id]].compactMap { $0 }.joined(separator: " ")
      }
      throw TrackError.ambiguous(text, count: order.count, examples: examples)
    }
    guard let track = try reference(only, first: nil) else { throw TrackError.noTrack(id: only) }
    // The first file is the one that was found.
    guard let found = track.files.first(where: paths.contains), found != track.files.first else { return track }
    return try reference(only, first: found) ?? track
  }

  private struct LocatedFile {
    var recordingID: Int64?
    var state: FileState
    var reason: String?
  }

  /// The file at an absolute path, below any root.
  private func file(at path: BytePath) throws(StoreError) -> LocatedFile? {
    for root in try store.roots.all() where path.isBelowOrEqual(to: root.path) && root.path != path {
      let found = try store.read { db in
        try Row.fetchOne(
          db, sql: "SELECT audio_id, state, problem_reason FROM file WHERE root_id = ? AND path = ?",
          arguments: [root.id, path.relative(to: root.path).data]
        ).map { try LocatedFile(recordingID: $0[0], state: FileState(rawValue: $0[1]) ?? .pending, reason: $0[2]) }
      }
      if let found { return found }
    }
    return nil
  }

  private func reference(_ id: Int64, first: BytePath?) throws(StoreError) -> TrackReference? {
    var files = try store.files.all(ofRecording: id)
    if let index = files.firstIndex(where: { $0.path == first }) { files.insert(files.remove(at: index), at: 0) }
    guard let recording = try store.recordings.recording(id: id, preferringFile: files.first?.id) else { return nil }
    let tags = try files.first.map { file throws(StoreError) in try commonTags(ofFile: file.id) }
    return TrackReference(
      recordingID: id, hash: recording.hash, fileDetails: files,
      isDamaged: recording.state == .damaged || files.contains { $0.state == .damaged }, title: tags?.title,
      artist: tags?.artist, format: recording.format ?? MediaFormat(container: Container(rawValue: "")))
  }

  private func commonTags(ofFile id: Int64) throws(StoreError) -> (title: String?, artist: String?) {
    try store.read { db in
      let row = try Row.fetchOne(db, sql: "SELECT title, artist FROM file WHERE id = ?", arguments: [id])
      return try (row?[0], row?[1])
    }
  }
}

extension Query {
  /// The ids if the user named tracks one by one, by id or path; nil for any other query.
  package var namedIDs: [String]? {
    guard case .test(.id, .oneOf(let ids)) = condition else { return nil }
    return ids
  }
}
