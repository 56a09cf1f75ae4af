import Base
internal import SignalProcessing

/// The filter that makes frames of DSD: a low-pass of linear phase, as tables of what each byte adds to the frames
/// around it.
///
/// Flat within 0.001 dB up to 0.39 of the frames' rate (34.4 kHz at 88.2), 120 dB down from 0.61 of it on. What is
/// between them is mirrored above 0.39, where DSD has little but noise. A signal that modulates half of the bits more
/// one way than the other has a level of 0.5.
final class DSDFilter: Sendable {
  /// Frames that a byte adds to; odd, so that the filter is centred on a frame.
  static let length = 39
  /// The same with zeros behind, for vectors.
  static let stride = 40
  /// Frames from a byte to the first and to the last one that it adds to.
  static let reach = (length - 1) / 2
  /// For 120 dB (Kaiser 1974).
  private static let shape = 12.265

  let byteCountPerFrame: Int
  /// For each byte of a frame, for each of its values, ``stride`` numbers.
  let table: [Float]

  init(byteCountPerFrame: Int) {
    self.byteCountPerFrame = byteCountPerFrame
    let decimation = 8 * byteCountPerFrame
    let tapCount = Self.length * decimation
    var taps = (0..<tapCount).map { tap in
      let place = (Double(tap) + 0.5) / Double(tapCount) * 2 - 1
      return WindowedSinc.sinc(.pi * place * Double(Self.length) / 2)
        * WindowedSinc.kaiserWeight(at: place, beta: Self.shape)
    }
    let sum = taps.reduce(0, +)
    for tap in taps.indices { taps[tap] /= sum }
    var table = [Float](repeating: 0, count: byteCountPerFrame * 256 * Self.stride)
    for byte in 0..<byteCountPerFrame {
      for frame in 0..<Self.length {
        let first = (Self.length - 1 - frame) * decimation + 8 * byte
        for value in 0..<256 {
          var sum = 0.0
          for bit in 0..<8 { sum += value >> (7 - bit) & 1 == 1 ? taps[first + bit] : -taps[first + bit] }
          table[(byte * 256 + value) * Self.stride + frame] = Float(sum)
        }
      }
    }
    self.table = table
  }

  /// Adds the bytes of one channel to its frames.
  ///
  /// - Parameters:
  ///   - bytes: the first byte of the channel; the next one is `byteStride` further.
  ///   - count: of the bytes; a whole number of frames, but at the end of the recording.
  ///   - sums: the frame that is ``reach`` before that of the first byte, then the next ones: ``stride`` more of them
  ///     than the bytes have.
  func add(_ bytes: UnsafePointer<UInt8>, count: Int, byteStride: Int, to sums: UnsafeMutablePointer<Float>) {
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      var (index, frame) = (0, 0)
      while index < count {
        var (a, b, c, d, e) = (
          SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
        )
        for byte in 0..<min(byteCountPerFrame, count - index) {
          let value = Int(bytes[(index + byte) * byteStride])
          let row = UnsafeRawPointer(table + (byte * 256 + value) * Self.stride)
          a += row.loadUnaligned(as: SIMD8<Float>.self)
          b += row.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self)
          c += row.loadUnaligned(fromByteOffset: 64, as: SIMD8<Float>.self)
          d += row.loadUnaligned(fromByteOffset: 96, as: SIMD8<Float>.self)
          e += row.loadUnaligned(fromByteOffset: 128, as: SIMD8<Float>.self)
        }
        let target = UnsafeMutableRawPointer(sums + frame)
        Self.add(a, to: target)
        Self.add(b, to: target + 32)
        Self.add(c, to: target + 64)
        Self.add(d, to: target + 96)
        Self.add(e, to: target + 128)
        index += byteCountPerFrame
        frame += 1
      }
    }
  }

  @inline(__always)
  private static func add(_ vector: SIMD8<Float>, to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: target.loadUnaligned(as: SIMD8<Float>.self) + vector, as: SIMD8<Float>.self)
  }
}
