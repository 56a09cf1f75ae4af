extension WaveformPeaks {
  /// The bytes of audiowaveform's `.dat`: version 1 for one channel, version 2 for more; little-endian.
  package var datBytes: [UInt8] {
    var writer = ByteWriter(capacity: 24 + values.count * resolution.rawValue / 8)
    writer.append(
      raw: Self.datHeader(
        sampleRateInHz: sampleRateInHz, framesPerPoint: framesPerPoint, channelCount: channelCount,
        resolution: resolution, pointCount: pointCount))
    switch resolution {
    case .bits8: writer.append(raw: values.lazy.map { UInt8(truncatingIfNeeded: $0) })
    case .bits16: for value in values { writer.append(value) }
    }
    return writer.bytes
  }

  /// The bytes before the points.
  package static func datHeader(
    sampleRateInHz: Int, framesPerPoint: Int, channelCount: Int, resolution: Resolution, pointCount: Int
  ) -> [UInt8] {
    var writer = ByteWriter(capacity: 24)
    writer.append(Int32(channelCount == 1 ? 1 : 2))
    writer.append(UInt32(resolution == .bits8 ? 1 : 0))
    writer.append(Int32(clamping: sampleRateInHz))
    writer.append(Int32(clamping: framesPerPoint))
    writer.append(UInt32(clamping: pointCount))
    if channelCount > 1 { writer.append(Int32(clamping: channelCount)) }
    return writer.bytes
  }

  /// Reads a `.dat` of version 1 or 2.
  ///
  /// As in the reference reader, a body shorter than announced gives the points that are there; a point that is cut is
  /// dropped.
  package init(datBytes: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(datBytes)
    let version = try reader.read(Int32.self)
    guard version == 1 || version == 2 else {
      throw ByteReader.Failure(offset: 0, reason: "version \(version) is not 1 or 2")
    }
    let resolution: Resolution = try reader.read(UInt32.self) & 1 == 1 ? .bits8 : .bits16
    let sampleRate = try reader.read(Int32.self)
    guard sampleRate >= 1 else { throw ByteReader.Failure(offset: 8, reason: "sample rate \(sampleRate) is below 1") }
    let framesPerPoint = try reader.read(Int32.self)
    guard framesPerPoint >= 2 else {
      throw ByteReader.Failure(offset: 12, reason: "samples per pixel \(framesPerPoint) is below 2")
    }
    let announcedPointCount = Int(try reader.read(UInt32.self))
    let channelCount = version == 1 ? 1 : try reader.read(Int32.self)
    guard (1...24).contains(channelCount) else {
      throw ByteReader.Failure(offset: 20, reason: "channel count \(channelCount) is not 1...24")
    }

    let pointSize = 2 * Int(channelCount) * resolution.rawValue / 8
    let pointCount = min(announcedPointCount, reader.remainingCount / pointSize)
    let body = try reader.readBytes(pointCount * pointSize)
    var values: [Int16]
    switch resolution {
    case .bits8:
      values = body.map { Int16(Int8(bitPattern: $0)) }
    case .bits16:
      values = []
      values.reserveCapacity(body.count / 2)
      for index in stride(from: body.startIndex, to: body.endIndex, by: 2) {
        values.append(Int16(bitPattern: UInt16(body[index]) | UInt16(body[index + 1]) << 8))
      }
    }
    self.init(
      sampleRateInHz: Int(sampleRate), framesPerPoint: Int(framesPerPoint), channelCount: Int(channelCount),
      resolution: resolution, values: values)
  }
}
