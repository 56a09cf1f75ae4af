package import AudioEncoding
package import MediaModel

/// A file or a pipe: all tracks in one format, one after the other.
package final class EncodedSink: SoundSink {
  package let format: AudioFormat?
  package let form: SampleForm
  private let encoder: any SoundEncoder
  private let append: ([UInt8]) throws -> Void
  /// What replaces the first bytes, once it is finished; empty if they stay.
  package private(set) var start: [UInt8] = []

  /// - Parameter append: Takes the bytes in order.
  package init(
    _ format: AudioFormat, form: SampleForm, _ encoder: any SoundEncoder, append: @escaping ([UInt8]) throws -> Void
  ) {
    self.format = format
    self.form = form
    self.encoder = encoder
    self.append = append
  }

  package var clippedSampleCount: Int { encoder.clippedSampleCount }

  package func open(_ wanted: AudioFormat) {}

  package func continues(with wanted: AudioFormat) -> Bool { true }

  package func write(_ samples: Span<Float>) throws { try append(try encoder.encode(samples)) }

  package var delayFrameCount: Int64 { 0 }

  package func pause() -> Bool { true }

  package func resume() {}

  package func discard() {}

  package func finish() throws {
    let (end, start) = try encoder.finish()
    if !end.isEmpty { try append(end) }
    self.start = start
  }
}
