internal import MediaModel
internal import SignalProcessing

/// One level of the pyramid: frames of a stream at one rate, windowed, transformed and measured.
///
/// A complex transform takes two real frames: one of each of two channels, or two successive frames of a single signal.
/// The middle of frame `f` is at `(f + 1/2) · hop`, and the first frame is -1, so that each sample of the stream is
/// covered by all windows that reach it. Before and after the stream are zeros.
final class SpectrumStage {
  /// What the one or two lines of samples are.
  enum Signals {
    case mix
    case channels
    /// Two channels whose mean is the mix of the recording.
    case channelsAndMix

    var lineCount: Int { self == .mix ? 1 : 2 }
  }

  let plan: SpectrumPlan.Stage
  let signals: Signals
  let first: SignalSpectrum
  let second: SignalSpectrum?
  let mean: SignalSpectrum?
  /// The sum over all frames of the part of their window that was on the stream, in windows.
  private(set) var coverage = 0.0
  let sumOfWindow: Double

  private let transform: ComplexTransform
  private let powers: PairPowers
  private let window: SampleBuffer
  private let sumOfSquaredWindow: Double
  private let firstLine: SampleBuffer
  private let secondLine: SampleBuffer
  /// The samples that are waiting, from the start of the next frame to the newest sample.
  private var waiting: Range<Int>
  private var nextFrame = -1
  private let next: SpectrumStage?
  private let lowBand: LowBandSynthesis?
  /// Samples of the low band before the start of the stream.
  private var samplesToSkip = 0
  /// The length of the stream in samples of this level; nil until it is known.
  private var sampleLimit: Int?

  init(plan: SpectrumPlan.Stage, signals: Signals, bands: SpectrumBands, next: SpectrumStage?) {
    self.plan = plan
    self.next = next
    self.signals = signals
    let size = plan.transformSize
    let coefficients = SpectrumWindow.coefficients(size: size)
    sumOfWindow = coefficients.reduce(0, +)
    sumOfSquaredWindow = coefficients.reduce(0) { $0 + $1 * $1 }
    window = SampleBuffer(coefficients.map { Float($0) })
    transform = ComplexTransform(size: size)
    powers = PairPowers(transformSize: size)
    // Room for several frames, so that samples rarely have to be moved to the front.
    let capacity = 4 * size + max(PlanarChunk.capacity, plan.lowBandSize)
    firstLine = SampleBuffer(count: capacity)
    secondLine = SampleBuffer(count: signals.lineCount == 2 ? capacity : 0)
    // By Parseval: a sine of amplitude 1 leaves size · sum(w²) / 4 in its bins.
    let scale = 4 / (Double(size) * sumOfSquaredWindow)
    first = SignalSpectrum(level: plan, bands: bands, scale: Float(scale / 4))
    second = signals.lineCount == 2 ? SignalSpectrum(level: plan, bands: bands, scale: Float(scale / 4)) : nil
    mean = signals == .channelsAndMix ? SignalSpectrum(level: plan, bands: bands, scale: Float(scale / 16)) : nil
    waiting = 0..<plan.hop + (size - plan.hop) / 2
    lowBand = next.map { LowBandSynthesis(frameSize: size, size: $0.plan.lowBandSize) }
    if let lowBand, let next { samplesToSkip = lowBand.hop + (next.plan.lowBandSize - lowBand.hop) / 2 }
  }

  /// The signal that is the mono mix of the recording; nil if this level has only the channels.
  var mix: SignalSpectrum? { mean ?? (signals == .mix ? first : nil) }

  /// The ratio of the mix's powers to those of a transform of the mix alone.
  var mixPowerFactor: Double { signals == .mix ? 4 : 16 }

  /// Sets the length of the stream, which gives the number of frames; after that zeros may be fed.
  func setLength(frameCount: Int) {
    let step = 1 << plan.halvingCount
    sampleLimit = frameCount / step + (frameCount % step == 0 ? 0 : 1)
  }

  /// Whether every frame that reaches the stream has been measured.
  var isComplete: Bool { sampleLimit.map { $0 == 0 || start(ofFrame: nextFrame) >= $0 } ?? false }

