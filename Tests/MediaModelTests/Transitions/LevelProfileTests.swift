import Glibc
import MediaModel
import Testing

/// Where sound begins, ends and fades, for signals whose answers follow from arithmetic.
struct LevelProfileTests {
  private static let rate = 44_100
  private static let framesPerPoint = 1024

  /// The profile of a level in dBFS over time.
  private func profile(_ seconds: Double, _ level: (Double) -> Double) -> LevelProfile? {
    let pointInSeconds = Double(Self.framesPerPoint) / Double(Self.rate)
    let count = Int((seconds / pointInSeconds).rounded(.up))
    let points = (0..<count).map { index in
      let step = DecibelStep.encode(Float(level((Double(index) + 0.5) * pointInSeconds)))
      return WaveformEnergy.Point(rms: step, low: step, mid: 0, high: 0)
    }
    let energy = WaveformEnergy(sampleRateInHz: Self.rate, framesPerPoint: Self.framesPerPoint, points: points)
    return LevelProfile(energy, frames: 0..<Int(seconds * Double(Self.rate)))
  }

  private func linearFade(_ start: Double, _ end: Double) -> (Double) -> Double {
    { time in time < start ? 0 : time >= end ? -120 : 20 * log10(max(1e-6, 1 - (time - start) / (end - start))) }
  }

  @Test func `a linear fade of twenty seconds is found where it is twelve decibels below the mean`() throws {
    // 40 s at full scale, then 20 s that fall to 0: the mean is 10 log(46.67 / 60) = -1.09 dB; 12 dB less is 22.2 % of
    // full scale, at 55.57 s.
    let found = try #require(profile(60, linearFade(40, 60)))
    #expect(abs(found.meanInDB + 1.09) < 0.1)
    #expect(abs(try #require(found.fadeStart) - 55.57) < 0.1)
    #expect(found.audibleStart == 0 && abs(found.audibleEnd - 59.8) < 0.1)
    #expect(found.intro == 0 && found.outro > 6)
  }

  @Test(arguments: [-120.0, -60]) func `silence and hiss after a cold end are not part of the sound`(floor: Double)
    throws
  {
    let found = try #require(profile(43) { $0 < 1.5 || $0 >= 40 ? floor : -10 })
    let point = Double(Self.framesPerPoint) / Double(Self.rate)
    #expect(abs(found.audibleStart - 1.5) <= point && abs(found.audibleEnd - 40) <= point)
    #expect(found.fadeStart == nil)
    #expect(found.intro < 0.2 && found.outro < 0.2)
  }

  @Test func `a quiet beginning and a quiet ending have their lengths`() throws {
    let found = try #require(profile(100) { $0 < 8 || $0 >= 85 ? -30 : -10 })
    #expect(abs(found.intro - 8) < 1 && abs(found.outro - 15) < 1)
    // It falls once, and does not fade.
    #expect(found.fadeStart == nil)
  }

  @Test func `what is too quiet to be heard has no profile`() {
    #expect(profile(30) { _ in -70 } == nil)
    #expect(LevelProfile(WaveformEnergy(sampleRateInHz: 8000, framesPerPoint: 100, points: []), frames: 0..<0) == nil)
  }

  @Test func `a part has its own places`() throws {
    let pointInSeconds = Double(Self.framesPerPoint) / Double(Self.rate)
    let points = (0..<4000).map { index in
      let isLoud = (20.0..<60).contains(Double(index) * pointInSeconds)
      return WaveformEnergy.Point(rms: isLoud ? 220 : 0, low: 0, mid: 0, high: 0)
    }
    let energy = WaveformEnergy(sampleRateInHz: Self.rate, framesPerPoint: Self.framesPerPoint, points: points)
    let found = try #require(LevelProfile(energy, frames: 10 * Self.rate..<70 * Self.rate))
    #expect(abs(found.audibleStart - 10) <= 2 * pointInSeconds && abs(found.audibleEnd - 50) <= 2 * pointInSeconds)
  }
}
