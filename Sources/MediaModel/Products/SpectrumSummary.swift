package import Base
internal import Glibc

/// The spectrum of a whole recording: mean and maximum over time.
///
/// Levels are in dB relative to a full-scale sine (a sine of amplitude 1 in a band gives 0 dB there), unweighted. The
/// level of a band is the sum of the powers of its bins; bins that straddle an edge are shared in proportion.
package struct SpectrumSummary: Hashable, Sendable {
  /// Mean of the power and maximum over time, in dB.
  package struct Levels: Hashable, Sendable {
    package var meanInDB: [Float]
    package var maximumInDB: [Float]

    package init(meanInDB: [Float], maximumInDB: [Float]) {
      self.meanInDB = meanInDB
      self.maximumInDB = maximumInDB
    }
  }

  package var sampleRateInHz: Int
  /// The mono mix in the standard bands; bands above half the sample rate are at the floor, -120 dB.
  package var mix: Levels
  /// The first and second channel in the standard bands; empty for mono.
  package var channels: [Levels]
  /// The mono mix in linear bins from 0 Hz to half the sample rate, in dB to 0.01 dB.
  package var bins: Levels

  package init(sampleRateInHz: Int, mix: Levels, channels: [Levels], bins: Levels) {
    self.sampleRateInHz = sampleRateInHz
    self.mix = mix
    self.channels = channels
    self.bins = bins
  }

  /// The spacing of the linear bins in Hz.
  package var binWidthInHz: Double { Double(sampleRateInHz) / 2 / Double(max(bins.meanInDB.count - 1, 1)) }
}

extension SpectrumSummary {
  /// Layout 1: `u32` sample rate, `u16` bands, `u16` channels, `u32` bins; then mean and maximum of each band for the
  /// mix and each channel; then mean and maximum of each bin. Each level is an `s16` in steps of 0.01 dB.
  package var blob: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(sampleRateInHz))
    writer.append(UInt16(mix.meanInDB.count))
    writer.append(UInt16(channels.count))
    writer.append(UInt32(bins.meanInDB.count))
    for levels in [mix] + channels + [bins] {
      for level in levels.meanInDB + levels.maximumInDB { writer.append(Self.centibels(level)) }
    }
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    let sampleRate = Int(try reader.read(UInt32.self))
    let bandCount = Int(try reader.read(UInt16.self))
    let channelCount = Int(try reader.read(UInt16.self))
    let binCount = Int(try reader.read(UInt32.self))
    guard sampleRate > 0, channelCount <= 64 else { throw reader.failure("not the header of a spectrum") }
    let mix = try Self.readLevels(bandCount, from: &reader)
    var channels: [Levels] = []
    for _ in 0..<channelCount { channels.append(try Self.readLevels(bandCount, from: &reader)) }
    let bins = try Self.readLevels(binCount, from: &reader)
    self.init(sampleRateInHz: sampleRate, mix: mix, channels: channels, bins: bins)
  }

  /// The mean level of one band of the mono mix, read directly from the bytes; nil if they are invalid or end too soon.
  package static func meanLevel(ofBand band: Int, inBlob bytes: some RandomAccessCollection<UInt8>) -> Double? {
    func byte(_ offset: Int) -> Int? {
      offset < bytes.count ? Int(bytes[bytes.index(bytes.startIndex, offsetBy: offset)]) : nil
    }
    guard let low = byte(4), let high = byte(5), band >= 0, band < low | high << 8, let first = byte(12 + 2 * band),
      let second = byte(13 + 2 * band)
    else { return nil }
    return Double(Int16(truncatingIfNeeded: first | second << 8)) / 100
  }

  private static func centibels(_ level: Float) -> Int16 {
    Int16(max(-12_000, min((level.isNaN ? -120 : level) * 100, 12_000)).rounded())
  }

  private static func readLevels(_ count: Int, from reader: inout ByteReader) throws(ByteReader.Failure) -> Levels {
    guard reader.remainingCount >= 4 * count else { throw reader.failure("ends before \(count) levels") }
    var values: [Float] = []
    values.reserveCapacity(2 * count)
    for _ in 0..<2 * count { values.append(Float(try reader.read(Int16.self)) / 100) }
    return Levels(meanInDB: Array(values.prefix(count)), maximumInDB: Array(values.suffix(count)))
  }
}

extension SpectrumSummary {
  /// The power of noise in a bin relative to that of a sine of the same power: the noise bandwidth of the window in
  /// bins.
  package static let noiseBandwidthInBins = 1.16867

  /// Levels of any bands, computed from the linear bins; a bin that straddles an edge is shared in proportion.
  ///
  /// The maximum of a band is the sum of the maxima of its bins. They may be from different times, so it is an upper
  /// bound.
  package func binsAddedUp(in bands: SpectrumBands) -> Levels {
    Levels(meanInDB: added(bins.meanInDB, in: bands), maximumInDB: added(bins.maximumInDB, in: bands))
  }

  private func added(_ levels: [Float], in bands: SpectrumBands) -> [Float] {
    // The floor includes everything below it: a thousand silent bins are silence, too.
    let powers = levels.map { $0.isFinite && $0 > DecibelStep.floorInDB ? pow(10, Double($0) / 10) : 0 }
    let width = binWidthInHz
    return (0..<bands.count).map { band in
      // Bin k extends from k - 1/2 to k + 1/2.
      let low = bands.edgesInHz[band] / width + 0.5
      let high = min(bands.edgesInHz[band + 1] / width + 0.5, Double(powers.count))
      guard low < high else { return DecibelStep.floorInDB }
      var power = 0.0
      for bin in Int(low)..<Int(high.rounded(.up)) {
        power += powers[bin] * (min(high, Double(bin + 1)) - max(low, Double(bin)))
      }
      let level = 10 * log10(power / Self.noiseBandwidthInBins)
      return max(Float(level), DecibelStep.floorInDB)
    }
  }
}
