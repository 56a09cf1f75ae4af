/// The folded texts of a file that searches look through.
package struct SearchText: Hashable, Sendable {
  /// Title, artist, album, album artist, genre and the file's name: where a word without a field is looked for.
  package let words: String
  /// The path, and then the value of every tag for which ``isIndexed(_:)`` holds: what else can be found by an index.
  package let more: String

  package init(_ tags: Tags, path: BytePath) {
    let common = CommonTags(tags)
    words = common.searchText(fileName: path.lastComponent.displayString)
    let values = tags.properties.filter { Self.isIndexed($0.name) && !Self.isInWords($0.name) }.flatMap(\.values)
    more = ([path.displayString] + values).map(Self.line).joined(separator: "\n")
  }

  /// `more` of a file that was moved.
  package static func more(_ more: String, movedTo path: BytePath) -> String {
    let rest = more.utf8.firstIndex(of: UInt8(ascii: "\n")).map { more[$0...] } ?? ""
    return line(path.displayString) + rest
  }

  /// Whether every value of a tag is a part of `more`, or all that can be asked of it one of `words`.
  ///
  /// Numbers of databases, loudness and whole lyrics would make the index large, and nobody types parts of them.
  package static func isIndexed(_ name: String) -> Bool {
    !name.hasPrefix("MUSICBRAINZ_") && !name.hasPrefix("ACOUSTID_") && !name.hasPrefix("REPLAYGAIN_")
      && !name.hasPrefix("R128_") && !name.hasSuffix("_ID") && !name.hasPrefix("ITUN") && name != "LYRICS"
  }

  /// Tags whose values all go into `words` whole.
  private static func isInWords(_ name: String) -> Bool { ["TITLE", "ARTIST", "ALBUM", "GENRE"].contains(name) }

  /// Folded, and in one line that no NUL ends too early.
  static func line(_ text: String) -> String {
    let folded = TextFolding.fold(text)
    guard folded.utf8.contains(where: { $0 == 0x0A || $0 == 0 }) else { return folded }
    return folded.replacing("\0", with: " ").split(separator: "\n").joined(separator: " ")
  }
}
