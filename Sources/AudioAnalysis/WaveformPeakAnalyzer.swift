package import MediaModel

/// Reduces a stream of PCM to one minimum and maximum per point, of stored integers and floats byte-equal to
/// audiowaveform's.
///
/// Pass consecutive blocks to ``consume(_:)-(Span<Float>)``, then take the result with ``finish()``. Where the blocks
/// are cut makes no difference. Samples become 16-bit integers by audiowaveform's rules (see ``SixteenBitScale``, also for
/// the step by which Vorbis and Opus may differ), the mono mix is their integer mean, cut toward zero, and 8 bits are the
/// value over 256, cut toward zero.
///
/// - Complexity: O(1) per sample; allocates only when the points outgrow the capacity reserved at the start.
package struct WaveformPeakAnalyzer: ~Copyable {
  /// What becomes of the channels.
  package enum Channels: Hashable, Sendable {
    /// All of them make one mono mix.
    case mixed
    /// The first ones are kept apart, at most `limit`.
    case separate(limit: Int)
  }

  private let format: AudioFormat
  private let mixes: Bool
  private let lineCount: Int
  private let framesPerPoint: Int
  private let resolution: WaveformPeaks.Resolution
  private let scale: SixteenBitScale
  /// The sums of the channels, as 16-bit integers, of one chunk.
  private let sums: SampleBuffer
  private var assembler: ChunkAssembler
  /// Of the point being filled, for each line.
  private var extremes: [Extremes]
  private var filledFrameCount = 0
  /// One of them is filled, by the resolution: a long recording has millions of points.
  private var bytes: [UInt8] = []
  private var words: [Int16] = []

  /// - Precondition: `framesPerPoint` is at least 2.
  package init(
    format: AudioFormat, channels: Channels, framesPerPoint: Int, resolution: WaveformPeaks.Resolution,
    expectedFrameCount: Int64 = 0
  ) {
    precondition(framesPerPoint >= 2, "a point covers two frames or more")
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
    assembler = ChunkAssembler(channelCount: format.channelCount)
    extremes = Array(repeating: Extremes(), count: lineCount)
    let expectedPointCount = max(expectedFrameCount, 0) / Int64(framesPerPoint)
    let valueCount = Reserve.bounded(expectedPointCount, bytesPerElement: 4 * lineCount) * 2 * lineCount
    if resolution == .bits8 {
      bytes.reserveCapacity(valueCount + 24)
      // Room for the header, which tells the number of points and is filled in at the end.
      bytes.append(contentsOf: repeatElement(0, count: datHeader.count))
    } else {
      words.reserveCapacity(valueCount)
    }
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    var position = 0
    while assembler.fill(from: samples, at: &position) { consume(assembler.chunk) }
  }

  /// Ends the stream; a last, partly filled point still counts.
  package consuming func finish() -> WaveformPeaks {
    complete()
    return WaveformPeaks(
      sampleRateInHz: format.sampleRateInHz, framesPerPoint: framesPerPoint, channelCount: lineCount,
      resolution: resolution,
      values: resolution == .bits8 ? bytes[datHeader.count...].map { Int16(Int8(bitPattern: $0)) } : words)
  }

  /// Ends the stream and gives the peaks as the bytes of a `.dat`; 8-bit ones without a second copy of the points.
  package consuming func finishAsDatBytes() -> [UInt8] {
    guard resolution == .bits8 else { return finish().datBytes }
    complete()
    bytes.replaceSubrange(0..<datHeader.count, with: datHeader)
    return bytes
  }

  private mutating func complete() {
    if assembler.fillRest() { consume(assembler.chunk) }
    if filledFrameCount > 0 { emit() }
  }

  private var datHeader: [UInt8] {
    let headerCount = lineCount == 1 ? 20 : 24
    return WaveformPeaks.datHeader(
      sampleRateInHz: format.sampleRateInHz, framesPerPoint: framesPerPoint, channelCount: lineCount,
      resolution: resolution, pointCount: max(0, bytes.count - headerCount) / (2 * lineCount))
  }

  /// Adds the next chunk of the stream; not to be mixed with the public way in.
  mutating func consume(_ chunk: PlanarChunk) {
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

  /// Takes a point of the mix from the chunk's mixed floats, where the integers cannot give another one.
  ///
  /// The integer of each channel is off its float by less than 1, so the sum of the channels by less than their number.
  /// An 8-bit point is the same within a range of 256 times that, which leaves few points to be made of the integers.
  private mutating func appendPoint(of chunk: PlanarChunk, from frame: Int) -> Bool {
    guard resolution == .bits8, scale.isLinear(upTo: chunk.peak) else { return false }
    let mix = chunk.extremesOfMix(from: frame, count: framesPerPoint)
    guard let low = coarse(mix.low), let high = coarse(mix.high) else { return false }
    append(low)
    append(high)
    return true
  }

  /// The 8-bit value of a sample of the mix; nil where rounding in 16 bits could make it another.
  ///
  /// - Precondition: The scale is linear up to the sample, which bounds it.
  private func coarse(_ sample: Float) -> Int16? {
    // One more than the rounding itself, for that of the floats.
    let value = sample * scale.factor
    let least = Int32((value - 2) / 256)
    return least == Int32((value + 2) / 256) ? Int16(truncatingIfNeeded: least) : nil
  }

  private func sumChannels(of chunk: PlanarChunk) {
    scale.apply(chunk.channels, count: PlanarChunk.capacity, into: sums.pointer, adding: false)
    for channel in 1..<chunk.channelCount {
      scale.apply(chunk.channel(channel), count: PlanarChunk.capacity, into: sums.pointer, adding: true)
    }
  }

  /// Scaling and dividing keep the order of samples, so they are left to the two that count.
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
    // A sum of at most 64 integers of 16 bit over their number is exact enough in a float to be cut right.
    let value = Int16(truncatingIfNeeded: Int32(integer))
    return resolution == .bits8 ? value / 256 : value
  }
}
