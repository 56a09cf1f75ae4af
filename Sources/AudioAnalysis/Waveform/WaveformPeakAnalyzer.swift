package import MediaModel
internal import SignalProcessing

/// Reduces a stream of PCM to one minimum and maximum per point, byte-equal to audiowaveform's result for files that
/// store integers or floats.
///
/// Pass consecutive blocks to ``consume(_:)``, then take the result with ``finish()``. Where the blocks are cut makes
/// no difference. Samples become 16-bit integers by audiowaveform's rules (see ``SixteenBitScale``, also for the
/// difference that Vorbis and Opus may show), the mono mix is their integer mean, rounded toward zero, and 8-bit values
/// are the 16-bit value divided by 256, rounded toward zero.
///
/// - Complexity: O(1) per sample; allocates only if the points outgrow the capacity reserved at the start.
package struct WaveformPeakAnalyzer: ~Copyable {
  /// What the channels become.
  package enum Channels: Hashable, Sendable {
    /// One mono mix of all channels.
    case mixed
    /// One line per channel, for the first `limit` channels.
    case separate(limit: Int)
  }

  private var assembler: ChunkAssembler
  private var reducer: WaveformPeakReducer

  /// - Precondition: `framesPerPoint` is at least 2.
  package init(
    format: AudioFormat, channels: Channels, framesPerPoint: Int, resolution: WaveformPeaks.Resolution,
    expectedFrameCount: Int64 = 0
  ) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    reducer = WaveformPeakReducer(
      format: format, channels: channels, framesPerPoint: framesPerPoint, resolution: resolution,
      expectedFrameCount: expectedFrameCount)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    assembler.append(samples) { reducer.consume($0) }
  }

  /// Ends the stream; a last, partly filled point still counts.
  package consuming func finish() -> WaveformPeaks {
    assembler.finish { reducer.consume($0) }
    return reducer.finish()
  }
}

/// Reduces the chunks of a stream to one minimum and maximum per point; see ``WaveformPeakAnalyzer``.
struct WaveformPeakReducer: ~Copyable {
  private let format: AudioFormat
  private let mixes: Bool
  private let lineCount: Int
  private var framesPerPoint: Int
  private let resolution: WaveformPeaks.Resolution
  private let scale: SixteenBitScale
  /// The sums of the channels of one chunk, as 16-bit integers.
  private let sums: SampleBuffer
  /// The extremes of the point that is being filled, for each line.
  private var extremes: [Extremes]
  private var filledFrameCount = 0
  /// The resolution decides which of the two is filled: a long recording has millions of points.
  private var bytes: [UInt8] = []
  private var words: [Int16] = []

  /// - Precondition: `framesPerPoint` is at least 2.
  init(
    format: AudioFormat, channels: WaveformPeakAnalyzer.Channels, framesPerPoint: Int,
    resolution: WaveformPeaks.Resolution,
    expectedFrameCount: Int64 = 0
  ) {
    precondition(framesPerPoint >= 2, "a point must cover at least two frames")
    self.format = format
    switch channels {
    case .mixed:
      mixes = format.channelCount > 1
      lineCount = 1
    case .separate(let limit):
      mixes = false
      lineCount = min(format.channelCount, max(limit, 1))
    }
    self.framesPerPoint = framesPerPoint
    self.resolution = resolution
    scale = SixteenBitScale(format.sampleEncoding)
    sums = SampleBuffer(count: PlanarChunk.capacity)
    extremes = Array(repeating: Extremes(), count: lineCount)
    let expectedPointCount = max(expectedFrameCount, 0) / Int64(framesPerPoint)
    let valueCount = Reserve.bounded(expectedPointCount, bytesPerElement: 4 * lineCount) * 2 * lineCount
    if resolution == .bits8 {
      bytes.reserveCapacity(valueCount + 24)
      // Room for the header, which contains the number of points and is written at the end.
      bytes.append(contentsOf: repeatElement(0, count: datHeader.count))
    } else {
      words.reserveCapacity(valueCount)
    }
  }

  /// Ends the stream; a last, partly filled point still counts.
  consuming func finish() -> WaveformPeaks {
    complete()
    return WaveformPeaks(
      sampleRateInHz: format.sampleRateInHz, framesPerPoint: framesPerPoint, channelCount: lineCount,
      resolution: resolution,
      values: resolution == .bits8 ? bytes[datHeader.count...].map { Int16(Int8(bitPattern: $0)) } : words)
  }

  /// Ends the stream and gives the peaks as the bytes of a `.dat` file; for 8 bits without a second copy of the points.
  consuming func finishAsDatBytes() -> [UInt8] {
    guard resolution == .bits8 else { return finish().datBytes }
    complete()
    bytes.replaceSubrange(0..<datHeader.count, with: datHeader)
    return bytes
  }

