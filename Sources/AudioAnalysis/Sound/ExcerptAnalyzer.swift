package import MediaModel

/// Finds the landmarks by which an excerpt is searched: more than are stored, so that those that are stored are among
/// them, whatever happened to the sound.
///
/// Where the blocks are cut makes no difference.
package struct ExcerptAnalyzer: ~Copyable {
  private var assembler: ChunkAssembler
  private let usual = LandmarkAnalyzer(density: .usual)
  private let dense = LandmarkAnalyzer(density: .dense)
  private let columns: SoundColumns

  package init(format: AudioFormat) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    columns = SoundColumns(format: format, consumers: [usual, dense])
  }

  /// Adds the next block of interleaved samples: any number of whole frames, finite.
  package mutating func consume(_ samples: Span<Float>) {
    assembler.append(samples) { columns.consume($0) }
  }

  /// Ends the stream.
  package consuming func finish() -> ExcerptLandmarks {
    assembler.finish { columns.consume($0) }
    columns.finish()
    return ExcerptLandmarks(usual: usual.finish(), dense: dense.finish())
  }
}
