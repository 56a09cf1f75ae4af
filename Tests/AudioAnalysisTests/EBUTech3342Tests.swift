import MediaModel
import Testing

/// The minimum requirements of EBU Tech 3342 that need no official recordings, by the numbers of its cases.
struct EBUTech3342Tests {
  @Test(
    arguments: [
      (1, [-20, -30], 10), (2, [-20, -15], 5), (3, [-40, -20], 20), (4, [-50, -35, -20, -35, -50], 15),
    ] as [(Int, [Double], Double)])
  func `case 1 to 4: the range of tones of 20 s`(number: Int, levels: [Double], range: Double) throws {
    let measures = SteppedTone.measure(levels.map { ($0, 20) })
    #expect(abs(try #require(measures.loudnessRangeInLU) - range) <= 1)
  }
}