  private func start(ofFrame frame: Int) -> Int { frame * plan.hop - (plan.transformSize - plan.hop) / 2 }

  /// Adds samples; `secondSamples` is not read if there is one line.
  ///
  /// - Parameter count: At most `PlanarChunk.capacity` at the first level, and the low band's hop at the others.
  func consume(_ samples: UnsafePointer<Float>, _ secondSamples: UnsafePointer<Float>, count: Int) {
    if waiting.upperBound + count > firstLine.count { moveToFront() }
    (firstLine.pointer + waiting.upperBound).update(from: samples, count: count)
    if signals.lineCount == 2 { (secondLine.pointer + waiting.upperBound).update(from: secondSamples, count: count) }
    let end = waiting.upperBound + count

    let framesAtOnce = signals.lineCount == 1 ? 2 : 1
    let neededCount = plan.transformSize + (framesAtOnce - 1) * plan.hop
    var start = waiting.lowerBound
    while end - start >= neededCount {
      if signals.lineCount == 1 {
        measurePair(of: firstLine.pointer + start)
      } else {
        measure(firstLine.pointer + start, secondLine.pointer + start)
      }
      start += framesAtOnce * plan.hop
    }
    waiting = start..<end
  }

  private func moveToFront() {
    firstLine.pointer.update(from: firstLine.pointer + waiting.lowerBound, count: waiting.count)
    if signals.lineCount == 2 {
      secondLine.pointer.update(from: secondLine.pointer + waiting.lowerBound, count: waiting.count)
    }
    waiting = 0..<waiting.count
  }

  /// Measures two channels at the same time.
  private func measure(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
    let result = transform.transform(real: left, imaginary: right, window: window.pointer, isFlat: true)
    if !isComplete {
      powers.split(real: result.real, imaginary: result.imaginary, withMean: mean != nil)
      let (center, part) = placeNextFrame()
      first.add(powers.first.pointer, center: center, coverage: part)
      second?.add(powers.second.pointer, center: center, coverage: part)
      mean?.add(powers.mean.pointer, center: center, coverage: part)
    }
    guard let lowBand else { return }
    let lines = lowBand.addLines(real: result.real, imaginary: result.imaginary)
    passOn(lines.first, lines.second, count: lowBand.hop)
  }

  /// Measures one signal at two times.
  private func measurePair(of samples: UnsafePointer<Float>) {
    let result = transform.transform(
      real: samples, imaginary: samples + plan.hop, window: window.pointer, isFlat: true)
    if !isComplete {
      powers.split(real: result.real, imaginary: result.imaginary, withMean: false)
      let (center, part) = placeNextFrame()
      first.add(powers.first.pointer, center: center, coverage: part)
    }
    if !isComplete {
      let (center, part) = placeNextFrame()
      first.add(powers.second.pointer, center: center, coverage: part)
    }
    guard let lowBand else { return }
    lowBand.addSuccessiveFrames(real: result.real, imaginary: result.imaginary) { line in
      passOn(line, line, count: lowBand.hop)
    }
  }

  private func passOn(_ line: UnsafePointer<Float>, _ secondLine: UnsafePointer<Float>, count: Int) {
    let skipped = min(samplesToSkip, count)
    samplesToSkip -= skipped
    if skipped < count { next?.consume(line + skipped, secondLine + skipped, count: count - skipped) }
  }

  /// Counts the next frame.
  ///
  /// - Returns: Its middle in samples at the full rate, and the part of its window (`0...1`) that is on the stream.
  private func placeNextFrame() -> (center: Int, coverage: Float) {
    let start = start(ofFrame: nextFrame)
    nextFrame += 1
    let end = start + plan.transformSize
    var part = 1.0
    if start < 0 || end > sampleLimit ?? .max {
      let inside = max(-start, 0)..<max(-start, 0, min(plan.transformSize, (sampleLimit ?? end) - start))
      part = inside.reduce(0) { $0 + Double(window.pointer[$1] * window.pointer[$1]) } / sumOfSquaredWindow
    }
    coverage += part
    return (max(0, start + plan.transformSize / 2) << plan.halvingCount, Float(part))
  }
}
