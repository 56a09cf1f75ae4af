internal import AudioAnalysis
internal import MediaModel

/// Something small whose instructions are counted: a kernel of the analysis, or a product of some seconds of noise.
struct BenchKernel {
  let name: String
  /// Samples that one run works on.
  let sampleCount: Int
  private let make: () -> () -> Void

  /// Prepares everything; each call of the result does the work once.
  func prepared() -> () -> Void { make() }

  static var all: [BenchKernel] {
    AnalysisKernel.all.map { kernel in
      BenchKernel(name: kernel.name, sampleCount: kernel.sampleCount, make: kernel.prepared)
    }
      + ProductKind.allCases.map { product("product \($0.rawValue)", [$0]) }
      + [product("all products", Set(ProductKind.allCases))]
  }

  static func named(_ name: String) -> BenchKernel? { all.first { $0.name == name } }

  /// Five seconds of stereo; the analyzers' tables count, too.
  private static func product(_ name: String, _ kinds: Set<ProductKind>) -> BenchKernel {
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)
    let frameCount = 5 * format.sampleRateInHz
    return BenchKernel(name: name, sampleCount: 2 * frameCount) {
      let samples = AnalysisKernel.noise(2 * frameCount)
      return {
        var analyzer = TrackAnalyzer(format: format, kinds: kinds, expectedFrameCount: Int64(frameCount))
        analyzer.consume(samples.span)
        _ = analyzer.finish()
      }
    }
  }
}

/// Times work that is far shorter than a tick of the clock.
enum KernelTimer {
  private static let secondsPerRound = 0.05
  private static let roundCount = 5

  /// The least of several rounds: any disturbance makes a round longer.
  static func secondsPerRun(_ kernel: BenchKernel) -> Double {
    let work = kernel.prepared()
    var runCount = 1
    while true {
      let seconds = round(work, runCount)
      if seconds >= secondsPerRound { break }
      runCount *= seconds < secondsPerRound / 8 ? 8 : 2
    }
    return Samples((0..<roundCount).map { _ in round(work, runCount) }).least.map { $0 / Double(runCount) } ?? 0
  }

  private static func round(_ work: () -> Void, _ runCount: Int) -> Double {
    BenchClock.processor.measure { for _ in 0..<runCount { work() } }
  }
}
