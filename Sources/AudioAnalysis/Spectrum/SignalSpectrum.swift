internal import MediaModel
internal import SignalProcessing

/// What one level of the pyramid measures of one signal: the bands of the level, and for some signals more.
final class SignalSpectrum {
  /// The regions that colour a waveform: below 600 Hz, from 600 Hz to 4 kHz, and above.
  static let regionEdgesInHz: [Double] = [0, 600, 4_000, .infinity]

  private let bandShares: BandShares
  private let bandPowers: SampleBuffer
  /// Turns a power of the transform into one relative to a full-scale sine.
  private let scale: Float
  let bands: PowerStatistics
  private(set) var grid: TimeColumns<UInt8>?
  private(set) var bins: PowerStatistics?
  private var regionShares: BandShares?
  private let regionPowers = SampleBuffer(count: SignalSpectrum.regionEdgesInHz.count - 1)
  private(set) var regions: TimeColumns<BFloat16>?

  init(level: SpectrumPlan.Stage, bands plan: SpectrumBands, scale: Float) {
    let edges = plan.edgesInHz[level.bands.lowerBound...level.bands.upperBound].map { $0 / level.binWidthInHz }
    bandShares = BandShares(edgesInBins: edges, binCount: level.transformSize / 2 + 1)
    // Rounded up, so that the last vector has room.
    bandPowers = SampleBuffer(count: bandShares.count + 8)
    bands = PowerStatistics(count: bandShares.count)
    self.scale = scale
  }

  /// Also keeps the bands over time.
  func keepGrid(_ columns: TimeColumns<UInt8>) { grid = columns }

  /// Also keeps every bin, and the regions over time.
  func keepBinsAndRegions(_ columns: TimeColumns<BFloat16>, level: SpectrumPlan.Stage) {
    let binCount = level.transformSize / 2 + 1
    bins = PowerStatistics(count: binCount)
    regionShares = BandShares(
      edgesInBins: Self.regionEdgesInHz.map { $0 / level.binWidthInHz }, binCount: binCount)
    regions = columns
  }

  /// Makes what is kept over time coarser; see ``TimeColumns/coarsen()``.
  func coarsen() {
    grid?.coarsen()
    regions?.coarsen()
  }

  /// Adds the next frame; see ``TimeColumns/add(_:center:coverage:)`` for the arguments.
  func add(_ powers: UnsafePointer<Float>, center: Int, coverage: Float) {
    bandShares.sum(powers, scale: scale, into: bandPowers.pointer)
    bands.add(bandPowers.pointer)
    grid?.add(bandPowers.pointer, center: center, coverage: coverage)
    bins?.add(powers)
    if let regionShares {
      regionShares.sum(powers, scale: scale, into: regionPowers.pointer)
      regions?.add(regionPowers.pointer, center: center, coverage: coverage)
    }
  }
}

/// How the bins of a transform are divided among bands: a bin at an edge is shared in proportion.
struct BandShares {
  private struct Band {
    /// Bins that are shared with the neighbouring bands; those in between belong to this band alone.
    let first: Int
    let last: Int
    let firstShare: Float
    let lastShare: Float
  }

  private let bands: [Band]
  var count: Int { bands.count }

  /// - Parameters:
  ///   - edgesInBins: Ascending, as multiples of the distance between bins; limited to the range of the bins.
  ///   - binCount: Half the size of the transform plus one.
  init(edgesInBins: [Double], binCount: Int) {
    // The spectrum is one-sided: half of the bins at 0 Hz and at half the sample rate is on the other side.
    let end = Double(binCount) - 0.5
    bands = zip(edgesInBins, edgesInBins.dropFirst()).map { lower, upper in
      // Bin k reaches from k - 1/2 to k + 1/2.
      let low = min(max(lower + 0.5, 0.5), end)
      let high = min(max(upper + 0.5, low), end)
      let first = min(Int(low), binCount - 1)
      let last = min(Int(high), binCount - 1)
      guard first < last else {
        return Band(first: first, last: first, firstShare: Float(high - low), lastShare: 0)
      }
      return Band(
        first: first, last: last, firstShare: Float(Double(first + 1) - low), lastShare: Float(high - Double(last)))
    }
  }

  /// Adds up the powers of each band's bins, times `scale`.
  @inline(__always)
  func sum(_ powers: UnsafePointer<Float>, scale: Float, into result: UnsafeMutablePointer<Float>) {
    for index in bands.indices {
      let band = bands[index]
      var total = powers[band.first] * band.firstShare + powers[band.last] * band.lastShare
      var bin = band.first + 1
      if bin + 4 <= band.last {
        var lanes = SIMD4<Float>.zero
        while bin + 4 <= band.last {
          lanes += powers.vector4(at: bin)
          bin += 4
        }
        total += lanes.sum()
      }
      while bin < band.last {
        total += powers[bin]
        bin += 1
      }
      result[index] = total * scale
    }
  }
}

/// The sum and the maximum over time of a set of powers: those of the bins of a transform, or of bands.
final class PowerStatistics {
  /// Frames that are summed as floats before they are added to the doubles.
  private static let groupSize = 64

  private let count: Int
  private let groupSums: SampleBuffer
  private let peaks: SampleBuffer
  private var groupFrameCount = 0
  private var sums: [Double]

  init(count: Int) {
    self.count = count
    // Rounded up, so that the last vector has room.
    groupSums = SampleBuffer(count: count + 8)
    peaks = SampleBuffer(count: count + 8)
    sums = Array(repeating: 0, count: count)
  }

  /// - Parameter powers: `count` numbers, and room for seven more, which are read but not used.
  func add(_ powers: UnsafePointer<Float>) {
    let sums = groupSums.pointer
    let maxima = peaks.pointer
    var bin = 0
    while bin < count {
      let vector = powers.vector8(at: bin)
      sums.store(sums.vector8(at: bin) + vector, at: bin)
      maxima.store(greater(maxima.vector8(at: bin), vector), at: bin)
      bin += 8
    }
    groupFrameCount += 1
    if groupFrameCount == Self.groupSize { closeGroup() }
  }

  /// The sum over time and the maximum of each power.
  func finish() -> (sums: [Double], maxima: [Float]) {
    closeGroup()
    return (sums, (0..<count).map { peaks.pointer[$0] })
  }

  private func closeGroup() {
    for bin in 0..<count {
      sums[bin] += Double(groupSums.pointer[bin])
      groupSums.pointer[bin] = 0
    }
    groupFrameCount = 0
  }
}
