internal import Foundation
internal import GRDB
package import MediaModel

extension MediaStore {
  /// The one recording that a user means: an id (`17`), the path of a file, or a query that one recording matches.
  ///
  /// - Parameter workingDirectory: what a relative path starts from; the process's own without it.
  /// - Throws: ``TrackError`` and ``QueryError`` for a user's mistake, ``StoreError`` otherwise.
  package func resolveTrack(_ text: BytePath, workingDirectory: BytePath? = nil) throws -> TrackReference {
    if let track = try namedTrack(text, workingDirectory: workingDirectory) { return track }
    let words = text.displayString.split(separator: " ")
    if words.count > 1, words.allSatisfy({ Self.isID(String($0)) }) { throw TrackError.severalTracks(words.count) }
    return try track(matching: text.displayString)
  }

  /// The recording that a user means by its id or the path of a file; nil for words that can only be a query.
  ///
  /// - Throws: ``TrackError`` for an id or path that leads to no recording, ``StoreError`` otherwise.
  package func namedTrack(_ text: BytePath, workingDirectory: BytePath? = nil) throws -> TrackReference? {
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
        throw TrackError.noSound(candidate, file.state, reason: file.reason)
      }
      return track
    }
    if Self.looksLikePath(word) || String(validating: text.bytes, as: UTF8.self) == nil {
      throw TrackError.notInLibrary(path.first ?? text)
    }
    return nil
  }

  package func resolveTrack(_ text: String, workingDirectory: BytePath? = nil) throws -> TrackReference {
    try resolveTrack(BytePath(text), workingDirectory: workingDirectory)
  }

  /// What a user means where it may be many tracks: words of which each is an id, the path of a file or a folder, or one query.
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
        if let track = try namedTrack(BytePath(argument: word), workingDirectory: workingDirectory) {
          ids.append(track.recordingID)
          hasPath = hasPath || !Self.isID(word)
        } else {
          otherWord = otherWord ?? word
        }
      } catch TrackError.noTrack(let id) {
        // Where not all words are ids, this one may be a year.
        unknownID = unknownID ?? .noTrack(id: id)
      } catch TrackError.notInLibrary(let path) {
        let found = try query(Self.queryText(of: [word], workingDirectory: workingDirectory))
        guard let folder = found.condition, Self.looksLikePath(word), try count(of: found) > 0 else {
          throw TrackError.notInLibrary(path)
        }
        folders.append(folder)
        hasPath = true
      }
    }
    if let otherWord {
      // Among paths it is one, too.
      if hasPath { throw TrackError.notInLibrary(BytePath(argument: otherWord)) }
      return try query(text)
    }
    if let unknownID { throw unknownID }
    let named = QueryCondition.test(.id, .oneOf(ids.map(String.init)))
    return Query(condition: folders.isEmpty ? named : .any(folders + (ids.isEmpty ? [] : [named])))
  }

  /// The text of the query that a user means where it may be any files: a word that begins as a path does stands for the file
  /// there or for all that lies below, words like that in a row for all of them.
  ///
  /// Case and accents count, because they do in names of files; bytes that are not UTF-8 are all the same.
  package static func queryText(of words: [String], workingDirectory: BytePath? = nil) -> String {
    var parts: [String] = []
    for (index, word) in words.enumerated() {
      guard looksLikePath(word) else {
        parts.append(word)
        continue
      }
      let paths = LibraryPath.candidates(for: BytePath(argument: word), in: workingDirectory).map(\.displayString)
      let terms = paths.map { "path:=\"" + $0.escaping("\"\\", with: "\\") + ($0 == "/" ? "\"" : "/\"") }
      let followsPath = index > 0 && looksLikePath(words[index - 1])
      let open = followsPath ? "\(parts.removeLast().dropLast()) OR " : "("
      parts.append(open + terms.joined(separator: " OR ") + ")")
    }
    return parts.joined(separator: " ")
  }

  private static func looksLikePath(_ word: String) -> Bool {
    [".", ".."].contains(word) || ["/", "./", "../"].contains { word.hasPrefix($0) }
  }

  private static func isID(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func track(matching text: String) throws -> TrackReference {
    var query = try self.query(text)
    let hasSound = QueryCondition.not(.test(.id, .absent))
    query.condition = query.condition.map { .all([$0, hasSound]) } ?? hasSound
    var names: [Int64: String] = [:]
    var order: [Int64] = []
    /// Of the first track.
    var paths: Set<BytePath> = []
    let fields = [
      .id, QueryField("artist", .text), QueryField("title", .text), QueryField("filename", .text),
      QueryField("path", .path),
    ]
    try forEachRow(of: query, fields: fields) { values in
      guard case .integer(let id) = values[0] else { return }
      if case .path(let path) = values[4], order.first ?? id == id { paths.insert(path) }
      guard names[id] == nil else { return }
      let words = values[1...2].compactMap { if case .text(let word) = $0 { word } else { nil } }
      var name = words.joined(separator: " - ")
      if case .text(let file) = values[3], case .none = values[2] { name = file }
      names[id] = "\(id) \(name)"
      order.append(id)
    }
    guard let only = order.first else { throw TrackError.nothingMatches(text) }
    guard order.count == 1 else {
      throw TrackError.ambiguous(text, count: order.count, examples: order.prefix(5).compactMap { names[$0] })
    }
    guard let track = try reference(only, first: nil) else { throw TrackError.noTrack(id: only) }
    // Of several files with the sound one that was found.
    guard let found = track.files.first(where: paths.contains), found != track.files.first else { return track }
    return try reference(only, first: found) ?? track
  }

  private struct LocatedFile {
    var recordingID: Int64?
    var state: FileState
    var reason: String?
  }

  /// What the library has at an absolute path, below whichever root it lies.
  private func file(at path: BytePath) throws(StoreError) -> LocatedFile? {
    for root in try roots() where path.isBelowOrEqual(to: root.path) && root.path != path {
      let found = try read { db in
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
    guard let recording = try recording(id: id) else { return nil }
    var files = try files(ofRecording: id)
    if let index = files.firstIndex(where: { $0.path == first }) { files.insert(files.remove(at: index), at: 0) }
    let tags = try files.first.map { file throws(StoreError) in try commonTags(ofFile: file.id) }
    return TrackReference(
      recordingID: id, hash: recording.hash, fileDetails: files,
      isDamaged: recording.state == .damaged || files.contains { $0.state == .damaged }, title: tags?.title,
      artist: tags?.artist, format: recording.format ?? MediaFormat(container: Container(rawValue: "")))
  }

  private func commonTags(ofFile id: Int64) throws(StoreError) -> (title: String?, artist: String?) {
    try read { db in
      let row = try Row.fetchOne(db, sql: "SELECT title, artist FROM file WHERE id = ?", arguments: [id])
      return try (row?[0], row?[1])
    }
  }
}

extension Query {
  /// The ids of the tracks that ids or paths named one by one; nil for any other query.
  package var namedIDs: [String]? {
    guard case .test(.id, .oneOf(let ids)) = condition else { return nil }
    return ids
  }
}
