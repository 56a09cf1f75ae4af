extension SpectrumSummary {
  /// Layout 1: `u32` sample rate, `u16` bands, `u16` channels, `u32` bins, then for the mix and each channel mean and
  /// maximum of each band, then mean and maximum of each bin; every level an `s16` in steps of 0.01 dB.
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

  /// The mean level of one band of the mono mix, read from the bytes without the rest; nil where they are none, or end
  /// too soon.
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
