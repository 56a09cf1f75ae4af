internal import Glibc
internal import SignalProcessing

/// Computes the low band of a stream, at a lower sample rate, from the transformed frames of the stream.
///
/// The squares of overlapping windows add up to 1 (see ``SpectrumWindow``): frames that are transformed back, windowed
/// again and added up give the stream again. If only the lowest bins are transformed back, they give its low band, at
/// the sample rate that belongs to that number of bins. There is no filter and no delay; aliases in the flat part of
/// the mask stay below -90 dB.
///
/// A frame holds two real signals, one as the real part and one as the imaginary part.
final class LowBandSynthesis {
  /// The band is complete up to this part of half the lower sample rate; above it fades out.
  static let flatPart = 0.6

  /// With fewer bins the fade would be too steep for a frame, with errors above -88 dB.
  static let leastSize = 256

  /// Samples at the lower rate from one frame to the next.
  let hop: Int
  private let size: Int
  private let frameSize: Int
  private let transform: ComplexTransform
  private let mask: SampleBuffer
  private let window: SampleBuffer
  private let realBins: SampleBuffer
  private let imaginaryBins: SampleBuffer
  private let first: OverlappingFrames
  private let second: OverlappingFrames

  /// - Precondition: `size`, the length of a frame at the lower rate, is a power of two from 64 to `frameSize`; see
  ///   ``leastSize``.
  init(frameSize: Int, size: Int) {
    self.frameSize = frameSize
    self.size = size
    hop = SpectrumWindow.hop(ofSize: size)
    transform = ComplexTransform(size: size)
    mask = SampleBuffer(
      (0..<size).map { bin in
        let position = Double(min(bin, size - bin)) / Double(size / 2)
        let fading = max(0, (position - Self.flatPart) / (1 - Self.flatPart))
        return Float(0.5 + 0.5 * cos(.pi * fading))
      })
    let coefficients = SpectrumWindow.coefficients(size: frameSize)
    window = SampleBuffer(
      stride(from: 0, to: frameSize, by: frameSize / size).map { Float(coefficients[$0] / Double(frameSize)) })
    realBins = SampleBuffer(count: size)
    imaginaryBins = SampleBuffer(count: size)
    first = OverlappingFrames(size: size, hop: hop)
    second = OverlappingFrames(size: size, hop: hop)
  }

  /// Takes one frame of each of two lines and gives the next `hop` samples of each.
  func addLines(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>
  ) -> (first: UnsafePointer<Float>, second: UnsafePointer<Float>) {
    let frames = transformBack(real, imaginary)
    return (first.add(frames.first, window: window.pointer), second.add(frames.second, window: window.pointer))
  }

  /// Takes two successive frames of one line and gives its next samples, `hop` at a time.
  func addSuccessiveFrames(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, _ use: (UnsafePointer<Float>) -> Void
  ) {
    let frames = transformBack(real, imaginary)
    use(first.add(frames.first, window: window.pointer))
    use(first.add(frames.second, window: window.pointer))
  }

  /// The inverse transform is the forward one with real and imaginary parts exchanged before and after.
  private func transformBack(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>
  ) -> (first: UnsafePointer<Float>, second: UnsafePointer<Float>) {
    let half = size / 2
    realBins.pointer.update(from: real, count: half)
    (realBins.pointer + half).update(from: real + frameSize - half, count: half)
    imaginaryBins.pointer.update(from: imaginary, count: half)
    (imaginaryBins.pointer + half).update(from: imaginary + frameSize - half, count: half)
    let result = transform.transform(
      real: imaginaryBins.pointer, imaginary: realBins.pointer, window: mask.pointer)
    return (result.imaginary, result.real)
  }
}

/// The sum of the overlapping frames of one line.
private struct OverlappingFrames: ~Copyable {
  private let size: Int
  private let hop: Int
  private let sums: SampleBuffer
  private let output: SampleBuffer

  init(size: Int, hop: Int) {
    self.size = size
    self.hop = hop
    sums = SampleBuffer(count: size)
    output = SampleBuffer(count: hop)
  }

  /// Adds a frame times its window.
  ///
  /// - Returns: The `hop` samples that no later frame reaches, valid until the next call.
  func add(_ frame: UnsafePointer<Float>, window: UnsafePointer<Float>) -> UnsafePointer<Float> {
    for index in stride(from: 0, to: size, by: 8) {
      sums.pointer.store(
        sums.pointer.vector8(at: index) + frame.vector8(at: index) * window.vector8(at: index), at: index)
    }
    output.pointer.update(from: sums.pointer, count: hop)
    sums.pointer.update(from: sums.pointer + hop, count: size - hop)
    (sums.pointer + size - hop).update(repeating: 0, count: hop)
    return UnsafePointer(output.pointer)
  }
}
