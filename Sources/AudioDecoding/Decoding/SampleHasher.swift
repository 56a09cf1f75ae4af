import MediaModel

/// The hash of decoded samples, by which lossless streams are found to be the same recording.
///
/// Integers are filled up to 32 bits from below, so that the width of a file does not count. Samples are interleaved in
/// WAVE's order, the lowest byte first. After them come rate, channels, and the loudspeakers if they are unusual.
/// Floats are hashed as they are decoded, before those that are not finite are replaced.
struct SampleHasher {
  enum Form: String {
    case int, f32, f64
    /// The bits of all channels in turn, eight at a time, because no frames stand for them.
    case dsd

    /// nil for codecs that do not give back what was encoded.
    init?(_ codec: Codec?) {
      guard let codec, codec.isLossless else { return nil }
      self =
        switch codec {
        case .pcmF32: .f32
        case .pcmF64: .f64
        case .dsd: .dsd
        default: .int
        }
    }
  }

  let form: Form
  private let hash: ContentHasher

  /// nil if there is no memory.
  init?(_ form: Form) {
    guard let hash = ContentHasher() else { return nil }
    self.form = form
    self.hash = hash
    hash.note("deadwax samples 1 \(form.rawValue)\n")
  }

  func add(_ samples: UnsafeRawBufferPointer) { hash.update(samples) }

  /// The hash of all samples; call it once, because it ends the stream.
  func finish(_ format: AudioFormat) -> ContentHash {
    hash.note("\(format.sampleRateInHz) \(format.channelCount)" + (format.unusualMask.map { " \($0)" } ?? ""))
    return hash.digest
  }
}

/// Integers of 32 bits as floats in `-1...1`.
///
/// The factor is a power of two: integers of fewer bits, filled up from below, give the floats that they give by their
/// own factor.
enum FullScale {
  private static let factor: Float = 1 / 2_147_483_648

  static func convert(_ integers: UnsafeBufferPointer<Int32>, to floats: UnsafeMutableBufferPointer<Float>) {
    guard let source = UnsafeRawPointer(integers.baseAddress), let target = UnsafeMutableRawPointer(floats.baseAddress)
    else { return }
    convert(source, to: target, count: min(integers.count, floats.count))
  }

  /// `source` and `target` may be the same memory.
  static func convert(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    var offset = 0
    let end = 4 * count
    while offset + 32 <= end {
      let integers = source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int32>.self)
      target.storeBytes(of: SIMD8<Float>(integers) * factor, toByteOffset: offset, as: SIMD8<Float>.self)
      offset += 32
    }
    while offset < end {
      let integer = source.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      target.storeBytes(of: Float(integer) * factor, toByteOffset: offset, as: Float.self)
      offset += 4
    }
  }
}
