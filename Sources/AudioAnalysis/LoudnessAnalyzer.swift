internal import MediaModel

/// Measures how loud a stream is to people: as a whole, at its loudest, and from its quiet to its loud parts.
///
/// Energies behind the K-weighting are summed over spans of 10 ms, which end at the frame nearest to each hundredth of a
/// second. From them come windows of 400 ms and 3 s: their largest loudness every 10 ms, the blocks for the gates and the
/// values for the range every 100 ms. An unfinished span or window at the end does not count.
///
/// Source: ITU-R BS.1770-4; EBU Tech 3341 and 3342.
///
/// - Complexity: O(1) per sample; a constant amount of memory.
struct LoudnessAnalyzer {
  /// nil where the recording is too short, too quiet, or of too low a sample rate to have the number.
  struct Result {
    var integratedInLUFS: Double?
    var rangeInLU: Double?
    var momentaryMaximumInLUFS: Double?
    var shortTermMaximumInLUFS: Double?
    var blocks: GatingHistogram
  }

  /// Two channels that are filtered together; a single one is both.
  private struct Pair {
    var first: Int
    var second: Int
    var weights: SIMD2<Double>
    var filter: KWeightedPair
  }

  private static let spansPerSecond = 100
  /// So fine that the edge of the relative gate is exact to the second decimal.
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

  mutating func consume(_ chunk: PlanarChunk) {
    guard !pairs.isEmpty else { return }
    var position = 0
    while position < chunk.frameCount {
      let count = min(framesLeftInSpan, chunk.frameCount - position)
      for index in pairs.indices {
        let energies = pairs[index].filter.energies(
          chunk.channel(pairs[index].first) + position, chunk.channel(pairs[index].second) + position, count: count)
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
    if let energy = meanEnergy(ofLast: LoudnessWindows.momentaryLength) {
      momentaryMaximum = max(momentaryMaximum, energy)
      if isHop { blocks.insert(energy: energy) }
    }
    if let energy = meanEnergy(ofLast: LoudnessWindows.shortTermLength) {
      shortTermMaximum = max(shortTermMaximum, energy)
      if isHop { shortTerms.insert(energy: energy) }
    }
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
