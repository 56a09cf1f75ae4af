package import MediaModel

extension WaveformPeaks {
  /// The peaks of a `.dat`, and how many points its header announces.
  ///
  /// - Throws: `ByteReader.Failure` with the offset of what cannot be.
  package static func read(
    dat bytes: [UInt8]
  ) throws(ByteReader.Failure) -> (peaks: WaveformPeaks, announcedPointCount: Int) {
    let peaks = try WaveformPeaks(datBytes: bytes)
    var reader = ByteReader(bytes)
    _ = try reader.readBytes(16)
    return (peaks, Int(try reader.read(UInt32.self)))
  }

  /// The peaks of audiowaveform's JSON, and how many points it announces.
  ///
  /// Keys may come in any order, and unknown ones are passed over; `channels` is 1 and `bits` 16 where they are absent,
  /// as in version 1.
  /// - Throws: `ByteReader.Failure` with the offset of what cannot be.
  package static func read(
    json bytes: [UInt8]
  ) throws(ByteReader.Failure) -> (peaks: WaveformPeaks, announcedPointCount: Int) {
    var scanner = JSONScanner(bytes)
    var numbers: [String: (value: Int, offset: Int)] = [:]
    var data: [Int16]?
    var firstWideOffset: Int?
    try scanner.readObject { scanner, key throws(ByteReader.Failure) in
      switch key {
      case "version", "channels", "sample_rate", "samples_per_pixel", "bits", "length":
        let offset = scanner.offset
        numbers[key] = (try scanner.readInteger(), offset)
      case "data":
        var values: [Int16] = []
        firstWideOffset = nil
        try scanner.readArray { scanner throws(ByteReader.Failure) in
          let offset = scanner.offset
          guard let value = Int16(exactly: try scanner.readInteger()) else {
            throw ByteReader.Failure(offset: offset, reason: "a value is not -32768...32767")
          }
          if firstWideOffset == nil, !(-128...127).contains(value) { firstWideOffset = offset }
          values.append(value)
        }
        data = values
      default: try scanner.skipValue()
      }
    }
    try scanner.expectEnd()

    func number(_ key: String, _ range: ClosedRange<Int>, absent: Int? = nil) throws(ByteReader.Failure) -> Int {
      guard let (value, offset) = numbers[key] else {
        if let absent { return absent }
        throw ByteReader.Failure(offset: bytes.count, reason: "there is no \"\(key)\"")
      }
      guard range.contains(value) else {
        throw ByteReader.Failure(
          offset: offset, reason: "\"\(key)\" is \(value), not \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
    _ = try number("version", 1...2)
    let channelCount = try number("channels", 1...24, absent: 1)
    let rate = try number("sample_rate", 1...Int(Int32.max))
    let framesPerPoint = try number("samples_per_pixel", 2...Int(Int32.max))
    let bits = try number("bits", 8...16, absent: 16)
    guard let resolution = Resolution(rawValue: bits) else {
      throw ByteReader.Failure(offset: numbers["bits"]?.offset ?? 0, reason: "\"bits\" is \(bits), not 8 or 16")
    }
    let announcedCount = try number("length", 0...Int(UInt32.max))
    guard let data else { throw ByteReader.Failure(offset: bytes.count, reason: "there is no \"data\"") }
    if resolution == .bits8, let firstWideOffset {
      throw ByteReader.Failure(offset: firstWideOffset, reason: "a value of 8 bits is not -128...127")
    }
    // A point that is cut is dropped, as in a .dat.
    let whole = data.count - data.count % (2 * channelCount)
    let peaks = WaveformPeaks(
      sampleRateInHz: rate, framesPerPoint: framesPerPoint, channelCount: channelCount, resolution: resolution,
      values: Array(data.prefix(whole)))
    return (peaks, announcedCount)
  }
}
