internal import MediaModel
internal import SignalProcessing

/// What takes the signal of ``SoundColumns``; each method is called for one piece after the other.
protocol SoundColumnConsumer: AnyObject {
  /// Takes the next samples of the signal at ``SoundColumns/sampleRateInHz``.
  func consume(samples: UnsafeBufferPointer<Float>)
  /// Takes the ``SoundColumns/binCount`` powers of the next column; a sine of amplitude 1 has the power 1 in its bin.
  func consume(column powers: UnsafePointer<Float>)
}

extension SoundColumnConsumer {
  func consume(samples: UnsafeBufferPointer<Float>) {}
}

/// Makes of any stream what sound search compares: one signal at 11,025 Hz, and its spectrum 43 times a second.
///
/// ```
///  chunks ─► mix, or first channel if the mix cancels ─► halving, resampling ─┬─► samples
///                                                                             └─► Hann 1,024, hop 256 ─► columns
/// ```
///
/// The middle of column `k` is at sample `k · hop`; a stream of `n` samples has ⌈n / hop⌉ columns. Before and after the
/// stream are zeros. Streams below 1,000 Hz have neither samples nor columns.
///
/// - Complexity: O(log n) per sample in the size n of the transform; allocates nothing after `init`.
final class SoundColumns {
  static let sampleRateInHz = 11_025
  static let transformSize = 1_024
  static let hop = 256
  static let binCount = transformSize / 2 + 1
  static let binWidthInHz = Double(sampleRateInHz) / Double(transformSize)
  static let columnsPerSecond = Double(sampleRateInHz) / Double(hop)
  private static let lowestRateInHz = 1_000

  private let consumers: [any SoundColumnConsumer]
  private let selection: SignalSelection
  private let resampler: MonoResampler?
  private let transform = ComplexTransform(size: SoundColumns.transformSize)
  private let powers = PairPowers(transformSize: SoundColumns.transformSize)
  private let window: SampleBuffer
  private let line: SampleBuffer
  /// The samples that are waiting in `line`, from the start of the next column to the newest sample.
  private var waiting = 0..<SoundColumns.transformSize / 2
  private var sampleCount = 0
  private var columnCount = 0

  init(format: AudioFormat, consumers: [any SoundColumnConsumer]) {
    self.consumers = consumers
    selection = SignalSelection(channelCount: format.channelCount)
    resampler =
      format.sampleRateInHz < Self.lowestRateInHz
      ? nil
      : MonoResampler(
        inputRateInHz: format.sampleRateInHz, outputRateInHz: Self.sampleRateInHz,
        highestResampledRateInHz: 2 * Self.sampleRateInHz - 1)
    let coefficients = SpectrogramStage.window(size: Self.transformSize)
    // A sine of amplitude 1 has the amplitude sum/2 in its bin, of which `PairPowers` gives twice the square root.
    let scale = 1 / coefficients.reduce(0, +)
    window = SampleBuffer(coefficients.map { Float($0 * scale) })
    line = SampleBuffer(count: 4 * Self.transformSize + (resampler?.maximumOutputCount ?? 0))
  }

  /// A guess of the number of columns of a stream, for reserves.
  static func columnCount(_ frameCount: Int64, sampleRateInHz: Int) -> Int {
    Int(max(0, min(Double(frameCount) / Double(max(sampleRateInHz, 1)) * columnsPerSecond, 0x1p40)))
  }

  func consume(_ chunk: borrowing PlanarChunk) {
    guard let resampler else { return }
    selection.withSignal(of: chunk) { resampler.resample($0, frameCount: chunk.frameCount) { take($0) } }
  }

  /// Ends the stream: passes on what is left.
  func finish() {
    guard let resampler else { return }
    resampler.finish { take($0) }
    let total = (sampleCount + Self.hop - 1) / Self.hop
    while columnCount < total {
      makeRoom(for: 2 * Self.hop)
      (line.pointer + waiting.upperBound).update(repeating: 0, count: 2 * Self.hop)
      waiting = waiting.lowerBound..<waiting.upperBound + 2 * Self.hop
      measure(limit: total)
    }
  }

