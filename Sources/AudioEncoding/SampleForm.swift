package import MediaModel

/// The form in which samples are written, little-endian.
package enum SampleForm: Hashable, Sendable {
  /// Signed integers of 16 or 24 bits.
  case int16, int24
  /// 32-bit floats, full scale 1.0.
  case float32

  /// The narrowest form that holds everything a decoder returns.
  package init(holding format: MediaFormat) {
    let codec = format.codec
    let bits = format.bitsPerSample
    self =
      switch codec {
      // Eight bits encode 13 or 14.
      case .aLaw?, .muLaw?: .int16
      case let codec? where codec.isLossless && ![.pcmF32, .pcmF64, .dsd].contains(codec):
        switch bits {
        case let bits? where bits <= 16: .int16
        case let bits? where bits <= 24: .int24
        default: .float32
        }
      default: .float32
      }
  }

  package var bytesPerSample: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32: 4
    }
  }
}

/// Converts decoded samples to those of a file, and counts the samples that do not fit.
struct SampleWriter {
  let form: SampleForm
  /// Samples beyond full scale, which are clipped; floats never are.
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

  /// The nearest integer, ties to even; values beyond the range are clipped.
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

/// The order of channels in a file compared with that of WAVE and FLAC.
package enum ChannelOrder {
  /// For each channel of WAVE, the channel of the source that goes there; nil if they are the same.
  ///
  /// Vorbis (Vorbis I section 4.3.9) and Opus (RFC 7845 section 5.1.1.2) put the centre second and the low frequencies
  /// last.
  package static func permutation(from order: AudioFormat.ChannelOrder, channelCount: Int) -> [Int]? {
    guard order == .vorbis else { return nil }
    return switch channelCount {
    case 3: [0, 2, 1]
    case 5: [0, 2, 1, 3, 4]
    case 6: [0, 2, 1, 5, 3, 4]
    case 7: [0, 2, 1, 6, 5, 3, 4]
    case 8: [0, 2, 1, 7, 5, 6, 3, 4]
    default: nil
    }
  }

  /// For each channel of Vorbis and Opus, the channel of WAVE that goes there.
  static func vorbisOrder(channelCount: Int) -> [Int] {
    let order = permutation(from: .vorbis, channelCount: channelCount) ?? Array(0..<channelCount)
    return order.indices.map { order.firstIndex(of: $0) ?? $0 }
  }

  /// Samples with the channels of each frame in the order of `permutation`.
  package static func reordered(_ samples: Span<Float>, by permutation: [Int]) -> [Float] {
    let channelCount = permutation.count
    return [Float](unsafeUninitializedCapacity: samples.count) { buffer, count in
      for frame in 0..<samples.count / channelCount {
        for (channel, source) in permutation.enumerated() {
          buffer.initializeElement(at: frame * channelCount + channel, to: samples[frame * channelCount + source])
        }
      }
      count = samples.count / channelCount * channelCount
    }
  }
}
