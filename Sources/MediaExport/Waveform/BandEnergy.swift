internal import Glibc
internal import MediaModel

/// Mean power of a stretch of a waveform, whole and in three bands; full scale is 1.
struct BandEnergy: Hashable {
  var whole = 0.0
  var low = 0.0
  var mid = 0.0
  var high = 0.0

  /// RMS in 16-bit units, `0...32767`.
  var rmsIn16Bit: Int { Int(min(whole.squareRoot(), 1) * 32_767) }

  /// The power that each step of ``DecibelStep`` stands for; the lowest one is silence.
  private static let powerOfStep: [Double] = (0...255).map { step in
    step == 0 ? 0 : pow(10, Double(DecibelStep.decode(UInt8(step))) / 10)
  }

  /// Mean over some frames of the recording; silence where there is no point.
  init(_ energy: WaveformEnergy, frames: Range<Int>) {
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
