internal import Glibc
package import MediaModel
internal import SignalProcessing

/// Makes sound longer or shorter and keeps its pitch: a phase vocoder without phases.
///
/// Windows of some 93 ms are taken from the input at one pace and added to the output at another. Before a window is
/// added, each region of its spectrum around a peak is turned, so that it continues what was added before: by the
/// rotation that fits the window one output step earlier in the input best to the window that was written last. All
/// bins of a region, and all channels, turn alike, which keeps the shape of partials and the place of instruments. If
/// most of a region is new, it is not turned: an attack keeps its shape.
///
/// With a factor of 1 nothing is turned, and the output is the input. Where the input is cut makes no difference. The
/// factor may change at any time; nothing is allocated after the initializer unless a block is longer than
/// ``reservedFrameCount``.
///
/// Sources: Puckette, "Phase-locked vocoder", 1995 (the second window); Laroche and Dolson, "Improved phase vocoder
/// time-scale modification of audio", 1999 (regions of peaks).
package final class TimeStretcher {
  package static let reservedFrameCount = 4096
  private static let windowInSeconds = 0.093
  private static let overlap = 8
  /// From which ratio of its powers on a region that has become louder is an attack.
  private static let attackRatio: Float = 8

  /// Output frames per input frame, 1/4…4.
  package var factor: Double
  private let channelCount: Int
  /// Frames of a window, a power of two; and from one window of the output to the next.
  private let size: Int
  private let step: Int
  private let transform: ComplexTransform
  /// What is transformed: real parts, then imaginary ones.
  private let points: SampleBuffer
  private let window: SampleBuffer
  /// The input from ``heldStart`` on, interleaved.
  private var held: [Float] = []
  private var heldStart = 0
  /// Where in the input the middle of the next window is.
  private var center = 0.0
  /// Frames that still lie before the first one of the output.
  private var leadingFrameCount = 0
  /// What windows have been added to and others will be, interleaved.
  private let sums: SampleBuffer
  private let current: Spectra
  /// Of the window one step earlier in the input.
  private let earlier: Spectra
  /// Of the window that was added last.
  private let written: Spectra
  /// Of all channels of ``current``.
  private let powers: SampleBuffer

  package init(format: AudioFormat, factor: Double = 1) {
    channelCount = format.channelCount
    self.factor = factor
    var size = 256
    while Double(size) * 1.5 < Self.windowInSeconds * Double(format.sampleRateInHz) { size *= 2 }
    self.size = size
    step = size / Self.overlap
    transform = ComplexTransform(size: size)
    points = SampleBuffer(count: 2 * size)
    window = SampleBuffer(count: size)
    for index in 0..<size {
      window.pointer[index] = Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(size)))
    }
    let binCount = size / 2 + 1
    current = Spectra(binCount: binCount, channelCount: channelCount)
    earlier = Spectra(binCount: binCount, channelCount: channelCount)
    written = Spectra(binCount: binCount, channelCount: channelCount)
    powers = SampleBuffer(count: binCount)
    sums = SampleBuffer(count: size * channelCount)
    held.reserveCapacity((12 * size + 2 * Self.reservedFrameCount) * channelCount)
    reset()
  }

  /// Forgets the sound so far.
  package func reset() {
    center = -Double(size / 2 - step) / factor
    leadingFrameCount = size - step
    heldStart = Int(center.rounded(.down)) - step - size / 2
    held.removeAll(keepingCapacity: true)
    held.append(contentsOf: repeatElement(0, count: -heldStart * channelCount))
    sums.clear()
    written.clear()
  }

  /// The place in the input of the next frame that ``process(_:into:)`` gives.
  package var inputPosition: Double { center - Double(size / 2 - max(0, leadingFrameCount)) / factor }

  /// Takes whole frames, and appends those that are ready.
  package func process(_ samples: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    held.append(contentsOf: samples)
    let end = heldStart + held.count / channelCount
    while Int(center.rounded(.down)) + size / 2 <= end {
      addWindow(at: Int(center.rounded(.down)))
      emit(into: &output)
      center += Double(step) / factor
    }
    let dropped = min(Int(center.rounded(.down)) - step - size / 2 - heldStart, held.count / channelCount)
    if dropped > 0 {
      held.removeFirst(dropped * channelCount)
      heldStart += dropped
    }
  }

  /// Gives the frames to which no more windows will be added.
  private func emit(into output: inout [Float]) {
    let skipped = min(leadingFrameCount, step)
    leadingFrameCount -= skipped
    let (count, moved) = (sums.count, step * channelCount)
    output.append(contentsOf: UnsafeBufferPointer(start: sums.pointer, count: moved)[(skipped * channelCount)...])
    sums.pointer.update(from: sums.pointer + moved, count: count - moved)
    (sums.pointer + count - moved).update(repeating: 0, count: moved)
  }

  private func addWindow(at center: Int) {
    analyze(at: center - step, into: earlier)
    analyze(at: center, into: current)
    turnRegions()
    synthesize()
  }

  /// The spectra of the window around a frame of the input, two channels at a time.
  private func analyze(at center: Int, into spectra: borrowing Spectra) {
    let start = (center - size / 2 - heldStart) * channelCount
    let (left, right) = (points.pointer, points.pointer + size)
    for channel in stride(from: 0, to: channelCount, by: 2) {
      let isPair = channel + 1 < channelCount
      held.withUnsafeBufferPointer { held in
        for index in 0..<size {
          let place = start + index * channelCount + channel
          left[index] = held[place]
          right[index] = isPair ? held[place + 1] : 0
        }
      }
      let (real, imaginary) = transform.transform(real: left, imaginary: right, window: window.pointer)
      let first = spectra[channel]
      let second = isPair ? spectra[channel + 1] : nil
      for bin in 0..<spectra.binCount {
        let mirror = (size - bin) & (size - 1)
        first.real[bin] = 0.5 * (real[bin] + real[mirror])
        first.imaginary[bin] = 0.5 * (imaginary[bin] - imaginary[mirror])
        second?.real[bin] = 0.5 * (imaginary[bin] + imaginary[mirror])
        second?.imaginary[bin] = 0.5 * (real[mirror] - real[bin])
      }
    }
  }

  /// Turns each region of ``current`` so that it continues ``written``, and keeps the result there.
  private func turnRegions() {
    let (powers, binCount) = (powers.pointer, current.binCount)
    for bin in 0..<binCount { powers[bin] = 0 }
    for channel in 0..<channelCount {
      let parts = current[channel]
      for bin in 0..<binCount {
        powers[bin] += parts.real[bin] * parts.real[bin] + parts.imaginary[bin] * parts.imaginary[bin]
      }
    }
    var start = 0
    while start < binCount {
      // Up to the next peak and down again.
      var end = start + 1
      while end < binCount, powers[end] >= powers[end - 1] { end += 1 }
      while end < binCount, powers[end] < powers[end - 1] { end += 1 }
      turn(start..<end)
      start = end
    }
  }

  private func turn(_ region: Range<Int>) {
    let (cosine, sine) = rotation(of: region)
    for channel in 0..<channelCount {
      let (from, into) = (current[channel], written[channel])
      for bin in region {
        let (real, imaginary) = (from.real[bin], from.imaginary[bin])
        into.real[bin] = real * cosine - imaginary * sine
        into.imaginary[bin] = real * sine + imaginary * cosine
      }
    }
  }

  /// The rotation that fits ``earlier`` best to ``written``: that of the sum of their products.
  private func rotation(of region: Range<Int>) -> (cosine: Float, sine: Float) {
    var (real, imaginary, power, powerBefore) = (Float(0), Float(0), Float(0), Float(0))
    for channel in 0..<channelCount {
      let (before, last) = (earlier[channel], written[channel])
      for bin in region {
        let (er, ei) = (before.real[bin], before.imaginary[bin])
        let (wr, wi) = (last.real[bin], last.imaginary[bin])
        real += wr * er + wi * ei
        imaginary += wi * er - wr * ei
        powerBefore += er * er + ei * ei
      }
    }
    for bin in region { power += powers.pointer[bin] }
    let length = (real * real + imaginary * imaginary).squareRoot()
    guard length > 1e-20, power < Self.attackRatio * powerBefore else { return (1, 0) }
    return (real / length, imaginary / length)
  }

  /// Adds ``written`` to the sums, two channels at a time.
  private func synthesize() {
    let (real, imaginary, window, sums) = (points.pointer, points.pointer + size, window.pointer, sums.pointer)
    // The squares of the windows that overlap add up to 3/8 of their number.
    let scale = 8 / Float(3 * Self.overlap * size)
    for channel in stride(from: 0, to: channelCount, by: 2) {
      let isPair = channel + 1 < channelCount
      let first = written[channel]
      let second = isPair ? written[channel + 1] : nil
      for bin in 0..<written.binCount {
        let mirror = (size - bin) & (size - 1)
        let (ar, ai) = (first.real[bin], first.imaginary[bin])
        let (br, bi) = (second?.real[bin] ?? 0, second?.imaginary[bin] ?? 0)
        (real[mirror], imaginary[mirror]) = (ar + bi, br - ai)
        (real[bin], imaginary[bin]) = (ar - bi, ai + br)
      }
      // Both ends of the spectrum of real samples are real.
      for bin in stride(from: 0, through: size / 2, by: size / 2) {
        (real[bin], imaginary[bin]) = (first.real[bin], second?.real[bin] ?? 0)
      }
      let (left, right) = transform.invert(real: real, imaginary: imaginary)
      for index in 0..<size {
        let place = index * channelCount + channel
        sums[place] += left[index] * window[index] * scale
        if isPair { sums[place + 1] += right[index] * window[index] * scale }
      }
    }
  }
}

/// A spectrum for each channel, one after the other.
private struct Spectra: ~Copyable {
  let binCount: Int
  private let memory: SampleBuffer

  init(binCount: Int, channelCount: Int) {
    self.binCount = binCount
    memory = SampleBuffer(count: 2 * binCount * channelCount)
  }

  @inline(__always)
  subscript(channel: Int) -> (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
    let real = memory.pointer + 2 * binCount * channel
    return (real, real + binCount)
  }

  func clear() { memory.clear() }
}
