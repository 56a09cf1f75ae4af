import MediaModel
import Testing

struct KeyDecisionTests {
  /// A summary in which notes sound as long as given, `cents` sharp, from C on.
  private func chroma(_ notes: [Double], cents: Double = 0) -> ChromaSummary {
    var band = [UInt16](repeating: 0, count: ChromaSummary.stepCount)
    let total = notes.reduce(0, +)
    for (note, amount) in notes.enumerated() {
      // Step 0 is A, nine semitones above C.
      let step = (Double(note - 9) + cents / 100) * 10
      band[(Int(step.rounded()) + 120) % 120] += UInt16(amount / total * 65_000)
    }
    return ChromaSummary(shares: [band, band, band], columnCount: 100, flux: 0)
  }

  /// The notes of the scale, those of its first and fifth degree's chords twice.
  private static let major: [Double] = [4, 0, 2, 0, 3, 1, 0, 3, 0, 1, 0, 2]
  /// Natural minor, likewise.
  private static let minor: [Double] = [4, 0, 1, 3, 0, 1, 0, 3, 1, 0, 2, 0]

  @Test(arguments: 0..<12)
  func `scales are heard in every key`(tonic: Int) throws {
    func shifted(_ notes: [Double]) -> [Double] { (0..<12).map { notes[($0 - tonic + 12) % 12] } }
    let major = try #require(chroma(shifted(Self.major)).key)
    #expect(major.key == MusicalKey(tonic: tonic, mode: .major) && major.confidence > 0)
    let minor = try #require(chroma(shifted(Self.minor)).key)
    #expect(minor.key == MusicalKey(tonic: tonic, mode: .minor) && minor.confidence > 0)
  }

  @Test(arguments: [-40.0, -20, 0, 10, 30])
  func `the tuning is found and taken out`(cents: Double) throws {
    let summary = chroma(Self.major, cents: cents)
    #expect(abs(summary.tuningInCents - cents) < 1)
    #expect(try #require(summary.key).key.name == "C")
    let classes = summary.pitchClasses()
    #expect(classes[0] == 1 && classes[1] < 0.01)
  }

  @Test func `silence has no key`() {
    let silence = ChromaSummary(
      shares: .init(repeating: .init(repeating: 0, count: 120), count: 3), columnCount: 0, flux: 0)
    #expect(silence.key == nil && silence.tuningInCents == 0)
  }
}
