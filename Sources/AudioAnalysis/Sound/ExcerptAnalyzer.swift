package import MediaModel

/// Finds the landmarks by which an excerpt is searched: four times as many as are stored, so that most of those that are
/// stored are among them, whatever happened to the sound.
///
/// Where the blocks are cut makes no difference.
package struct ExcerptAnalyzer: ~Copyable {
  private var assembler: ChunkAssembler
  private let landmarks = LandmarkAnalyzer(density: .query)
  private let columns: SoundColumns

  package init(format: AudioFormat) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    columns = SoundColumns(format: format, consumers: [landmarks])
  }

  /// Adds the next block of interleaved samples: any number of whole frames, finite.
  package mutating func consume(_ samples: Span<Float>) {
    assembler.append(samples) { columns.consume($0) }
  }

  /// Ends the stream.
  package consuming func finish() -> Landmarks {
    assembler.finish { columns.consume($0) }
    columns.finish()
    return landmarks.finish()
  }
}
