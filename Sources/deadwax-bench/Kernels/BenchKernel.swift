internal import AudioAnalysis
internal import MediaModel

/// Something small whose instructions are counted: a kernel of the analysis, or a whole product of some seconds of noise.
struct BenchKernel {
  let name: String
  /// Samples that one run works on.
  let sampleCount: Int
  private let make: () -> () -> Void

  /// Sets everything up; the result does the work once a call.
  func prepared() -> () -> Void { make() }

  static var all: [BenchKernel] {
    AnalysisKernel.all.map { kernel in
      BenchKernel(name: kernel.name, sampleCount: kernel.sampleCount, make: kernel.prepared)
    }
      + ProductKind.allCases.map { product("product \($0.rawValue)", [$0]) }
      + [product("all products", Set(ProductKind.allCases))]
  }

  static func named(_ name: String) -> BenchKernel? { all.first { $0.name == name } }

  /// Five seconds of stereo, tables included.
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
