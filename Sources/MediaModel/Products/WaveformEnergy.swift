package import Base
internal import Glibc

/// The level of each point of a waveform: RMS of the mono mix, overall and in three bands.
package struct WaveformEnergy: Hashable, Sendable {
  /// The RMS levels of a point in dBFS, to 0.5 dB.
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
  /// Frames per point; the last point may have fewer.
  package var framesPerPoint: Int
  /// In the steps of ``DecibelStep``.
  package var points: [Point]

  package init(sampleRateInHz: Int, framesPerPoint: Int, points: [Point]) {
    self.sampleRateInHz = sampleRateInHz
    self.framesPerPoint = framesPerPoint
    self.points = points
  }

  /// Layout 1: `u32` sample rate, `u32` frames per point, `u32` count, then four bytes per point: rms, low, mid, high.
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

extension WaveformEnergy.Point {
  /// As they are stored.
  package var steps: [UInt8] { [rms, low, mid, high] }
}

extension WaveformEnergy {
  /// The mean power of some points as one; silence if there are none.
  package func mean(of points: Range<Int>) -> Point {
    let energy = BandEnergy(self, frames: points.lowerBound * framesPerPoint..<points.upperBound * framesPerPoint)
    func step(_ power: Double) -> UInt8 { power > 0 ? DecibelStep.encode(Float(10 * log10(power))) : 0 }
    return Point(rms: step(energy.whole), low: step(energy.low), mid: step(energy.mid), high: step(energy.high))
  }
}

/// The mean power of a section of a waveform, overall and in three bands; full scale is 1.
package struct BandEnergy: Hashable {
  package var whole = 0.0
  package var low = 0.0
  package var mid = 0.0
  package var high = 0.0

  /// RMS in 16-bit units, `0...32767`.
  package var rmsIn16Bit: Int { Int(min(whole.squareRoot(), 1) * 32_767) }

  /// The power of each step of ``DecibelStep``; the lowest is silence.
  private static let powerOfStep: [Double] = (0...255).map { step in
    step == 0 ? 0 : pow(10, Double(DecibelStep.decode(UInt8(step))) / 10)
  }

  /// The mean over a range of frames; silence if there are no points.
  package init(_ energy: WaveformEnergy, frames: Range<Int>) {
    guard energy.framesPerPoint > 0, frames.lowerBound >= 0 else { return }
    let first = frames.lowerBound / energy.framesPerPoint
    let last = max(first + 1, frames.upperBound / energy.framesPerPoint)
    let points = (first..<last).clamped(to: 0..<energy.points.count)
    guard !points.isEmpty else { return }
    for point in energy.points[points] {
      whole += Self.powerOfStep[Int(point.rms)]
      low += Self.powerOfStep[Int(point.low)]
      mid += Self.powerOfStep[Int(point.mid)]
      high += Self.powerOfStep[Int(point.high)]
    }
    let count = Double(points.count)
    whole /= count
    low /= count
    mid /= count
    high /= count
  }
}
