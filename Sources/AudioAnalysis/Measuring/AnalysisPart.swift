package import MediaModel

/// One part of the analysis that can be timed by itself; what it finds is thrown away.
///
/// Each part cuts the stream into chunks, as ``TrackAnalyzer`` does once for all of them; `chunks` does nothing else.
package struct AnalysisPart: Sendable {
  package let name: String
  private let start: @Sendable (AudioFormat) -> (PlanarChunk) -> Void

  /// - Parameter start: Makes what takes the chunks of one stream.
  init(_ name: String, start: @escaping @Sendable (AudioFormat) -> (PlanarChunk) -> Void) {
    self.name = name
    self.start = start
  }

  /// Passes a whole stream of interleaved samples through this part.
  package func run(over samples: Span<Float>, format: AudioFormat) {
    let consume = start(format)
    var assembler = ChunkAssembler(channelCount: format.channelCount)
    var position = 0
    while assembler.fill(from: samples, at: &position) { consume(assembler.chunk) }
    if assembler.fillRest() { consume(assembler.chunk) }
  }
}
