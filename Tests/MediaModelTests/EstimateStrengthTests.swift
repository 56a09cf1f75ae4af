import MediaModel
import Testing

struct EstimateStrengthTests {
  @Test(arguments: [
    (0.0, EstimateStrength.weak), (0.199, .weak), (0.2, .fair), (0.449, .fair), (0.45, .strong), (1, .strong),
    (.nan, .weak),
  ])
  func `a tempo is called by how far it is ahead`(confidence: Double, strength: EstimateStrength) {
    #expect(Tempo(beatsPerMinute: 120, confidence: confidence, stability: 1).strength == strength)
  }

  @Test(arguments: [(0.0, EstimateStrength.weak), (0.069, .weak), (0.07, .fair), (0.149, .fair), (0.15, .strong)])
  func `a key is called by how far it is ahead`(confidence: Double, strength: EstimateStrength) throws {
    let key = try #require(MusicalKey("Am"))
    #expect(KeyEstimate(key: key, confidence: confidence).strength == strength)
  }
}
