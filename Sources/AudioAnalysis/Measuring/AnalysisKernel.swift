/// One innermost loop of the analysis, on made-up samples, for counting its instructions and timing it.
///
/// The samples are the same in every run, because the work of some kernels depends on them.
package struct AnalysisKernel: Sendable {
  package let name: String
  /// Samples that one run works on.
  package let sampleCount: Int
  private let make: @Sendable () -> () -> Void

  /// - Parameter make: Makes tables and buffers, and gives what does one run.
  init(_ name: String, sampleCount: Int, make: @escaping @Sendable () -> () -> Void) {
    self.name = name
    self.sampleCount = sampleCount
    self.make = make
  }

  /// Sets everything up; the result does the work once a call.
  package func prepared() -> () -> Void { make() }

  /// White noise in `-0.5..<0.5`, the same for the same seed.
  package static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      // The generator of Numerical Recipes, 2nd edition, section 7.1; its upper bits are the good ones.
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24) - 0.5
    }
  }
}
