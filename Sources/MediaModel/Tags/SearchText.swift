package import Base

/// The folded texts of a file for searches.
package struct SearchText: Hashable, Sendable {
  /// Title, artist, album, album artist, genre and file name, in which a word without a field is searched.
  package let words: String
  /// The path, and the value of every tag for which ``isIndexed(_:)`` is true; these can be found by an index, too.
  package let more: String

  package init(_ tags: Tags, path: BytePath) {
    let common = CommonTags(tags)
    words = common.searchText(fileName: path.lastComponent.displayString)
    let values = tags.properties.filter { Self.isIndexed($0.name) && !Self.isInWords($0.name) }.flatMap(\.values)
    more = ([path.displayString] + values).map(Self.line).joined(separator: "\n")
  }

  /// `more` for a file that was moved.
  package static func more(_ more: String, movedTo path: BytePath) -> String {
    let rest = more.utf8.firstIndex(of: UInt8(ascii: "\n")).map { more[$0...] } ?? ""
    return line(path.displayString) + rest
  }

  /// Whether every value of a tag is part of `more`, or of `words`.
  ///
  /// Database ids, loudness and lyrics would make the index large, and nobody types parts of them.
  package static func isIndexed(_ name: String) -> Bool {
    !name.hasPrefix("MUSICBRAINZ_") && !name.hasPrefix("ACOUSTID_") && !name.hasPrefix("REPLAYGAIN_")
      && !name.hasPrefix("R128_") && !name.hasSuffix("_ID") && !name.hasPrefix("ITUN") && name != "LYRICS"
  }

  /// Tags whose values are all part of `words`.
  private static func isInWords(_ name: String) -> Bool { ["TITLE", "ARTIST", "ALBUM", "GENRE"].contains(name) }

  /// Folded, in one line, and without NUL, which would end the text.
  static func line(_ text: String) -> String {
    let folded = TextFolding.fold(text)
    guard folded.utf8.contains(where: { $0 == 0x0A || $0 == 0 }) else { return folded }
    return folded.replacing("\0", with: " ").split(separator: "\n").joined(separator: " ")
  }
}
