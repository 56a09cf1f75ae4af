package import Base

/// The minimum and maximum of the samples of each point of a waveform, as audiowaveform computes them.
package struct WaveformPeaks: Hashable, Sendable {
  package enum Resolution: Int, Hashable, Sendable {
    case bits8 = 8
    case bits16 = 16
  }

  package var sampleRateInHz: Int
  /// Frames per point; the last point may have fewer.
  package var framesPerPoint: Int
  /// The number of separate channels; 1 for the mono mix.
  package var channelCount: Int
  package var resolution: Resolution
  /// For each point and each channel: minimum, then maximum; `-128...127` or `-32768...32767`, depending on
  /// `resolution`.
  package var values: [Int16]

  package init(
    sampleRateInHz: Int, framesPerPoint: Int, channelCount: Int, resolution: Resolution, values: [Int16]
  ) {
    precondition(
      channelCount > 0 && values.count.isMultiple(of: 2 * channelCount), "each point has one pair per channel")
    self.sampleRateInHz = sampleRateInHz
    self.framesPerPoint = framesPerPoint
    self.channelCount = channelCount
    self.resolution = resolution
    self.values = values
  }

  package var pointCount: Int { values.count / (2 * channelCount) }
}

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

  /// The bytes before the points in version 2; version 1 has four fewer.
  package static let largestHeaderByteCount = 24

  /// Reads a `.dat` of version 1 or 2.
  ///
  /// As in audiowaveform, a body that is shorter than announced gives the points that exist; an incomplete point is
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

extension WaveformPeaks {
  /// The same waveform at a coarser zoom, grouped as audiowaveform groups it.
  ///
  /// Point `k` combines the points from `floor(k·new/old)` up to but not including `floor((k+1)·new/old)`. If
  /// `framesPerPoint` is a multiple of the current one, the result equals peaks computed from the samples; otherwise a
  /// point may be off by up to one old point.
  ///
  /// - Parameter frameCount: The length of the recording, if known. The last point within it gets all remaining points,
  ///   so that there are as many as in peaks computed from the samples.
  /// - Precondition: `framesPerPoint` is at least the current one.
  package func rescaled(toFramesPerPoint newFramesPerPoint: Int, frameCount: Int64? = nil) -> WaveformPeaks {
    precondition(newFramesPerPoint >= framesPerPoint, "peaks can only become coarser")
    guard newFramesPerPoint > framesPerPoint else { return self }
    let pairCount = channelCount
    var result: [Int16] = []
    result.reserveCapacity(values.count * framesPerPoint / newFramesPerPoint + 2 * pairCount)
    let last = frameCount.map { (Int(clamping: $0) - 1) / newFramesPerPoint }
    var first = 0
    var outputIndex = 0
    while first < pointCount {
      let end =
        outputIndex == last ? pointCount : min(pointCount, (outputIndex + 1) * newFramesPerPoint / framesPerPoint)
      for channel in 0..<pairCount {
        var low = Int16.max
        var high = Int16.min
        for point in first..<end {
          low = min(low, values[(point * pairCount + channel) * 2])
          high = max(high, values[(point * pairCount + channel) * 2 + 1])
        }
        result.append(low)
        result.append(high)
      }
      first = end
      outputIndex += 1
    }
    return WaveformPeaks(
      sampleRateInHz: sampleRateInHz, framesPerPoint: newFramesPerPoint, channelCount: channelCount,
      resolution: resolution, values: result)
  }
}

/// The amplitude scale of a waveform.
package enum AmplitudeScale: Hashable, Sendable {
  /// A finite factor of at least 0.
  case factor(Double)
  /// Scales the largest absolute value to full scale.
  case automatic

  package static let one = AmplitudeScale.factor(1)

  /// Parses a number of at least 0 or the word `auto`; nil for anything else.
  package init?(_ text: String) {
    if text == "auto" {
      self = .automatic
    } else if let factor = DecimalText.parse(text), factor >= 0 {
      self = .factor(factor)
    } else {
      return nil
    }
  }

  /// The factor for values from `low` to `high` in 16 bits; 1 for silence.
  package func factor(low: Int, high: Int) -> Double {
    switch self {
    case .factor(let factor): return factor.isFinite ? max(factor, 0) : 1
    case .automatic:
      let peak = max(abs(low), abs(high))
      return peak == 0 ? 1 : 32_767 / Double(peak)
    }
  }

  /// The factor that audiowaveform uses for `auto` with data: the minimum determines it, and a larger maximum is
  /// clipped.
  package static func referenceFactor(low: Int, high: Int) -> Double {
    let forHigh = high == 0 ? 1 : 32_767 / Double(high)
    let forLow = low == 0 ? 1 : 32_767 / Double(low)
    return abs(min(forHigh, forLow))
  }

  /// A 16-bit value times `factor`, clamped, then truncated.
  package static func scale(_ value: Int, by factor: Double) -> Int {
    let scaled = Double(value) * factor
    return scaled.isNaN ? 0 : Int(max(-32_768, min(scaled, 32_767)))
  }
}

extension WaveformPeaks {
  /// The same peaks in the other resolution: 8-bit values are 16-bit values divided by 256 and truncated; 16-bit values
  /// are 8-bit values times 256.
  package func converted(to newResolution: Resolution) -> WaveformPeaks {
    guard newResolution != resolution else { return self }
    var copy = self
    copy.resolution = newResolution
    copy.values = newResolution == .bits8 ? values.map { $0 / 256 } : values.map { Int16(clamping: Int($0) * 256) }
    return copy
  }

  /// The peaks, scaled as audiowaveform's `--amplitude-scale auto` scales data.
  package var scaledAutomatically: WaveformPeaks {
    let unit = unitsPerValue
    let low = Int(values.min() ?? 0) * unit
    let high = Int(values.max() ?? 0) * unit
    let factor = AmplitudeScale.referenceFactor(low: low, high: high)
    var copy = self
    copy.values = values.map { Int16(clamping: AmplitudeScale.scale(Int($0) * unit, by: factor) / unit) }
    return copy
  }

  /// The size of one step in 16 bits: 256 for 8-bit peaks, otherwise 1.
  package var unitsPerValue: Int { resolution == .bits8 ? 256 : 1 }

  /// The lowest minimum and highest maximum of a range of points in 16 bits; nil if the range is empty.
  package func extremes(of points: Range<Int>, channel: Int) -> ClosedRange<Int>? {
    let points = points.clamped(to: 0..<pointCount)
    guard !points.isEmpty, (0..<channelCount).contains(channel) else { return nil }
    var low = Int.max
    var high = Int.min
    for point in points {
      let index = (point * channelCount + channel) * 2
      low = min(low, Int(values[index]))
      high = max(high, Int(values[index + 1]))
    }
    // A hostile blob may hold a minimum above its maximum.
    return min(low, high) * unitsPerValue...max(low, high) * unitsPerValue
  }

  /// The duration of all points in seconds; the last one counts as complete.
  package var durationInSeconds: Double { Double(pointCount) * Double(framesPerPoint) / Double(max(sampleRateInHz, 1)) }
}
