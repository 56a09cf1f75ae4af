import Glibc
import SignalProcessing

// Spectra of what is heard, for the page's display, by the transform of the analyzers.

nonisolated(unsafe) private var spectra: [WebSpectrum] = []

/// The memory for the samples of a spectrum, a power of two of them; the same for the same number. nil for other numbers.
@_cdecl("dw_spectrum_samples")
package func dw_spectrum_samples(_ sampleCount: Int32) -> UnsafeMutablePointer<Float>? {
  spectrum(Int(sampleCount))?.samples.pointer
}

/// The power of the samples in ``dw_spectrum_samples(_:)`` in each bin from 0 to half their number; a sine of amplitude 1 has 1,
/// summed over the bins of its peak.
@_cdecl("dw_spectrum_powers")
package func dw_spectrum_powers(_ sampleCount: Int32) -> UnsafeMutablePointer<Float>? {
  spectrum(Int(sampleCount))?.measured()
}

private func spectrum(_ size: Int) -> WebSpectrum? {
  guard (64...1 << 16).contains(size), size & (size - 1) == 0 else { return nil }
  if let known = spectra.first(where: { $0.size == size }) { return known }
  let new = WebSpectrum(size: size)
  spectra.append(new)
  return new
}

/// The spectrum of real samples under a window of Hann.
private final class WebSpectrum {
  let size: Int
  let samples: SampleBuffer
  private let silence: SampleBuffer
  private let window: SampleBuffer
  private let transform: ComplexTransform
  private let powers: PairPowers
  private let scale: Float

  init(size: Int) {
    self.size = size
    samples = SampleBuffer(count: size)
    silence = SampleBuffer(count: size)
    window = SampleBuffer(count: size)
    for index in 0..<size {
      window.pointer[index] = Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(size)))
    }
    transform = ComplexTransform(size: size)
    powers = PairPowers(transformSize: size)
    // Half the square of the amplitude on both sides, under squares of the window that sum to 3/8 of the size; `PairPowers` gives
    // four times the power.
    scale = 4 / (Float(size) * Float(size) * 3 / 8) / 4
  }

  func measured() -> UnsafeMutablePointer<Float> {
    let spectrum = transform.transform(real: samples.pointer, imaginary: silence.pointer, window: window.pointer)
    powers.split(real: spectrum.real, imaginary: spectrum.imaginary, withMean: false)
    for bin in 0...size / 2 { powers.first.pointer[bin] *= scale }
    return powers.first.pointer
  }
}
