internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// Remarks about a query on standard error: that it finds nothing, and how it was understood, if that may be why.
enum QueryRemarks {
  static func write(
    about query: Query, findsNothing: Bool, in store: MediaStore, _ output: OutputOptions
  ) throws {
    guard !output.quiet else { return }
    let wanted = query.texts(comparedWith: "preset")
    if !wanted.isEmpty {
      let names = try store.presets.all().map { TextFolding.fold($0.name.text) }
      for text in wanted where !names.contains(where: { $0.contains(TextFolding.fold(text)) }) {
        StandardError.line(TerminalText.escaped("there is no preset '\(text)'; `deadwax preset ls` shows all"))
      }
    }
    if findsNothing {
      let understood = query.looseWord.map { "nothing found: \(text($0))" }
      StandardError.line(TerminalText.escaped(understood ?? "nothing found"))
    }
    if let text = text(aboutNumbersOf: query, in: store) { StandardError.line(TerminalText.escaped(text)) }
  }

  private static func text(_ loose: Query.LooseWord) -> String {
    let verb = loose.isExact ? "is" : "contains"
    let sign = loose.isExact ? "=" : ""
    return "interpreted as \(loose.field.name) \(verb) \"\(loose.text)\", and the word \"\(loose.word)\" "
      + "anywhere; put quotes around text with spaces: \(loose.field.name):\(sign)\"…\""
  }

  /// Says how to name tracks, if all words of a query are ids of some: other commands take `17` for a track.
  private static func text(aboutNumbersOf query: Query, in store: MediaStore) -> String? {
    let numbers = store.isTemporary ? [] : query.loneNumbers
    let tracks = numbers.compactMap { try? store.tracks.named(BytePath($0)) }
    guard let track = tracks.first, tracks.count == numbers.count else { return nil }
    return numbers.count == 1
      ? "\(numbers[0]) is searched as text; id:\(numbers[0]) is the track '\(track.label)'"
      : "numbers are searched as text; '\(numbers.map { "id:\($0)" }.joined(separator: " , "))' are tracks"
  }
}

extension QueryArgument {
  /// The query, after remarks about it.
  func query(in store: MediaStore, remarkingTo output: OutputOptions) throws -> Query {
    let query = try query(in: store)
    if !output.quiet {
      try QueryRemarks.write(about: query, findsNothing: store.count(of: query) == 0, in: store, output)
    }
    return query
  }

  /// The recordings that the query finds, after remarks about it; nil without a query.
  func recordingIDs(in store: MediaStore, remarkingTo output: OutputOptions) throws -> Set<Int64>? {
    guard !words.isEmpty else { return nil }
    return try Self.recordingIDs(of: query(in: store, remarkingTo: output), in: store)
  }

  static func recordingIDs(of query: Query, in store: MediaStore) throws -> Set<Int64> {
    var ids: Set<Int64> = []
    try store.forEachRow(of: query, fields: [.id]) { if case .integer(let id) = $0[0] { ids.insert(id) } }
    return ids
  }
}
