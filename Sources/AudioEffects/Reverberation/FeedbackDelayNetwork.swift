internal import Glibc

/// Sixteen delays of different length whose outputs are mixed into their inputs (Jot and Chaigne 1991): echoes grow ever
/// denser and die away at a rate that is stated.
///
/// Each delay loses as much as sound does in its time; a filter of first order behind it makes that more for high
/// frequencies. The mixing matrix, Hadamard's, loses nothing.
struct FeedbackDelayNetwork {
  typealias Lines = SIMD16<Float>

  static let lineCount = 16
  /// Below it nothing is heard, and subnormal numbers are far.
  private static let threshold: Float = 1e-20

  /// The last inputs of all lines, as a ring of a power of two.
  private var ring: [Lines]
  private var position = 0
  private let lengths: [Int]
  /// Of the filters: gain × (1 − pole), and pole.
  private let gains: Lines
  private let poles: Lines
  private var filtered = Lines.zero
  /// What brings noise that goes in out again as loud.
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
      let gain = pow(10, decibels / 20)
      let pole = Self.pole(
        decibels: decibels * (1 / room.trebleRatio - 1), at: min(2 * .pi * 5000 / sampleRate, 0.9 * .pi))
      gains[line] = Float(gain * (1 - pole))
      poles[line] = Float(pole)
      powers += gain * gain / Double(Self.lineCount)
    }
    (self.gains, self.poles) = (gains, poles)
    // In balance the lines hold what goes in and what comes back.
    outputScale = Float(((1 - powers) / (powers * Double(Self.lineCount))).squareRoot())
  }

  /// One frame: what the lines give now, after what comes in was taken.
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

  /// Times Hadamard's matrix, divided by four: as long as before.
  @inline(__always) private static func mixed(_ v: Lines) -> Lines {
    func butterfly(_ v: Lines) -> Lines {
      let (even, odd) = (v.evenHalf, v.oddHalf)
      return Lines(lowHalf: even + odd, highHalf: even - odd)
    }
    return butterfly(butterfly(butterfly(butterfly(v)))) * 0.25
  }

  /// A sign for each line, other for each channel and at right angles to those of other channels.
  static func signs(channel: Int) -> Lines {
    var signs = Lines(repeating: 1)
    let row = (channel + 1) & (lineCount - 1)
    for line in 0..<lineCount where (line & row).nonzeroBitCount % 2 == 1 { signs[line] = -1 }
    return signs
  }

  /// Prime numbers of frames, spread evenly on a logarithmic scale.
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

  /// The pole p of (1 − p)/(1 − p/z) that has so many decibels (below 0) at the angle ω.
  private static func pole(decibels: Double, at omega: Double) -> Double {
    let power = pow(10, decibels / 10)
    guard power < 1 else { return 0 }
    let half = (1 - power * cos(omega)) / (1 - power)
    return half - (half * half - 1).squareRoot()
  }
}
