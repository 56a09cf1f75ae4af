package import Base

/// What a recording may be, as AcoustID knows it.
package struct AcoustIDMatch: Hashable, Sendable {
  package struct Artist: Hashable, Sendable {
    package var name: String
    /// What stands between this name and the next: ` & `, ` feat. `.
    package var joinPhrase: String
    /// MusicBrainz'.
    package var id: String?
  }

  /// All releases of one album, single or compilation.
  package struct ReleaseGroup: Hashable, Sendable {
    package var id: String
    package var title: String
    /// `Album`, `Single`, …; nil if MusicBrainz does not say.
    package var kind: String?
    /// `Compilation`, `Live`, …
    package var furtherKinds: [String]
  }

  /// `0...1`: how alike the fingerprints are.
  package var score: Double
  /// Of the group of fingerprints that are one sound.
  package var acoustID: String
  /// MusicBrainz'; nil if nobody has linked the fingerprint to a recording.
  package var recordingID: String?
  package var title: String?
  package var artists: [Artist] = []
  package var durationInSeconds: Double?
  package var releaseGroups: [ReleaseGroup] = []

  /// The artists as they are credited.
  package var credit: String { artists.map { $0.name + $0.joinPhrase }.joined() }

  package var json: JSONValue {
    .object([
      "score": .number(score), "acoustid": .string(acoustID), "recording_id": .string(recordingID),
      "title": .string(title), "duration_seconds": .number(durationInSeconds),
      "artist": artists.isEmpty ? .null : .string(credit),
      "artists": .array(artists.map { .object(["id": .string($0.id), "name": .string($0.name)]) }),
      "release_groups": .array(
        releaseGroups.map {
          .object([
            "id": .string($0.id), "title": .string($0.title), "type": .string($0.kind),
            "secondary_types": .array($0.furtherKinds.map { .string($0) }),
          ])
        }),
    ])
  }
}

extension AcoustIDMatch {
  /// The matches of each question of a batch, the best first; nil for a question that the service did not answer.
  ///
  /// Members of other kinds than the service documents are left out.
  ///
  /// - Returns: nil if this is no answer to a batch.
  static func all(in document: JSONValue, questionCount: Int) -> [[AcoustIDMatch]?]? {
    guard document["status"]?.string == "ok", let answers = document["fingerprints"]?.array else {
      return nil
    }
    var all = [[AcoustIDMatch]?](repeating: nil, count: questionCount)
    for answer in answers {
      let index = answer["index"]
      guard let number = index?.double ?? index?.string.flatMap(DecimalText.parse), let place = Int(exactly: number),
        all.indices.contains(place)
      else { continue }
      let results = answer["results"]?.array ?? []
      // Stable: the service has an order among equal scores.
      all[place] = results.flatMap(matches(of:)).enumerated()
        .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
    }
    return all
  }

  /// One for each recording of a result; one without a recording if it has none.
  private static func matches(of result: JSONValue) -> [AcoustIDMatch] {
    guard let id = result["id"]?.string, let score = result["score"]?.double else { return [] }
    let plain = AcoustIDMatch(score: min(max(score, 0), 1), acoustID: id)
    let recordings = (result["recordings"]?.array ?? []).compactMap { recording in
      recording["id"]?.string.map { id in
        var match = plain
        match.recordingID = id
        match.title = recording["title"]?.string
        match.durationInSeconds = recording["duration"]?.double
        match.artists = (recording["artists"]?.array ?? []).compactMap(artist)
        match.releaseGroups = (recording["releasegroups"]?.array ?? []).compactMap(releaseGroup)
        return match
      }
    }
    return recordings.isEmpty ? [plain] : recordings
  }

  private static func artist(_ value: JSONValue) -> Artist? {
    value["name"]?.string.map {
      Artist(name: $0, joinPhrase: value["joinphrase"]?.string ?? "", id: value["id"]?.string)
    }
  }

  private static func releaseGroup(_ value: JSONValue) -> ReleaseGroup? {
    guard let id = value["id"]?.string, let title = value["title"]?.string else { return nil }
    return ReleaseGroup(
      id: id, title: title, kind: value["type"]?.string,
      furtherKinds: (value["secondarytypes"]?.array ?? []).compactMap(\.string))
  }
}
