internal import Base

/// A tag that people can correct in the library: a field of queries, or any other name that tags can have.
package struct CorrectionField: Hashable, Sendable {
  /// To what a correction belongs.
  package enum Scope: String, CaseIterable, Sendable {
    /// What is heard: title, artist, genre; every file of the recording has the correction.
    case recording
    /// What is said of an album or a copy: a recording can be on two albums.
    case file
  }

  /// What its values can be.
  package enum Kind: Hashable, Sendable {
    case text
    /// One of `1...9999`, perhaps with the letter of a side.
    case number
    case date
    case tempo
    case key
    /// 0 or 1.
    case flag

    /// Whether it has one value at most.
    package var isSingle: Bool { self != .text }
  }

  /// The property name of its tag, in upper case, such as `ALBUMARTIST`.
  package let name: String

  /// - Parameter name: As in queries, or a property name; in any case.
  /// - Returns: nil if no tag can have that name: it has 1 to 100 characters of ASCII, with a letter, and without `=`, control
  ///   characters and blanks at its ends.
  package init?(_ name: String) {
    let bytes = Array(name.utf8)
    guard (1...100).contains(bytes.count), bytes.first != 0x20, bytes.last != 0x20,
      bytes.allSatisfy({ (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }),
      bytes.contains(where: { (0x41...0x5A).contains($0 & 0xDF) })
    else { return nil }
    let upper = name.uppercased()
    self.name = Self.propertyNames[upper] ?? upper
  }

  /// What queries call it.
  package var queryName: String { Self.queryNames[name] ?? name.lowercased() }

  package var scope: Scope { Self.ofFiles.contains(name) ? .file : .recording }

  package var kind: Kind { Self.kinds[name] ?? .text }

  /// The tags whose values a correction replaces, the one that gets its values first.
  package var tagNames: [String] { [name] + (Self.otherNames[name] ?? []) }

  /// The other tags that ``values(in:)`` may look at, or that its correction also replaces: the other number of `3/12`, and artists
  /// one by one, which would still be the former ones.
  package var relatedTagNames: [String] { (otherNumber?.tagNames ?? []) + (name == "ARTIST" ? ["ARTISTS"] : []) }

  /// Names of queries, and names of tags that mean the same.
  private static let propertyNames: [String: String] = [
    "YEAR": "DATE", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER", "TEMPO": "BPM", "KEY": "INITIALKEY",
    "MOVEMENT": "MOVEMENTNAME", "TOTALTRACKS": "TRACKTOTAL", "TRACKC": "TRACKTOTAL", "TOTALDISCS": "DISCTOTAL",
    "ALBUM ARTIST": "ALBUMARTIST", "ALBUM_ARTIST": "ALBUMARTIST", "DESCRIPTION": "COMMENT",
  ]

  private static let queryNames: [String: String] = [
    "TRACKNUMBER": "track", "DISCNUMBER": "disc", "INITIALKEY": "key", "MOVEMENTNAME": "movement",
  ]

  /// As ``CommonTags`` reads them.
  private static let otherNames: [String: [String]] = [
    "ALBUMARTIST": ["ALBUM ARTIST", "ALBUM_ARTIST"], "COMMENT": ["DESCRIPTION"], "DATE": ["YEAR"],
    "TRACKNUMBER": ["TRACK"], "TRACKTOTAL": ["TOTALTRACKS", "TRACKC"], "DISCNUMBER": ["DISC"],
    "DISCTOTAL": ["TOTALDISCS"], "BPM": ["TEMPO"], "INITIALKEY": ["KEY"],
  ]

  private static let kinds: [String: Kind] = [
    "DATE": .date, "TRACKNUMBER": .number, "TRACKTOTAL": .number, "DISCNUMBER": .number, "DISCTOTAL": .number,
    "BPM": .tempo, "INITIALKEY": .key, "COMPILATION": .flag,
  ]

  /// What is said of an album, or of one copy. All other tags, those of people's own too, follow the recording.
  private static let ofFiles: Set<String> = [
    "ALBUM", "ALBUMARTIST", "ALBUMARTISTS", "ALBUMARTISTSORT", "ALBUMSORT", "ASIN", "BARCODE", "CATALOGNUMBER",
    "COMMENT",
    "COMPILATION", "COPYRIGHT", "DATE", "DISCNUMBER", "DISCSUBTITLE", "DISCTOTAL", "ENCODEDBY", "ENCODER", "ENCODING",
    "LABEL", "MEDIA", "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_DISCID",
    "MUSICBRAINZ_RELEASEGROUPID", "MUSICBRAINZ_RELEASETRACKID", "ORIGINALDATE", "ORIGINALYEAR", "PUBLISHER",
    "RELEASECOUNTRY", "RELEASEDATE", "RELEASESTATUS", "RELEASETYPE", "SCRIPT", "TRACKNUMBER", "TRACKTOTAL",
  ]
}

extension CorrectionField: CustomStringConvertible {
  package var description: String { queryName }
}

// MARK: - Values

extension CorrectionField {
  /// Why a value cannot be one of this field; its description says what can be.
  package struct InvalidValue: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
  }

  /// The most bytes of a value: lyrics are long.
  package static let largestValue = 100_000

  /// The text that is stored for a value that somebody gives.
  package func value(_ text: String) throws(InvalidValue) -> String {
    let text = text.withoutBlankEnds
    guard !text.isEmpty else { throw InvalidValue(reason: "\(queryName) needs a value") }
    guard text.utf8.count <= Self.largestValue, !text.unicodeScalars.contains("\0") else {
      throw InvalidValue(reason: "a value of \(queryName) can have at most \(Self.largestValue) bytes and no NUL")
    }
    switch kind {
    case .text: return text
    case .number:
      guard let number = TagNumber(text), let value = number.number, number.total == nil else {
        throw InvalidValue(
          reason: "\(queryName) must be a whole number from 1 to 9999, not '\(text.cut(toByteCount: 100))'"
            + (TagNumber(text)?.total == nil ? "" : "; its total is a separate field"))
      }
      return number.side == nil ? String(value) : text
    case .date:
      guard let date = TagDate(text)?.description, date == text else {
        throw InvalidValue(
          reason: "\(queryName) must be YYYY, YYYY-MM or YYYY-MM-DD, not '\(text.cut(toByteCount: 100))'")
      }
      return date
    case .tempo:
      guard Tempo.inTag(text) != nil else {
        throw InvalidValue(reason: "\(queryName) must be in beats per minute, not '\(text.cut(toByteCount: 100))'")
      }
      return text
    case .key:
      guard MusicalKey(text) != nil else {
        throw InvalidValue(
          reason: "\(queryName) must be a key such as Am, 8A or F# minor, not '\(text.cut(toByteCount: 100))'")
      }
      return text
    case .flag:
      switch text.lowercased() {
      case "1", "yes", "true": return "1"
      case "0", "no", "false": return "0"
      default: throw InvalidValue(reason: "\(queryName) must be 1 or 0, not '\(text.cut(toByteCount: 100))'")
      }
    }
  }

  /// The values that tags have for this field, without blank ends and empty ones: those that its column shows.
  ///
  /// Of a number with a total, such as `3/12`, each is a value of its own field. What a file says otherwise stays as it is.
  package func values(in tags: Tags) -> [String] {
    switch name {
    case "TRACKTOTAL", "DISCTOTAL":
      let number = otherNumber.flatMap { Self.firstNumber($0, in: tags) }
      if let total = number?.total { return [String(total)] }
    case "TRACKNUMBER", "DISCNUMBER":
      let texts = Self.texts(tagNames, in: tags)
      guard let number = texts.first.flatMap({ TagNumber($0) }), number.total != nil else { return texts }
      let side = number.side.flatMap { Unicode.Scalar(UInt8(clamping: 0x40 + $0)) }.map(String.init) ?? ""
      return number.number.map { ["\(side)\($0)"] } ?? []
    case "ARTIST":
      // As the column has it, whose names may be in another tag.
      let artists = Self.texts(["ARTIST"], in: tags)
      return artists.isEmpty ? Self.texts(["ARTISTS"], in: tags) : artists
    default: break
    }
    return Self.texts(tagNames, in: tags)
  }

  /// Of the first name that has any.
  private static func texts(_ names: [String], in tags: Tags) -> [String] {
    for name in names {
      let values = tags[name].map(\.withoutBlankEnds).filter { !$0.isEmpty }
      if !values.isEmpty { return values }
    }
    return []
  }

  /// The first number that the tags of a field have.
  private static func firstNumber(_ field: CorrectionField, in tags: Tags) -> TagNumber? {
    for name in field.tagNames {
      for value in tags[name] {
        if let number = TagNumber(value) { return number }
      }
    }
    return nil
  }

  /// The field of totals that belongs to one of numbers, and the other way round.
  var otherNumber: CorrectionField? {
    switch name {
    case "TRACKNUMBER": CorrectionField("TRACKTOTAL")
    case "TRACKTOTAL": CorrectionField("TRACKNUMBER")
    case "DISCNUMBER": CorrectionField("DISCTOTAL")
    case "DISCTOTAL": CorrectionField("DISCNUMBER")
    default: nil
    }
  }
}
