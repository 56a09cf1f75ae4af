internal import Glibc
internal import MediaModel
internal import SignalProcessing

/// The bands of a spectrogram that are measured with one window length.
///
/// It is a Hann window, whose side lobes fall below the 80 dB that pictures show within a few bins.
final class SpectrogramStage {
  /// The bins of a band; the first and the last one count in part.
  struct BinRange {
    let first: Int
    let firstShare: Float
    let last: Int
    let lastShare: Float

    /// The noise bandwidth of a Hann window.
    private static let noiseBandwidthInBins = 1.5

    /// The bins of a band. It is at least as wide as the window resolves; otherwise a sine in it would lose power to its
    /// neighbours.
    init(fromHz low: Double, toHz high: Double, binWidthInHz: Double, size: Int) {
      let (first, last) = (low / binWidthInHz + 0.5, high / binWidthInHz + 0.5)
      let missing = max(0, Self.noiseBandwidthInBins - (last - first)) / 2
      self.init(first - missing..<last + missing, binCount: size / 2 + 1)
    }

    /// - Parameter places: Bin k extends from k to k + 1.
    init(_ places: Range<Double>, binCount: Int) {
      let low = max(0, min(places.lowerBound, Double(binCount - 1)))
      let high = max(low, min(places.upperBound, Double(binCount)))
      first = Int(low)
      last = min(Int(high), binCount - 1)
      firstShare = Float(min(high, Double(first + 1)) - low)
      lastShare = last > first ? Float(high - Double(last)) : 0
    }

    func sum(_ powers: UnsafePointer<Float>) -> Float {
      var sum = powers[first] * firstShare + powers[last] * lastShare
      for bin in stride(from: first + 1, to: last, by: 1) { sum += powers[bin] }
      return sum
    }
  }

  /// The coefficients of a Hann window.
  static func window(size: Int) -> [Double] {
    (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size)) }
  }

  private let size: Int
  private let bands: [Int]
  private let ranges: [BinRange]
  private let framesPerColumn: Int
  private let columnCount: Int
  /// The number of windows in a column.
  private let partCount: Int
  private let leadCount: Int
  private let transform: ComplexTransform
  private let powers: PairPowers
  private let window: SampleBuffer
  private let scale: Float

  /// Samples of the padded stream, in which half a window of silence comes first.
  private let line: SampleBuffer
  /// The places of the samples in `line`, counted from the start of that silence.
  private var filled: Range<Int>
  private var nextWindow = 0
  private var sums: [Float]
  private var values: [Float] = []

  /// - Parameter leadCount: The number of frames of the stream before the first column.
  init(size: Int, bands: [Int], _ recipe: SpectrogramRecipe, leadCount: Int, sampleRateInHz: Int) {
    self.size = size
    self.bands = bands
    self.leadCount = leadCount
    framesPerColumn = recipe.framesPerColumn
    columnCount = recipe.columnCount
    partCount = (recipe.framesPerColumn + size / 2 - 1) / (size / 2)
    let binWidth = Double(sampleRateInHz) / Double(size)
    ranges = bands.map { band in
      BinRange(fromHz: recipe.edgesInHz[band], toHz: recipe.edgesInHz[band + 1], binWidthInHz: binWidth, size: size)
    }
    let coefficients = Self.window(size: size)
    window = SampleBuffer(coefficients.map { Float($0) })
    // By Parseval a sine of amplitude 1 leaves size · sum(w²) / 4 in its bins; `PairPowers` gives four times that.
    scale = Float(1 / (Double(size) * coefficients.reduce(0) { $0 + $1 * $1 }) / Double(partCount))
    transform = ComplexTransform(size: size)
    powers = PairPowers(transformSize: size)
    line = SampleBuffer(count: 4 * size + PlanarChunk.capacity)
    filled = 0..<size / 2
    sums = Array(repeating: 0, count: bands.count)
    values.reserveCapacity(columnCount * bands.count)
  }

  var isComplete: Bool { nextWindow >= windowCount }

  private var windowCount: Int { columnCount * partCount }

  /// Where a window begins in the padded stream, which is where its middle is in the stream.
  private func start(ofWindow index: Int) -> Int {
    let (column, part) = index.quotientAndRemainder(dividingBy: partCount)
    return leadCount + column * framesPerColumn + (2 * part + 1) * framesPerColumn / (2 * partCount)
  }

  func consume(_ samples: UnsafePointer<Float>, count: Int) {
    guard !isComplete else { return }
    if filled.count + count > line.count { dropUsed() }
    (line.pointer + filled.count).update(from: samples, count: count)
    filled = filled.lowerBound..<filled.upperBound + count
    while !isComplete {
      let isSingle = nextWindow + 1 == windowCount
      let first = start(ofWindow: nextWindow)
      let second = isSingle ? first : start(ofWindow: nextWindow + 1)
      guard second + size <= filled.upperBound else { break }
      let base = line.pointer - filled.lowerBound
      let result = transform.transform(real: base + first, imaginary: base + second, window: window.pointer)
      powers.split(real: result.real, imaginary: result.imaginary, withMean: false)
      add(powers.first.pointer)
      if !isSingle { add(powers.second.pointer) }
    }
  }

  /// Makes room by dropping samples that no further window needs; two windows always fit.
  private func dropUsed() {
    let count = min(filled.count, max(0, start(ofWindow: nextWindow) - filled.lowerBound))
    line.pointer.update(from: line.pointer + count, count: filled.count - count)
    filled = filled.lowerBound + count..<filled.upperBound
  }

  private func add(_ powers: UnsafePointer<Float>) {
    for index in ranges.indices { sums[index] += ranges[index].sum(powers) }
    nextWindow += 1
    guard nextWindow.isMultiple(of: partCount) else { return }
    for index in sums.indices {
      values.append(DecibelStep.level(ofPower: sums[index] * scale))
      sums[index] = 0
    }
  }

  /// Writes the levels to their places among those of all bands.
  func store(in result: inout [Float], bandCount: Int) {
    for column in 0..<columnCount {
      for (index, band) in bands.enumerated() {
        result[column * bandCount + band] = values[column * bands.count + index]
      }
    }
  }
}
