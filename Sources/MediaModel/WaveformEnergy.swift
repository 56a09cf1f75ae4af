/// Loudness of a waveform point by point: RMS of the mono mix, whole and in three bands.
package struct WaveformEnergy: Hashable, Sendable {
  /// Levels of one point in dBFS, as RMS, to 0.5 dB.
  package struct Point: Hashable, Sendable {
    package var rms: UInt8
    /// Below 600 Hz.
    package var low: UInt8
    /// From 600 Hz to 4 kHz.
    package var mid: UInt8
    /// Above 4 kHz.
    package var high: UInt8

    package init(rms: UInt8, low: UInt8, mid: UInt8, high: UInt8) {
      self.rms = rms
      self.low = low
      self.mid = mid
      self.high = high
    }
  }

  package var sampleRateInHz: Int
  /// Audio frames below one point; the last point may cover fewer.
  package var framesPerPoint: Int
  /// In the steps of ``DecibelStep``.
  package var points: [Point]

  package init(sampleRateInHz: Int, framesPerPoint: Int, points: [Point]) {
    self.sampleRateInHz = sampleRateInHz
    self.framesPerPoint = framesPerPoint
    self.points = points
  }

  /// Layout 1: `u32` sample rate, `u32` frames per point, `u32` count, then four bytes a point: rms, low, mid, high.
  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 12 + 4 * points.count)
    writer.append(UInt32(sampleRateInHz))
    writer.append(UInt32(framesPerPoint))
    writer.append(UInt32(points.count))
    for point in points { writer.append(raw: [point.rms, point.low, point.mid, point.high]) }
    return writer.bytes
  }

  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    let sampleRate = Int(try reader.read(UInt32.self))
    let framesPerPoint = Int(try reader.read(UInt32.self))
    let count = Int(try reader.read(UInt32.self))
    let body = Array(try reader.readBytes(count * 4))
    self.init(
      sampleRateInHz: sampleRate, framesPerPoint: framesPerPoint,
      points: stride(from: 0, to: body.count, by: 4).map {
        Point(rms: body[$0], low: body[$0 + 1], mid: body[$0 + 2], high: body[$0 + 3])
      })
  }
}
