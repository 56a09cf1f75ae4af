internal import Base
internal import Glibc

/// Sixteen delays of different lengths whose outputs are mixed into their inputs (Jot and Chaigne 1991): the echoes
/// become ever denser and decay at a given rate.
///
/// The gain of each delay follows from its length and the reverberation time; a first-order filter after it makes high
/// frequencies decay faster. The mixing matrix is a Hadamard matrix, which preserves energy.
struct FeedbackDelayNetwork {
  typealias Lines = SIMD16<Float>

  static let lineCount = 16
  /// Smaller values are inaudible and set to zero, long before they become subnormal.
  private static let threshold: Float = 1e-20

  /// The last inputs of all lines, as a ring whose size is a power of two.
  private var ring: [Lines]
  private var position = 0
  private let lengths: [Int]
  /// The coefficients of the filters: gain × (1 − pole), and pole.
  private let gains: Lines
  private let poles: Lines
  private var filtered = Lines.zero
  /// The factor that makes noise as loud at the output as at the input.
  let outputScale: Float

  init(_ room: RoomAcoustics, sampleRate: Double) {
    lengths = Self.lengths(room.pathsInSeconds, sampleRate: sampleRate)
    var capacity = 1
    while capacity <= (lengths.max() ?? 1) { capacity *= 2 }
    ring = [Lines](repeating: .zero, count: capacity)
    var gains = Lines.zero
    var poles = Lines.zero
    var powers = 0.0
    for (line, length) in lengths.enumerated() {
      let decibels = -60 * Double(length) / (room.reverberationTimeInSeconds * sampleRate)
      let gain = Decibels.amplitude(decibels)
      let pole = Self.pole(
        decibels: decibels * (1 / room.trebleRatio - 1), at: min(2 * .pi * 5000 / sampleRate, 0.9 * .pi))
      gains[line] = Float(gain * (1 - pole))
      poles[line] = Float(pole)
      powers += gain * gain / Double(Self.lineCount)
    }
    (self.gains, self.poles) = (gains, poles)
    // In equilibrium the power in the lines is that of the input plus that of the feedback.
    outputScale = Float(((1 - powers) / (powers * Double(Self.lineCount))).squareRoot())
  }

  /// Processes one frame: takes the input of each line and gives its output.
  @inline(__always) mutating func step(_ input: Lines) -> Lines {
    let mask = ring.count - 1
    var delayed = Lines.zero
    for line in 0..<Self.lineCount { delayed[line] = ring[(position &- lengths[line]) & mask][line] }
    filtered = delayed * gains + filtered * poles
    filtered.replace(with: 0, where: filtered .< Self.threshold .& filtered .> -Self.threshold)
    ring[position & mask] = Self.mixed(filtered) + input
    position &+= 1
    return filtered
  }

  /// The product with the Hadamard matrix divided by four, which preserves the length of the vector.
  @inline(__always) private static func mixed(_ v: Lines) -> Lines {
    func butterfly(_ v: Lines) -> Lines {
      let (even, odd) = (v.evenHalf, v.oddHalf)
      return Lines(lowHalf: even + odd, highHalf: even - odd)
    }
    return butterfly(butterfly(butterfly(butterfly(v)))) * 0.25
  }

  /// A sign for each line; the signs of different channels are orthogonal.
  static func signs(channel: Int) -> Lines {
    var signs = Lines(repeating: 1)
    let row = (channel + 1) & (lineCount - 1)
    for line in 0..<lineCount where (line & row).nonzeroBitCount % 2 == 1 { signs[line] = -1 }
    return signs
  }

  /// The lengths of the delays in frames: prime numbers, evenly spaced on a logarithmic scale.
  private static func lengths(_ paths: ClosedRange<Double>, sampleRate: Double) -> [Int] {
    var lengths: [Int] = []
    for line in 0..<lineCount {
      let part = Double(line) / Double(lineCount - 1)
      let seconds = paths.lowerBound * pow(paths.upperBound / paths.lowerBound, part)
      var length = max(2, Int(seconds * sampleRate))
      while !isPrime(length) || lengths.contains(length) { length += 1 }
      lengths.append(length)
    }
    return lengths
  }

  private static func isPrime(_ number: Int) -> Bool {
    var factor = 2
    while factor * factor <= number {
      if number % factor == 0 { return false }
      factor += 1
    }
    return number > 1
  }

  /// The pole p of (1 − p)/(1 − p/z) for a gain in decibels (below 0) at the angle ω.
  private static func pole(decibels: Double, at omega: Double) -> Double {
    let power = Decibels.power(decibels)
    guard power < 1 else { return 0 }
    let half = (1 - power * cos(omega)) / (1 - power)
    return half - (half * half - 1).squareRoot()
  }
}
