internal import MediaModel

/// Measures the perceived loudness of a stream: integrated, its maxima, and the range from quiet to loud parts.
///
/// K-weighted energies are summed over spans of 10 ms, which end at the frame nearest to each hundredth of a second.
/// Windows of 400 ms and 3 s are sums of spans: their maxima are updated every 10 ms, the blocks for gating and the
/// values for the range are taken every 100 ms. An unfinished span or window at the end does not count.
///
/// Source: ITU-R BS.1770-4; EBU Tech 3341 and 3342.
///
/// - Complexity: O(1) per sample; a constant amount of memory.
struct LoudnessAnalyzer {
  /// A number is nil if the recording is too short or too quiet for it, or if its sample rate is too low.
  struct Result {
    var integratedInLUFS: Double?
    var rangeInLU: Double?
    var momentaryMaximumInLUFS: Double?
    var shortTermMaximumInLUFS: Double?
    var blocks: GatingHistogram
  }

  /// Two channels that are filtered together; a single channel is both, the second with the weight 0.
  private struct Pair {
    var first: Int
    var second: Int
    var weights: SIMD2<Double>
    var filter: KWeightedPair
  }

  private static let spansPerSecond = 100
  /// Fine enough that the relative gate is exact to the second decimal.
  private static let binsPerLU = 100

  private let sampleRateInHz: Int
  private var pairs: [Pair] = []
  private var windows = LoudnessWindows()
  private var framesLeftInSpan: Int
  private var spanEnergy = 0.0
  private var momentaryMaximum = 0.0
  private var shortTermMaximum = 0.0
  private var blocks = GatingHistogram(binsPerLU: binsPerLU)
  private var shortTerms = GatingHistogram(binsPerLU: binsPerLU)
  /// Loudness over time; nil if it is not wanted.
  var course: LoudnessCourse?

  init(format: AudioFormat) {
    sampleRateInHz = format.sampleRateInHz
    framesLeftInSpan = Self.frame(atSpan: 1, sampleRateInHz: format.sampleRateInHz)
    guard let weighting = KWeighting(sampleRateInHz: format.sampleRateInHz) else { return }
    let weights = ChannelWeights.weights(format)
    let counted = weights.indices.filter { weights[$0] > 0 }
    for index in stride(from: 0, to: counted.count, by: 2) {
      let first = counted[index]
      let second = index + 1 < counted.count ? counted[index + 1] : nil
      pairs.append(
        Pair(
          first: first, second: second ?? first, weights: SIMD2(weights[first], second.map { weights[$0] } ?? 0),
          filter: KWeightedPair(weighting)))
    }
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    guard !pairs.isEmpty else { return }
    var position = 0
    while position < chunk.frameCount {
      let count = min(framesLeftInSpan, chunk.frameCount - position)
      for index in pairs.indices {
        let energies = chunk.withChannels(pairs[index].first, pairs[index].second) { first, second in
          pairs[index].filter.energies(first + position, second + position, count: count)
        }
        spanEnergy += (energies * pairs[index].weights).sum()
      }
      position += count
      framesLeftInSpan -= count
      if framesLeftInSpan == 0 { endSpan() }
    }
    for index in pairs.indices { pairs[index].filter.forgetNegligible() }
  }

  consuming func finish() -> Result {
    Result(
      integratedInLUFS: blocks.integratedLoudness, rangeInLU: shortTerms.loudnessRange,
      momentaryMaximumInLUFS: LoudnessScale.loudness(ofEnergy: momentaryMaximum),
      shortTermMaximumInLUFS: LoudnessScale.loudness(ofEnergy: shortTermMaximum),
      blocks: blocks.coarsened(toBinsPerLU: GatingHistogram.storedBinsPerLU))
  }

  private mutating func endSpan() {
    windows.append(spanEnergy)
    spanEnergy = 0
    let isHop = windows.count.isMultiple(of: LoudnessWindows.hopLength)
    let momentary = meanEnergy(ofLast: LoudnessWindows.momentaryLength)
    if let energy = momentary {
      momentaryMaximum = max(momentaryMaximum, energy)
      if isHop { blocks.insert(energy: energy) }
    }
    let shortTerm = meanEnergy(ofLast: LoudnessWindows.shortTermLength)
    if let energy = shortTerm {
      shortTermMaximum = max(shortTermMaximum, energy)
      if isHop { shortTerms.insert(energy: energy) }
    }
    if isHop { course?.append(momentary: momentary, shortTerm: shortTerm) }
    framesLeftInSpan = frame(atSpan: windows.count + 1) - frame(atSpan: windows.count)
  }

