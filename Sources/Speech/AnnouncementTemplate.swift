package import Base
package import MediaModel

/// What is said before a track: a text with fields of its tags, `{title} by {artist}`.
///
/// `{previous}` and `{next}` are the titles of the tracks around it. A text before a field without a value is not said.
package struct AnnouncementTemplate: Hashable, Sendable {
  package static let usual = "{title} by {artist}"

  private let template: FieldTemplate

  /// - Throws: `TemplateError` for an invalid template.
  package init(_ template: String = AnnouncementTemplate.usual) throws(TemplateError) {
    self.template = try FieldTemplate(template)
  }

  /// What to say with which voices; empty for nothing.
  ///
  /// - Parameter language: Of the library, as ISO 639-1.
  package func runs(
    for tags: Tags, previous: Tags? = nil, next: Tags? = nil, language: String
  ) -> [SpokenRun] {
    let values = template.fields.map { name in
      switch name {
      case "previous": previous.map { Self.value("TITLE", of: $0) } ?? SpokenPiece("")
      case "next": next.map { Self.value("TITLE", of: $0) } ?? SpokenPiece("")
      default: Self.value(name.uppercased(), of: tags)
      }
    }
    let pieces = template.pieces(values: values.map(\.text))
    var spoken: [SpokenPiece] = []
    for (index, piece) in pieces.enumerated() {
      let isBeforeNothing =
        pieces.indices.contains(index + 1) && pieces[index + 1].field != nil && pieces[index + 1].text.isEmpty
      if piece.field == nil, isBeforeNothing { continue }
      spoken.append(SpokenPiece(piece.text, language: piece.field.flatMap { values[$0].language }))
    }
    return SpokenText.runs(of: spoken, language: language)
  }

  /// The value of a tag; if it has Chinese characters and there is a name to sort by without them, that one.
  private static func value(_ name: String, of tags: Tags) -> SpokenPiece {
    let common = CommonTags(tags)
    let text =
      switch name {
      case "TITLE": common.title
      case "ARTIST": common.artist
      case "ALBUM": common.album
      case "ALBUMARTIST": common.albumArtist ?? common.artist
      case "YEAR": common.year.map { String($0) }
      case "TRACK": common.track.map { String($0) }
      case "DISC": common.disc.map { String($0) }
      default: tags[name].first
      }
    let language = tags["LANGUAGE"].first.flatMap(LanguageCode.code)
    let piece = SpokenPiece(text ?? "", language: language)
    guard piece.hasHan, let sorted = tags[name + "SORT"].first else { return piece }
    let other = SpokenPiece(sorted, language: language)
    return other.hasHan ? piece : other
  }
}
