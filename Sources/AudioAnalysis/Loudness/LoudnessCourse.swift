package import MediaModel

/// The loudness of a recording over time: a value every 100 ms, of the 400 ms and the 3 s before it.
package struct LoudnessCourse: Hashable, Sendable {
  package static let stepInSeconds = 0.1

  /// What is not louder counts as silence: without a bound, the filters that decay in digital silence would go on for ever.
  package static let floorInLUFS = -120.0

  /// nil where it is silent, and at the start, before there are 400 ms.
  package private(set) var momentaryInLUFS: [Double?] = []
  /// nil where it is silent, and at the start, before there are 3 s.
  package private(set) var shortTermInLUFS: [Double?] = []
  package fileprivate(set) var integratedInLUFS: Double?
  package fileprivate(set) var rangeInLU: Double?

  /// - Parameters: mean energies, as ITU-R BS.1770-4 weights them.
  mutating func append(momentary: Double?, shortTerm: Double?) {
    momentaryInLUFS.append(momentary.flatMap(Self.loudness(ofEnergy:)))
    shortTermInLUFS.append(shortTerm.flatMap(Self.loudness(ofEnergy:)))
  }

  private static func loudness(ofEnergy energy: Double) -> Double? {
    LoudnessScale.loudness(ofEnergy: energy).flatMap { $0 > floorInLUFS ? $0 : nil }
  }
}

/// Measures a ``LoudnessCourse``; where blocks are cut makes no difference.
package struct LoudnessCourseAnalyzer: ~Copyable {
  private var assembler: ChunkAssembler
  private var loudness: LoudnessAnalyzer

  package init(format: AudioFormat) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    loudness = LoudnessAnalyzer(format: format)
    loudness.course = LoudnessCourse()
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) { assembler.append(samples) { loudness.consume($0) } }

  /// Ends the stream.
  package consuming func finish() -> LoudnessCourse {
    assembler.finish { loudness.consume($0) }
    var course = loudness.course ?? LoudnessCourse()
    let result = loudness.finish()
    course.integratedInLUFS = result.integratedInLUFS
    course.rangeInLU = result.rangeInLU
    return course
  }
}
