package import MediaModel

/// The samples of a segment, immutable.
package final class DecodedSegment: Sendable {
  /// Interleaved, all finite; empty after the end of the recording.
  package let samples: [Float]
  package let channelCount: Int
  private let ledger: SegmentLedger

  init(samples: [Float], channelCount: Int, ledger: SegmentLedger) {
    self.samples = samples
    self.channelCount = channelCount
    self.ledger = ledger
    ledger.add(byteCount)
  }

  deinit { ledger.remove(byteCount) }

  package var frameCount: Int { samples.count / channelCount }

  /// Its cost in the cache: the samples, and an estimate of the overhead.
  var byteCount: Int { samples.count * MemoryLayout<Float>.stride + 256 }
}

/// Counts the bytes of all segments that exist, whether a cache or a reader holds them.
final class SegmentLedger: Sendable {
  private let counts = Guarded((byteCount: 0, peak: 0))

  var byteCount: Int { counts.withLock(\.byteCount) }
  var peak: Int { counts.withLock(\.peak) }

  func add(_ byteCount: Int) {
    counts.withLock { counts in
      counts.byteCount += byteCount
      counts.peak = max(counts.peak, counts.byteCount)
    }
  }

  func remove(_ byteCount: Int) { counts.withLock { $0.byteCount -= byteCount } }
}

/// One way of decoding a recording: everything that determines its samples.
package struct SegmentedAudio: Hashable, Sendable {
  package var hash: ContentHash
  package var format: AudioFormat
  /// Frames that the encoder added, as the file says, dropped at the start and the end; files of one recording may
  /// differ.
  package var delayFrameCount: Int?
  package var paddingFrameCount: Int?
  /// What else the file says about its stream, such as a gain; nil if it is not known.
  package var declaration: StreamDeclaration?

  package init(
    hash: ContentHash, format: AudioFormat, delayFrameCount: Int? = nil, paddingFrameCount: Int? = nil,
    declaration: StreamDeclaration? = nil
  ) {
    self.hash = hash
    self.format = format
    self.delayFrameCount = delayFrameCount
    self.paddingFrameCount = paddingFrameCount
    self.declaration = declaration
  }
}

/// The name of a segment in the cache: audio with its rate and channels, and the segment's number.
package struct SegmentKey: Hashable, Sendable {
  /// Frames of a segment; the last one of a recording has fewer.
  package static let framesPerSegment = 65_536

  package var audio: SegmentedAudio
  /// The segment begins at this multiple of ``framesPerSegment``.
  package var number: Int64

  package init(audio: SegmentedAudio, number: Int64) {
    self.audio = audio
    self.number = number
  }

  /// The frames of the segment, as far as the recording has them; empty if the number is out of range.
  package var frames: Range<Int64> {
    let count = Int64(Self.framesPerSegment)
    guard number >= 0, number < Int64.max / count else { return 0..<0 }
    return number * count..<(number + 1) * count
  }
}
