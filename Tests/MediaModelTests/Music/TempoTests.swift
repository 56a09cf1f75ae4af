import MediaModel
import Testing

struct TempoTests {
  private func summary(_ candidates: [(Float, Float)]) -> RhythmSummary {
    RhythmSummary(
      columnsPerSecond: 43, candidates: candidates.map { .init(beatsPerMinute: $0, strength: $1, offbeatStrength: 0) },
      stability: 0.75, onsets: [], lowOnsets: [])
  }

  @Test func `of equally strong tempi the one that people tap is taken`() throws {
    let tempo = try #require(summary([(60, 0.5), (120, 0.5), (240, 0.5)]).tempo())
    #expect(tempo.beatsPerMinute == 120 && tempo.stability == 0.75)
    #expect(tempo.confidence > 0 && tempo.confidence < 1)
  }

  @Test func `a tempo without rivals is certain, and none is none`() {
    #expect(summary([(97, 0.2)]).tempo()?.confidence == 1)
    #expect(summary([]).tempo() == nil)
    #expect(summary([(97, 0)]).tempo() == nil)
  }

  @Test(arguments: [("70-139", 70.0), ("88-175", 140), ("140-280", 140), ("35-70", 70)])
  func `a range decides the octave without the sound`(text: String, bpm: Double) throws {
    let range = try #require(TempoRange(text))
    #expect(try #require(summary([(140, 0.6), (70, 0.5)]).tempo(in: range)).beatsPerMinute == bpm)
  }

  @Test func `every tempo has a multiple in a range`() throws {
    let range = try #require(TempoRange("88-175"))
    for bpm in stride(from: 20.0, through: 400, by: 0.5) {
      let moved = range.moved(bpm)
      #expect(moved >= 88 && moved <= 176)
      // A power of two away.
      var ratio = moved / bpm
      while ratio < 1 { ratio *= 2 }
      while ratio > 1 { ratio /= 2 }
      #expect(ratio == 1)
    }
  }

  @Test(arguments: ["", "88", "88-", "-175", "175-88", "88-120", "0-100", "a-b", "88-175-200", "nan-inf", "200-500"])
  func `a range needs two tempi an octave apart`(text: String) {
    #expect(TempoRange(text) == nil)
  }

  @Test(arguments: [("128", 128.0), ("127.98", 127.98), (" 93,5 ", 93.5), ("20", 20), ("400", 400)])
  func `a tag gives a tempo`(text: String, bpm: Double) {
    #expect(Tempo.inTag(text) == bpm)
  }

  @Test(arguments: ["0", "", "fast", "12800", "-120", "nan", "19", "401", "1e9"])
  func `a tag with another number gives none`(text: String) {
    #expect(Tempo.inTag(text) == nil)
  }
}
