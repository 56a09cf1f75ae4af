internal import MediaModel

/// What a file is, and what it has: the words of the fields `is` and `has`.
enum FilePredicates {
  static let being: [LibraryField.Predicate] = [
    .init("duplicate-file", "audio.present_count > 1 AND file.missing_since IS NULL"),
    .init("missing", "file.missing_since IS NOT NULL"),
    .init("damaged", "file.state = 'damaged'"),
    .init("lossless", LossySourceSQL.isLossless),
    .init("clipped", "measures.clipped_samples > 0"),
  ]

  static let having: [LibraryField.Predicate] =
    [
      .init("artwork", "EXISTS (SELECT 1 FROM file_artwork WHERE file_artwork.file_id = file.id)"),
      .init("lyrics", tag("LYRICS")),
      .init("loudness", "measures.loudness_lufs IS NOT NULL"),
      .init("preset", "\(PresetSQL.name) IS NOT NULL"),
    ] + [ProductKind.fingerprint, .spectrum, .spectrogram, .waveform].map { .init($0.rawValue, product($0)) }

  private static func tag(_ name: String) -> String {
    "EXISTS (SELECT 1 FROM tag WHERE file_id = file.id AND name_id = (SELECT id FROM tag_name WHERE name = '\(name)'))"
  }

  private static func product(_ kind: ProductKind) -> String {
    "EXISTS (SELECT 1 FROM product WHERE audio_id = file.audio_id AND kind = '\(kind.rawValue)')"
  }
}
