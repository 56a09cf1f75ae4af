import MediaDrawing
import Testing

struct EngravedLevelsTests {
  @Test func `the loudest two percent and the quietest eight are the ends`() {
    // 100 columns from -60 to -10.5 dB: those at 98 and 8 from below.
    let levels = EngravedLevels((120...219).map { UInt8($0) }.shuffled())
    #expect(levels.highInDB == -11 && levels.lowInDB == -56)
    #expect(levels.share(ofLevel: -11) == 1 && levels.share(ofLevel: 3) == 1)
    #expect(levels.share(ofLevel: -56) == 0 && levels.share(ofLevel: -.infinity) == 0)
    // 0.5 to the power of 1.25
    #expect(abs(levels.share(ofLevel: -33.5) - 0.42045) < 1e-5)
  }

  @Test func `music of one level is drawn wide, with twelve decibels below it`() {
    let levels = EngravedLevels([200, 200, 200])
    #expect(levels.highInDB == -20 && levels.lowInDB == -32 && levels.share(ofLevel: -20) == 1)
  }

  @Test func `silence does not count`() {
    // Steps up to 100 are -70 dB and less.
    #expect(EngravedLevels([0, 0, 0, 100, 180, 200]) == EngravedLevels([180, 200]))
  }

  @Test(arguments: [[], [0], [100], [255]] as [[UInt8]])
  func `few columns give finite numbers`(steps: [UInt8]) {
    let levels = EngravedLevels(steps)
    #expect(levels.highInDB.isFinite && levels.highInDB - levels.lowInDB >= 12)
  }
}
