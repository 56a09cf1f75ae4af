internal import MediaModel
internal import MediaStore

/// Products that follow, to the last byte, from stored ones, so that nothing has to be decoded for them.
///
/// The only such pair is the peaks of the one channel of a mono recording, which are those of its mix at half the zoom. All
/// else needs what the stored products have rounded away.
enum ProductDerivation {
  /// The kind of product that a kind may follow from.
  static func source(of kind: ProductKind) -> ProductKind? { kind == .channelWaveform ? .waveform : nil }

  /// The stored product that a kind follows from; nil where it must be decoded.
  static func source(of kind: ProductKind, in recording: RecordingOutline) -> ProductKind? {
    guard recording.channelCount == 1, let source = source(of: kind), let stored = recording.products[source],
      ProductRecipe.current(source).accepts(version: stored.version, parameters: stored.parameters)
    else { return nil }
    return source
  }

  /// The product; nil where the stored bytes are not what they should be.
  static func product(_ kind: ProductKind, from source: Product) -> Product? {
    guard kind == .channelWaveform, source.kind == .waveform,
      let peaks = try? WaveformPeaks(datBytes: source.bytes),
      peaks.channelCount == 1, peaks.framesPerPoint == 256, peaks.resolution == .bits8
    else { return nil }
    let recipe = ProductRecipe.current(kind)
    return Product(
      kind: kind, version: recipe.version, parameters: recipe.parameters,
      bytes: peaks.rescaled(toFramesPerPoint: 512).datBytes)
  }
}
