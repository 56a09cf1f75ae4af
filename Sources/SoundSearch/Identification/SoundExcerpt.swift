internal import AudioAnalysis
package import Base
internal import DecodingService
package import MediaModel

/// Sound of which one asks what it is, as the landmarks by which it is searched.
package struct SoundExcerpt: Sendable {
  package let landmarks: ExcerptLandmarks
  package let durationInSeconds: Double

  package init(_ landmarks: ExcerptLandmarks) {
    self.landmarks = landmarks
    durationInSeconds = landmarks.durationInSeconds
  }

  /// A part of a file, decoded by a worker process.
  ///
  /// - Parameter timeoutInSeconds: How long the whole may take.
  /// - Throws: ``SegmentReadingError`` if the file cannot be read.
  package init(
    of path: BytePath, fromSeconds start: Double = 0, toSeconds end: Double? = nil,
    timeoutInSeconds: Double = .infinity
  ) throws {
    let deadline = monotonicSeconds() + timeoutInSeconds
    let source = try WorkerSegmentSource(
      path, recording: ContentHash(high: 0, low: 0), stream: nil, isDamaged: false)
    let rate = Double(source.audio.format.sampleRateInHz)
    let first = FrameIndex.frame(atSeconds: start, rateInHz: rate)
    let last = end.map { FrameIndex.frame(atSeconds: $0, rateInHz: rate) } ?? .max
    let reader = SegmentReader(source, cache: SegmentCache(capacityInBytes: 0))
    var analyzer = ExcerptAnalyzer(format: source.audio.format)
    try reader.forEachPiece(of: first..<max(first, last)) { samples in
      guard monotonicSeconds() < deadline else {
        throw SegmentReadingError.file(path, reason: "takes too long to decode")
      }
      analyzer.consume(samples)
    }
    self.init(analyzer.finish())
  }

  /// Samples without a header.
  ///
  /// - Parameters:
  ///   - limitInSeconds: Where to stop.
  ///   - read: Gives the next bytes; none at the end.
  package init(
    raw format: RawFormat, limitInSeconds: Double, read: () throws -> [UInt8]
  ) throws {
    var analyzer = ExcerptAnalyzer(format: format.audio)
    var rest: [UInt8] = []
    var remaining = Int(min(limitInSeconds, 1e6) * Double(format.audio.sampleRateInHz))
    while remaining > 0 {
      let bytes = try read()
      guard !bytes.isEmpty else { break }
      rest += bytes
      let frameCount = min(rest.count / format.bytesPerFrame, remaining)
      let samples = format.samples(rest.prefix(frameCount * format.bytesPerFrame))
      analyzer.consume(samples.span)
      rest.removeFirst(frameCount * format.bytesPerFrame)
      remaining -= frameCount
    }
    self.init(analyzer.finish())
  }
}

/// How samples without a header are written: little-endian, interleaved.
package struct RawFormat: Hashable, Sendable {
  package enum Sample: String, CaseIterable, Sendable {
    case u8, s16, s24, s32, f32

    var byteCount: Int {
      switch self {
      case .u8: 1
      case .s16: 2
      case .s24: 3
      case .s32, .f32: 4
      }
    }
  }

  package let audio: AudioFormat
  package let sample: Sample

  package init(audio: AudioFormat, sample: Sample) {
    self.audio = audio
    self.sample = sample
  }

  var bytesPerFrame: Int { audio.channelCount * sample.byteCount }

  /// Samples in `-1...1`; floats that are not finite become 0.
  func samples(_ bytes: ArraySlice<UInt8>) -> [Float] {
    let size = sample.byteCount
    return stride(from: bytes.startIndex, to: bytes.endIndex - size + 1, by: size).map { start in
      var word: UInt32 = 0
      for index in (0..<size).reversed() { word = word << 8 | UInt32(bytes[start + index]) }
      switch sample {
      case .u8: return (Float(word) - 128) / 128
      case .f32:
        let value = Float(bitPattern: word)
        return value.isFinite ? value : 0
      case .s16, .s24, .s32:
        let shifted = Int32(bitPattern: word << UInt32(32 - 8 * size))
        return Float(shifted) / 0x1p31
      }
    }
  }
}
