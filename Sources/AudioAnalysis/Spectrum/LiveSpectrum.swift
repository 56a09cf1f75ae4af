package import MediaModel
internal import SignalProcessing

/// The spectrum of what is heard now, of two channels.
///
/// Each band gets the shortest of three windows that puts 4.7 bins into it, or the longest: a long window resolves low
/// frequencies, a short one follows high ones. The powers are those of a spectrogram: a sine of amplitude 1 reads 0 dB.
///
/// - Complexity: three transforms, O(n log n) for n samples; ``levels(left:right:)`` allocates only its result.
package final class LiveSpectrum {
  /// The bands of one window.
  private final class Stage {
    let size: Int
    let bands: [Int]
    let ranges: [SpectrogramStage.BinRange]
    let transform: ComplexTransform
    let powers: PairPowers
    let window: SampleBuffer
    let scale: Float

    init(size: Int, measuring bands: [Int], of all: SpectrumBands, sampleRateInHz: Int) {
      self.size = size
      self.bands = bands
      ranges = bands.map {
        SpectrogramStage.BinRange(
          fromHz: all.edgesInHz[$0], toHz: all.edgesInHz[$0 + 1],
          binWidthInHz: Double(sampleRateInHz) / Double(size), size: size)
      }
      transform = ComplexTransform(size: size)
      powers = PairPowers(transformSize: size)
      let coefficients = SpectrogramStage.window(size: size)
      window = SampleBuffer(coefficients.map { Float($0) })
      scale = Float(1 / (Double(size) * coefficients.reduce(0) { $0 + $1 * $1 }))
    }
  }

  private static let binsPerBand = 4.7
  /// The largest width of a bin of each window.
  private static let widestBinsInHz = [24.0, 12, 6]

  package let bands: SpectrumBands
  package let sampleRateInHz: Int
  /// The shortest window first.
  private let stages: [Stage]
  private let weightsInDB: [Float]

  package init(sampleRateInHz: Int, bands: SpectrumBands = .standard, weighting: FrequencyWeighting = .a) {
    self.bands = bands
    self.sampleRateInHz = sampleRateInHz
    let sizes = Self.widestBinsInHz.map { widest in
      var size = 64
      while Double(sampleRateInHz) / Double(size) > widest, size < 1 << 15 { size *= 2 }
      return size
    }
    let choices = (0..<bands.count).map { band -> Int? in
      guard bands.edgesInHz[band] < Double(sampleRateInHz) / 2 else { return nil }
      let width = bands.edgesInHz[band + 1] - bands.edgesInHz[band]
      return sizes.firstIndex { Double(sampleRateInHz) / Double($0) * Self.binsPerBand <= width } ?? 2
    }
    stages = sizes.indices.map { index in
      Stage(
        size: sizes[index], measuring: choices.indices.filter { choices[$0] == index }, of: bands,
        sampleRateInHz: sampleRateInHz)
    }
    weightsInDB = (0..<bands.count).map { Float(weighting.gainInDB(atHz: bands.center(of: $0))) }
  }

  /// The samples that a spectrum is made of: those of the longest window.
  package var frameCount: Int { stages[stages.count - 1].size }

  /// Levels of the bands in dB, -120 for silence and above half the sample rate.
  ///
  /// - Parameters:
  ///   - left: ``frameCount`` samples, of which the last was heard last.
  ///   - right: As many.
  package func levels(left: [Float], right: [Float]) -> (left: [Float], right: [Float]) {
    precondition(left.count == frameCount && right.count == frameCount, "as many samples as the longest window")
    var result = (
      left: [Float](repeating: DecibelStep.floorInDB, count: bands.count),
      right: [Float](repeating: DecibelStep.floorInDB, count: bands.count)
    )
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        for stage in stages { measure(stage, left, right, into: &result) }
      }
    }
    return result
  }

  private func measure(
    _ stage: Stage, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into result: inout (left: [Float], right: [Float])
  ) {
    let offset = frameCount - stage.size
    let spectrum = stage.transform.transform(
      real: left + offset, imaginary: right + offset, window: stage.window.pointer)
    stage.powers.split(real: spectrum.real, imaginary: spectrum.imaginary, withMean: false)
    for (index, band) in stage.bands.enumerated() {
      let range = stage.ranges[index]
      func level(_ powers: UnsafePointer<Float>) -> Float {
        max(DecibelStep.floorInDB, DecibelStep.level(ofPower: range.sum(powers) * stage.scale) + weightsInDB[band])
      }
      result.left[band] = level(stage.powers.first.pointer)
      result.right[band] = level(stage.powers.second.pointer)
    }
  }
}
