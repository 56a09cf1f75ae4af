internal import Base
internal import Glibc
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

/// What the library has stored of how a recording sounds from moment to moment.
///
/// Times are seconds from the start of the recording, levels dB relative to full scale.
struct StoredSound {
  /// The power of what counts as silent, -75 dB.
  private static let silence: Float = 3e-8
  /// Seconds of a point or column: from high sample rates to recordings of weeks.
  private static let possiblePoints = 0.000_2...1_000

  let durationInSeconds: Double
  /// Seconds of a point of ``powers``.
  let pointInSeconds: Double
  /// The mean power of each point: whole, low, mid and high (see ``WaveformEnergy``).
  private let powers: [SIMD4<Float>]
  /// Up to each point, how many are silent.
  private let silentCounts: [Int32]
  /// The largest magnitude of each point of each channel, `0...128`, channel by channel.
  private let peaks: [[UInt8]]
  private let peakPointInSeconds: Double
  private let spectrum: SpectrumGrid

  /// The power of each step of ``DecibelStep``; the lowest is silence.
  private static let powerOfStep: [Float] = (0...255).map { step in
    step == 0 ? 0 : pow(10, DecibelStep.decode(UInt8(step)) / 10)
  }

  /// nil if a product that is needed is missing, damaged or empty.
  init?(ofRecording recording: RecordingSummary, in store: MediaStore) throws {
    func bytes(_ kind: ProductKind) throws -> [UInt8]? {
      do throws(StoreError) {
        let product = try store.products.product(kind, ofRecording: recording.id)
        return product.flatMap { $0.version <= ProductRecipe.current(kind).version ? $0.bytes : nil }
      } catch {
        // Of a shard that is away or damaged nothing is known; everything else is an error of the library.
        switch error {
        case .damagedProduct, .shard: return nil
        default: throw error
        }
      }
    }
    guard let energyBytes = try bytes(.waveformEnergy), let energy = try? WaveformEnergy(blob: energyBytes),
      let peakBytes = try bytes(.channelWaveform), let peaks = try? WaveformPeaks(datBytes: peakBytes),
      let spectrumBytes = try bytes(.spectrogram), let spectrum = try? SpectrumGrid(blob: spectrumBytes)
    else { return nil }
    self.init(
      energy: energy, peaks: peaks, spectrum: spectrum, durationInSeconds: recording.format?.durationInSeconds ?? 0)
  }

  /// nil if there is nothing to compare, or if a number is none that an analyzer stores.
  init?(energy: WaveformEnergy, peaks: WaveformPeaks, spectrum: SpectrumGrid, durationInSeconds: Double) {
    pointInSeconds = Double(energy.framesPerPoint) / Double(energy.sampleRateInHz)
    peakPointInSeconds = Double(peaks.framesPerPoint) / Double(peaks.sampleRateInHz)
    guard Self.possiblePoints.contains(pointInSeconds), Self.possiblePoints.contains(peakPointInSeconds),
      Self.possiblePoints.contains(1 / spectrum.columnsPerSecond), !energy.points.isEmpty, peaks.pointCount > 0,
      spectrum.columnCount > 0, durationInSeconds > 0
    else { return nil }
    self.durationInSeconds = min(durationInSeconds, Double(energy.points.count) * pointInSeconds)
    powers = energy.points.map { point in
      SIMD4(
        Self.powerOfStep[Int(point.rms)], Self.powerOfStep[Int(point.low)], Self.powerOfStep[Int(point.mid)],
        Self.powerOfStep[Int(point.high)])
    }
    var silentCount: Int32 = 0
    silentCounts =
      [0]
      + powers.map { power in
        if power[0] < Self.silence { silentCount += 1 }
        return silentCount
      }
    let scale = peaks.resolution == .bits16 ? 256 : 1
    self.peaks = (0..<peaks.channelCount).map { channel in
      (0..<peaks.pointCount).map { point in
        let place = 2 * (point * peaks.channelCount + channel)
        return UInt8(clamping: max(-Int(peaks.values[place]), Int(peaks.values[place + 1])) / scale)
      }
    }
    self.spectrum = spectrum
  }

  var channelCount: Int { peaks.count }
  var bandCount: Int { spectrum.bandCount }
  var columnInSeconds: Double { 1 / spectrum.columnsPerSecond }
  var columnCount: Int { spectrum.columnCount }

  static func decibels(_ power: Float) -> Float { 10 * log10(max(power, 1e-12)) }

  /// The mean power of a range of time: whole, low, mid and high; what lies outside of the recording is silent.
  func power(from start: Double, to end: Double) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    Self.forEachPart(of: start / pointInSeconds, end / pointInSeconds, count: powers.count) { point, share in
      sum += powers[point] * share
    }
    return sum / Float((end - start) / pointInSeconds)
  }

  /// Whether it is silent at some point in a range of time.
  func hasSilence(from start: Double, to end: Double) -> Bool {
    let first = min(max(Int(start / pointInSeconds), 0), powers.count)
    let last = min(max(Int((end / pointInSeconds).rounded(.up)), first), powers.count)
    return silentCounts[last] > silentCounts[first]
  }

  var longestSilenceInSeconds: Double {
    var (longest, start) = (0, 0)
    for point in 1..<silentCounts.count {
      if silentCounts[point] == silentCounts[point - 1] { start = point }
      longest = max(longest, point - start)
    }
    return Double(longest) * pointInSeconds
  }

  /// The mean power of each band in a range of time, as amplitudes of a sine would have it.
  func bandPowers(from start: Double, to end: Double, into levels: inout [Float]) {
    for band in levels.indices { levels[band] = 0 }
    let (first, last) = (start * spectrum.columnsPerSecond, end * spectrum.columnsPerSecond)
    let bandCount = min(spectrum.bandCount, levels.count)
    Self.forEachPart(of: first, last, count: spectrum.columnCount) { column, share in
      let weight = share / Float(last - first)
      for band in 0..<bandCount {
        levels[band] += weight * Self.powerOfStep[Int(spectrum.steps[column * spectrum.bandCount + band])]
      }
    }
  }

  /// The largest magnitude of a channel in a range of time, `0...128`.
  func peak(ofChannel channel: Int, from start: Double, to end: Double) -> Int {
    let line = peaks[channel]
    let first = min(max(Int(start / peakPointInSeconds), 0), line.count - 1)
    let last = min(max(Int((end / peakPointInSeconds).rounded(.up)), first + 1), line.count)
    return Int(line[first..<last].max() ?? 0)
  }

  /// Calls `body` with each whole number in a range and the share of it that is inside.
  private static func forEachPart(of start: Double, _ end: Double, count: Int, _ body: (Int, Float) -> Void) {
    let (low, high) = (max(start, 0), min(end, Double(count)))
    guard low < high else { return }
    var index = Int(low)
    while index < count, Double(index) < high {
      body(index, Float(min(high, Double(index + 1)) - max(low, Double(index))))
      index += 1
    }
  }
}
