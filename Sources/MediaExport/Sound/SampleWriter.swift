/// Turns decoded samples into those of a file, and counts what does not fit.
struct SampleWriter {
  let form: SampleForm
  /// Samples beyond full scale, cut to it; floats are never cut.
  private(set) var clippedSampleCount = 0

  init(form: SampleForm) { self.form = form }

  mutating func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + samples.count * form.bytesPerSample)
    switch form {
    case .float32:
      for index in samples.indices { append(samples[index].bitPattern, byteCount: 4, to: &bytes) }
    case .int16:
      for index in samples.indices {
        append(UInt32(bitPattern: integer(samples[index], bits: 16)), byteCount: 2, to: &bytes)
      }
    case .int24:
      for index in samples.indices {
        append(UInt32(bitPattern: integer(samples[index], bits: 24)), byteCount: 3, to: &bytes)
      }
    }
  }

  /// The nearest integer, ties to the even one; what lies beyond the range becomes its end.
  mutating func integer(_ sample: Float, bits: Int) -> Int32 {
    let scale = Float(1 << (bits - 1))
    let scaled = (sample * scale).rounded(.toNearestOrEven)
    if scaled >= -scale, scaled <= scale - 1 { return Int32(scaled) }
    clippedSampleCount += 1
    return scaled > 0 ? Int32(scale) - 1 : Int32(-scale)
  }

  private func append(_ value: UInt32, byteCount: Int, to bytes: inout [UInt8]) {
    for byte in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte)))) }
  }
}
