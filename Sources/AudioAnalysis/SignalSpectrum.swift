internal import MediaModel

/// What one level of the pyramid finds out about one signal: its own bands, and for some signals more.
final class SignalSpectrum {
  /// The parts of a spectrum that colour a waveform: below 600 Hz, up to 4 kHz, and above.
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

  init(level: SpectrumPlan.Level, bands plan: SpectrumBands, scale: Float) {
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
  func keepBinsAndRegions(_ columns: TimeColumns<BFloat16>, level: SpectrumPlan.Level) {
    let binCount = level.transformSize / 2 + 1
    bins = PowerStatistics(count: binCount)
    regionShares = BandShares(
      edgesInBins: Self.regionEdgesInHz.map { $0 / level.binWidthInHz }, binCount: binCount)
    regions = columns
  }

  /// Adds the next frame; arguments as of ``TimeColumns/add(_:center:coverage:)``.
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
