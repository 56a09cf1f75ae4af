import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

/// Keys of made-up chords, from samples to the product.
struct ChromaAnalyzerTests {
  private func summary(_ samples: [Float], rate: Int = 44_100) throws -> ChromaSummary {
    try ChromaSummary(blob: analyze(samples, sampleRateInHz: rate, kinds: [.chroma]).bytes(.chroma))
  }

  /// Chords, each of notes in semitones above C4, with three harmonics, a second each.
  private func chords(_ chords: [[Int]], cents: Double = 0, rate: Int = 44_100) -> [Float] {
    chords.flatMap { notes in
      var sum = [Float](repeating: 0, count: rate)
      for note in notes {
        let hz = 261.6256 * pow(2, (Double(note) + cents / 100) / 12)
        for harmonic in 1...3 {
          let tone = Signal.sine(
            hz: hz * Double(harmonic), sampleRateInHz: rate, frameCount: rate, amplitude: 0.1 / Double(harmonic))
          for index in sum.indices { sum[index] += tone[index] }
        }
      }
      return sum
    }
  }

  /// I, IV, V, I with the root an octave lower.
  private static let major = [[-12, 0, 4, 7], [-7, 5, 9, 12], [-5, 7, 11, 14], [-12, 0, 4, 7]]
  /// i, iv, V, i.
  private static let minor = [[-12, 0, 3, 7], [-7, 5, 8, 12], [-5, 7, 11, 14], [-12, 0, 3, 7]]

  @Test(arguments: [220.0, 440, 880, 1_760])
  func `A sounds in every octave as A`(hz: Double) throws {
    let summary = try summary(Signal.sine(hz: hz, sampleRateInHz: 44_100, frameCount: 88_200, amplitude: 0.3))
    let classes = summary.pitchClasses()
    #expect(classes[9] == 1 && classes.filter { $0 > 0.05 }.count == 1)
    #expect(abs(summary.tuningInCents) < 3)
  }

  @Test(arguments: [0, 3, 8, 11], [44_100, 48_000, 22_050])
  func `a cadence is heard in its key, transposed and at any rate`(semitones: Int, rate: Int) throws {
    let moved = { (chords: [[Int]]) in chords.map { $0.map { $0 + semitones } } }
    let major = try #require(try summary(chords(moved(Self.major), rate: rate), rate: rate).key)
    #expect(major.key == MusicalKey(tonic: semitones, mode: .major))
    let minor = try #require(try summary(chords(moved(Self.minor), rate: rate), rate: rate).key)
    #expect(minor.key == MusicalKey(tonic: semitones, mode: .minor))
  }

  @Test(arguments: [-35.0, 20])
  func `a recording out of tune keeps its key`(cents: Double) throws {
    let summary = try summary(chords(Self.major, cents: cents))
    #expect(abs(summary.tuningInCents - cents) < 5)
    #expect(summary.key?.key.name == "C")
  }

  @Test func `the gain does not matter`() throws {
    let samples = chords(Self.minor)
    let (loud, soft) = (try summary(samples).shares.joined(), try summary(samples.map { $0 / 16 }).shares.joined())
    // A frequency may be rounded to the step beside it.
    let moved = zip(loud, soft).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(moved < 65_535 / 100)
  }

  @Test func `silence has no key`() throws {
    let summary = try summary([Float](repeating: 0, count: 44_100))
    #expect(summary.columnCount == 0 && summary.key == nil)
  }
}
