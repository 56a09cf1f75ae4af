package import Base
package import MediaModel

extension WaveformPeaks {
  /// The JSON that audiowaveform writes: version 2, in its order of keys, one line without spaces that ends in a
  /// newline.
  package var jsonText: String {
    jsonStart + values.map(String.init).joined(separator: ",") + Self.jsonEnd
  }

  /// What ``jsonText`` has before the values, which are separated by commas, and behind them.
  package var jsonStart: String {
    "{\"version\":2,\"channels\":\(channelCount),\"sample_rate\":\(sampleRateInHz),"
      + "\"samples_per_pixel\":\(framesPerPoint),\"bits\":\(resolution.rawValue),\"length\":\(pointCount),"
      + "\"data\":["
  }
  package static let jsonEnd = "]}\n"

  /// The JSON that wavesurfer.js accepts as its options `peaks` and `duration`: one list of numbers per channel, each
  /// the largest absolute value within a point, `0...1`.
  package func playerText(durationInSeconds: Double) -> String {
    let fullScale = Double(1 << (resolution.rawValue - 1))
    let lists = (0..<channelCount).map { channel in
      let numbers = (0..<pointCount).map { point in
        let index = 2 * (point * channelCount + channel)
        let excursion = max(abs(Int(values[index])), abs(Int(values[index + 1])))
        return DecimalText.number(min(Double(excursion) / fullScale, 1), places: 4)
      }
      return "[\(numbers.joined(separator: ","))]"
    }
    return "{\"duration\":\(DecimalText.number(durationInSeconds, places: 6)),"
      + "\"peaks\":[\(lists.joined(separator: ","))]}\n"
  }

  /// The text that audiowaveform writes: one line per point with minimum and maximum of each channel, separated by
  /// commas.
  package var plainText: String {
    lines { _ in "" }
  }

  /// A table with a heading: the time of each point in seconds, then minimum and maximum of each channel.
  package var csvText: String {
    let names = channelCount == 1 ? ["min,max"] : (1...channelCount).map { "min_\($0),max_\($0)" }
    let secondsPerPoint = Double(framesPerPoint) / Double(max(sampleRateInHz, 1))
    return "time_seconds,\(names.joined(separator: ","))\n"
      + lines { DecimalText.number(Double($0) * secondsPerPoint, places: 6) + "," }
  }

  private func lines(prefix: (Int) -> String) -> String {
    let width = 2 * channelCount
    var text = ""
    for point in 0..<pointCount {
      text += prefix(point)
      text += values[point * width..<(point + 1) * width].lazy.map(String.init).joined(separator: ",")
      text += "\n"
    }
    return text
  }
}

extension WaveformPeaks {
  /// The peaks of a `.dat` file, and how many points its header announces.
  ///
  /// - Throws: `ByteReader.Failure` with the offset of what is invalid.
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
  /// Keys may come in any order; unknown ones are ignored. If absent, as in version 1, `channels` is 1 and `bits` is
  /// 16.
  /// - Throws: `ByteReader.Failure` with the offset of what is invalid.
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
            throw ByteReader.Failure(offset: offset, reason: "a value is outside -32768...32767")
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
        throw ByteReader.Failure(offset: bytes.count, reason: "\"\(key)\" is missing")
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
    guard let data else { throw ByteReader.Failure(offset: bytes.count, reason: "\"data\" is missing") }
    if resolution == .bits8, let firstWideOffset {
      throw ByteReader.Failure(offset: firstWideOffset, reason: "a value of 8 bits is outside -128...127")
    }
    // An incomplete last point is dropped, as in a .dat file.
    let whole = data.count - data.count % (2 * channelCount)
    let peaks = WaveformPeaks(
      sampleRateInHz: rate, framesPerPoint: framesPerPoint, channelCount: channelCount, resolution: resolution,
      values: Array(data.prefix(whole)))
    return (peaks, announcedCount)
  }
}
