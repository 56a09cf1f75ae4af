import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct ReverberationTests {
  @Test(arguments: Reverberation.Room.allCases, [44_100, 96_000])
  func `a room decays in its stated time`(room: Reverberation.Room, rate: Int) throws {
    let stated = RoomAcoustics(room).reverberationTimeInSeconds
    var impulse = [Float](repeating: 0, count: rate / 10)
    impulse[0] = 1
    let answer = try wet(room, rate: rate, for: impulse)
    // The octave around 500 Hz, through a filter that is tested elsewhere.
    let octave = try Equalizer(bands: [
      EqualizerBand(.bandPass, frequency: 500, width: .octaves(1)),
      EqualizerBand(.bandPass, frequency: 500, width: .octaves(1)),
    ])
    let filtered = try output(of: EqualizerProcessor(octave, format: mono(rate)), for: answer)
    // Schroeder's backward integration; the slope from -5 dB to -35 dB (ISO 3382-1, T30).
    var energy = 0.0
    var decay = [Double](repeating: 0, count: filtered.count)
    for index in filtered.indices.reversed() {
      energy += Double(filtered[index]) * Double(filtered[index])
      decay[index] = energy
    }
    let levels = decay.map { 10 * log10(max($0, 1e-30) / energy) }
    let points = levels.indices.filter { levels[$0] < -5 && levels[$0] > -35 }
    let times = points.map { Double($0) / Double(rate) }
    let meanTime = times.reduce(0, +) / Double(times.count)
    let meanLevel = points.reduce(0) { $0 + levels[$1] } / Double(points.count)
    let slope =
      zip(points, times).reduce(0) { $0 + (levels[$1.0] - meanLevel) * ($1.1 - meanTime) }
      / times.reduce(0) { $0 + ($1 - meanTime) * ($1 - meanTime) }
    let found = -60 / slope
    #expect(abs(found / stated - 1) < 0.1, "\(room): \(found) s, stated \(stated) s")
  }

  @Test(arguments: Reverberation.Room.allCases)
  func `a room is about as loud as its input`(room: Reverberation.Room) throws {
    let noise = Signal.whiteNoise(frameCount: 2 * 44_100 * 12, rms: 0.1)
    let low = try Equalizer(bands: [EqualizerBand(.lowPass, frequency: 1000)])
    let fed = try output(of: EqualizerProcessor(low, format: stereo(44_100)), for: noise, channelCount: 2)
    let effect = try ReverberationProcessor(try Reverberation(room, mix: 100), format: stereo(44_100))
    let answer = try output(of: effect, for: fed, channelCount: 2)
    let middle = 2 * 44_100 * 7..<2 * 44_100 * 12
    #expect(abs(20 * log10(rms(answer[middle]) / rms(fed[middle]))) < 3)
  }

  @Test func `a dry mix is the input, and a mix of 50 % has half of it`() throws {
    let noise = Signal.whiteNoise(frameCount: 4000, rms: 0.1)
    let dry = try ReverberationProcessor(try Reverberation(.plate, mix: 0), format: mono(44_100))
    #expect(Array(try output(of: dry, for: noise).prefix(4000)) == noise)
    let half = try output(
      of: try ReverberationProcessor(try Reverberation(.cathedral, mix: 50), format: mono(44_100)), for: noise)
    // In a cathedral the first reflections come after more than 70 ms.
    for frame in 0..<3000 { #expect(half[frame] == noise[frame] / 2) }
  }

  // Faults: 140
  @Test func `it ends in silence after the announced time, without subnormal numbers`() throws {
    let noise = Signal.whiteNoise(frameCount: 44_100, rms: 0.3)
    let effect = try ReverberationProcessor(try Reverberation(.smallRoom, mix: 40), format: mono(44_100))
    let result = try output(of: effect, for: noise + [Float](repeating: 0, count: 20 * 44_100))
    #expect(Int64(result.count) == effect.outputFrameCount(for: Int64(21 * 44_100)))
    #expect(!result.contains { $0.isSubnormal })
    #expect(result.suffix(44_100).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 2, 3])
  func `cutting the stream into blocks changes no bit`(channelCount: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 6000 * channelCount, rms: 0.2)
    let format = AudioFormat(sampleRateInHz: 22_050, channelCount: channelCount)
    try expectSameWhereverCut(noise, channelCount: channelCount) {
      try ReverberationProcessor(try Reverberation(.mediumHall, mix: 30), format: format)
    }
  }

  @Test(arguments: [1, 40, 8000, 384_000])
  func `any sample rate works`(rate: Int) throws {
    let result = try wet(.cathedral, rate: rate, for: [1, 0, 0, 0, 0])
    #expect(result.allSatisfy { $0.isFinite && abs($0) <= 1 })
  }

  private func wet(_ room: Reverberation.Room, rate: Int, for samples: [Float]) throws -> [Float] {
    try output(of: try ReverberationProcessor(try Reverberation(room, mix: 100), format: mono(rate)), for: samples)
  }

  private func rms(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  @Test func `more channels than delays are refused`() throws {
    let format = AudioFormat(sampleRateInHz: 8000, channelCount: 17)
    let plate = try Reverberation(.plate, mix: 50)
    #expect(throws: EffectError.self) { try ReverberationProcessor(plate, format: format) }
  }
}