  private func meanEnergy(ofLast spanCount: Int) -> Double? {
    windows.sum(ofLast: spanCount).map {
      $0 / Double(frame(atSpan: windows.count) - frame(atSpan: windows.count - spanCount))
    }
  }

  private func frame(atSpan index: Int) -> Int { Self.frame(atSpan: index, sampleRateInHz: sampleRateInHz) }

  private static func frame(atSpan index: Int, sampleRateInHz rate: Int) -> Int {
    (index * rate + spansPerSecond / 2) / spansPerSecond
  }
}

/// Sums of the energies of the last 400 ms and 3 s, updated every 10 ms.
///
/// Sums of ten spans are kept and added up again each time, so that loud parts leave no rounding error behind.
private struct LoudnessWindows {
  /// The number of 10 ms spans in a hop of the gating blocks.
  static let hopLength = 10
  /// The number of spans in 400 ms.
  static let momentaryLength = 40
  /// The number of spans in 3 s.
  static let shortTermLength = 300

  /// The last spans of 10 ms, as a ring.
  private var spans = [Double](repeating: 0, count: hopLength)
  /// For each of the last spans the sum of the ten spans up to it, as a ring.
  private var hops = [Double](repeating: 0, count: shortTermLength)
  /// The number of spans so far.
  private(set) var count = 0

  mutating func append(_ energy: Double) {
    spans[count % Self.hopLength] = energy
    hops[count % Self.shortTermLength] = spans.reduce(0, +)
    count += 1
  }

  /// The sum over the last `length` spans; nil while there are fewer.
  ///
  /// - Parameter length: ``momentaryLength`` or ``shortTermLength``.
  func sum(ofLast length: Int) -> Double? {
    guard count >= length else { return nil }
    var sum = 0.0
    for back in stride(from: 1, to: length, by: Self.hopLength) {
      sum += hops[(count - back) % Self.shortTermLength]
    }
    return sum
  }
}

/// The weight of each channel in the loudness, by its loudspeaker.
///
/// Front and back channels have the weight 1, channels at the sides (60° to 120°) 1.41, low-frequency effects 0. If the
/// loudspeakers are unknown, all weights are 1.
///
/// Sources: ITU-R BS.1770-4, annexes 1 and 3; channel orders of WAV and FLAC, and of the Vorbis specification; the bits
/// of a mask are those of WAVEFORMATEXTENSIBLE.
private enum ChannelWeights {
  private static let surround = 1.41

  static func weights(_ format: AudioFormat) -> [Double] {
    if let mask = format.channelMask { return weights(ofMask: mask) }
    return switch (format.channelCount, format.channelOrder) {
    // L R Ls Rs
    case (4, .standard), (4, .vorbis): [1, 1, surround, surround]
    // L R C Ls Rs, or L C R Ls Rs
    case (5, .standard), (5, .vorbis): [1, 1, 1, surround, surround]
    // L R C LFE Ls Rs
    case (6, .standard): [1, 1, 1, 0, surround, surround]
    // L C R Ls Rs LFE
    case (6, .vorbis): [1, 1, 1, surround, surround, 0]
    // L R C LFE, back centre, side L R
    case (7, .standard): [1, 1, 1, 0, 1, surround, surround]
    // L C R, side L R, back centre, LFE
    case (7, .vorbis): [1, 1, 1, surround, surround, 1, 0]
    // L R C LFE, back L R, side L R
    case (8, .standard): [1, 1, 1, 0, 1, 1, surround, surround]
    // L C R, side L R, back L R, LFE
    case (8, .vorbis): [1, 1, 1, surround, surround, 1, 1, 0]
    case (let count, _): Array(repeating: 1, count: count)
    }
  }

  private static func weights(ofMask mask: UInt32) -> [Double] {
    let (lowFrequencies, back, sides): (UInt32, UInt32, UInt32) = (0x8, 0x30, 0x600)
    // Without side channels the back channels are the surround channels of 5.1, at 110°.
    let surrounds = mask & sides == 0 ? back : sides
    return (0..<32).map { 1 << $0 }.filter { mask & $0 != 0 }.map { bit in
      bit & lowFrequencies != 0 ? 0 : bit & surrounds != 0 ? surround : 1
    }
  }
}