  private func take(_ samples: UnsafeBufferPointer<Float>) {
    guard let source = samples.baseAddress, !samples.isEmpty else { return }
    for consumer in consumers { consumer.consume(samples: samples) }
    sampleCount += samples.count
    makeRoom(for: samples.count)
    (line.pointer + waiting.upperBound).update(from: source, count: samples.count)
    waiting = waiting.lowerBound..<waiting.upperBound + samples.count
    measure(limit: .max)
  }

  private func makeRoom(for count: Int) {
    guard waiting.upperBound + count > line.count else { return }
    line.pointer.update(from: line.pointer + waiting.lowerBound, count: waiting.count)
    waiting = 0..<waiting.count
  }

  /// Measures two columns at a time, while there are samples for them.
  private func measure(limit: Int) {
    while waiting.count >= Self.transformSize + Self.hop, columnCount < limit {
      let start = line.pointer + waiting.lowerBound
      let result = transform.transform(real: start, imaginary: start + Self.hop, window: window.pointer)
      powers.split(real: result.real, imaginary: result.imaginary, withMean: false)
      for consumer in consumers { consumer.consume(column: powers.first.pointer) }
      columnCount += 1
      if columnCount < limit {
        for consumer in consumers { consumer.consume(column: powers.second.pointer) }
        columnCount += 1
      }
      waiting = waiting.lowerBound + 2 * Self.hop..<waiting.upperBound
    }
  }
}

/// Chooses the signal of each chunk: the mix, or the first channel while the mix cancels.
///
/// A recording whose channels are opposite to each other is inaudible in its mix. The choice has a hysteresis, and
/// follows from the extremes of the chunk's blocks, which are known.
private final class SignalSelection {
  /// Powers of the mix, as shares of those of the channels, at which it is left and at which it is taken again.
  private static let cancelled: Float = 0.003
  private static let restored: Float = 0.03
  /// Samples beyond it are clipped: they are no sound, and their powers would not be finite.
  private static let largestMagnitude: Float = 16

  private let channelCount: Int
  private var usesMix = true
  private let clipped = SampleBuffer(count: PlanarChunk.capacity)

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Lends the samples of the signal.
  func withSignal(of chunk: borrowing PlanarChunk, _ body: (UnsafePointer<Float>) -> Void) {
    if channelCount > 1 { choose(chunk) }
    let clips = chunk.peak > Self.largestMagnitude
    if usesMix {
      chunk.withMix { body(clips ? clip($0) : $0) }
    } else {
      chunk.withChannel(0) { body(clips ? clip($0) : $0) }
    }
  }

  private func choose(_ chunk: borrowing PlanarChunk) {
    var powers: Float = 0
    var mixPower: Float = 0
    for block in 0..<PlanarChunk.blockCount {
      let start = block * PlanarChunk.blockSize
      for channel in 0..<channelCount {
        powers += Self.power(chunk.extremes(ofChannel: channel, from: start, count: PlanarChunk.blockSize))
      }
      mixPower += Self.power(chunk.extremesOfMix(from: start, count: PlanarChunk.blockSize))
    }
    let share = mixPower * Float(channelCount) / powers
    if share < Self.cancelled { usesMix = false }
    if share > Self.restored { usesMix = true }
  }

  private static func power(_ extremes: Extremes) -> Float {
    let range = extremes.high - extremes.low
    return range * range
  }

  private func clip(_ samples: UnsafePointer<Float>) -> UnsafePointer<Float> {
    for index in 0..<PlanarChunk.capacity {
      clipped.pointer[index] = max(-Self.largestMagnitude, min(samples[index], Self.largestMagnitude))
    }
    return UnsafePointer(clipped.pointer)
  }
}