  private mutating func complete() {
    if filledFrameCount > 0 { emit() }
  }

  /// Joins each two points and makes the following ones as long; ends the point that is being filled.
  ///
  /// Call it where an even number of points is complete, or at the end of the stream, where the last one stays alone.
  ///
  /// - Precondition: The resolution is 8 bits.
  mutating func coarsen() {
    precondition(resolution == .bits8, "only stored peaks become coarser")
    complete()
    let width = 2 * lineCount
    var end = datHeader.count
    for point in stride(from: end, to: bytes.count, by: 2 * width) {
      for index in 0..<width {
        let value = Int8(bitPattern: bytes[point + index])
        let other = point + width < bytes.count ? Int8(bitPattern: bytes[point + width + index]) : value
        // Minimum and maximum alternate.
        bytes[end + index] = UInt8(bitPattern: index.isMultiple(of: 2) ? min(value, other) : max(value, other))
      }
      end += width
    }
    bytes.removeLast(bytes.count - end)
    framesPerPoint *= 2
  }

  private var datHeader: [UInt8] {
    let headerCount = lineCount == 1 ? 20 : 24
    return WaveformPeaks.datHeader(
      sampleRateInHz: format.sampleRateInHz, framesPerPoint: framesPerPoint, channelCount: lineCount,
      resolution: resolution, pointCount: max(0, bytes.count - headerCount) / (2 * lineCount))
  }

  /// Adds the next chunk of the stream.
  mutating func consume(_ chunk: borrowing PlanarChunk) {
    var hasSums = false
    var frame = 0
    while frame < chunk.frameCount {
      let count = min(framesPerPoint - filledFrameCount, chunk.frameCount - frame)
      if mixes, count == framesPerPoint, appendPoint(of: chunk, from: frame) {
        frame += count
        continue
      }
      if mixes, !hasSums {
        sumChannels(of: chunk)
        hasSums = true
      }
      if mixes {
        extremes[0].formUnion(Extremes(of: sums.pointer + frame, count: count))
      } else {
        for line in 0..<lineCount {
          extremes[line].formUnion(chunk.extremes(ofChannel: line, from: frame, count: count))
        }
      }
      filledFrameCount += count
      frame += count
      if filledFrameCount == framesPerPoint { emit() }
    }
  }

  /// Takes a point of the mix from the chunk's mixed floats if the integers cannot give a different one.
  ///
  /// The integer of each channel differs from its float by less than 1, and so does their mean. An 8-bit value covers a
  /// range of 256 of that, so few points have to be computed from the integers.
  private mutating func appendPoint(of chunk: borrowing PlanarChunk, from frame: Int) -> Bool {
    guard resolution == .bits8, scale.isLinear(upTo: chunk.peak) else { return false }
    let mix = chunk.extremesOfMix(from: frame, count: framesPerPoint)
    guard let low = coarse(mix.low), let high = coarse(mix.high) else { return false }
    append(low)
    append(high)
    return true
  }

  /// The 8-bit value of a sample of the mix; nil if rounding to 16 bits could change it.
  ///
  /// - Precondition: The scale is linear up to the magnitude of the sample.
  private func coarse(_ sample: Float) -> Int16? {
    // One more than the rounding itself, for the rounding of the floats.
    let value = sample * scale.factor
    let least = Int32((value - 2) / 256)
    return least == Int32((value + 2) / 256) ? Int16(truncatingIfNeeded: least) : nil
  }

  private func sumChannels(of chunk: borrowing PlanarChunk) {
    for channel in 0..<chunk.channelCount {
      chunk.withChannel(channel) {
        scale.apply($0, count: PlanarChunk.capacity, into: sums.pointer, adding: channel > 0)
      }
    }
  }

  /// Scaling and dividing keep the order of samples, so only the two extremes are scaled.
  private mutating func emit() {
    for line in 0..<lineCount {
      append(quantize(extremes[line].low))
      append(quantize(extremes[line].high))
      extremes[line] = Extremes()
    }
    filledFrameCount = 0
  }

  private mutating func append(_ value: Int16) {
    if resolution == .bits8 { bytes.append(UInt8(truncatingIfNeeded: value)) } else { words.append(value) }
  }

  private func quantize(_ extreme: Float) -> Int16 {
    let integer = mixes ? extreme / Float(format.channelCount) : scale.apply(extreme)
    // The mean of at most 64 integers of 16 bits is exact enough in a float to be rounded correctly.
    let value = Int16(truncatingIfNeeded: Int32(integer))
    return resolution == .bits8 ? value / 256 : value
  }
}
