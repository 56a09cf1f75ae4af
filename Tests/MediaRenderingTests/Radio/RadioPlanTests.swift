import Glibc
import MediaModel
import MediaRendering
import Testing

struct RadioPlanTests {
  private let rate = 1000

  private func plan(_ slots: [RadioPlan.Slot], crossfade: Double = 0) -> RadioPlan {
    RadioPlan(slots, sampleRateInHz: rate, crossfadeInSeconds: crossfade)
  }

  private func slot(_ count: Int64, voice: Int64 = 0, intro: Int64 = 0, joins: Bool = false) -> RadioPlan.Slot {
    RadioPlan.Slot(frameCount: count, voiceFrameCount: voice, introFrameCount: intro, joinsPrevious: joins)
  }

  @Test func `tracks without announcements and fades touch`() {
    let plan = plan([slot(5000), slot(7000), slot(3000)])
    #expect(plan.entries.map(\.frames) == [0..<5000, 5000..<12_000, 12_000..<15_000])
    #expect(plan.frameCount == 15_000)
    #expect(plan.entries.allSatisfy { entry in entry.frames.allSatisfy { entry.gain(at: $0) == 1 } })
  }

  @Test func `an announcement stands alone between tracks`() {
    let plan = plan([slot(5000, voice: 1000), slot(7000, voice: 2000)], crossfade: 2)
    #expect(plan.entries.map(\.voice) == [0..<1000, 6600..<8600])
    #expect(plan.entries.map(\.frames) == [1300..<6300, 8900..<15_900])
    #expect(plan.entries.allSatisfy { entry in entry.frames.allSatisfy { entry.gain(at: $0) == 1 } })
  }

  @Test func `tracks that fade share their ends and keep their power`() {
    let plan = plan([slot(20_000), slot(20_000)], crossfade: 4)
    #expect(plan.entries.map(\.frames) == [0..<20_000, 16_000..<36_000])
    let powers = (16_000..<20_000).map { frame in
      plan.entries.reduce(0) { $0 + pow($1.gain(at: Int64(frame)), 2) }
    }
    #expect(powers.allSatisfy { abs($0 - 1) < 1e-12 })
    #expect(plan.entries[0].gain(at: 15_999) == 1 && plan.entries[1].gain(at: 20_000) == 1)
    #expect(plan.entries[0].gain(at: 19_999) < 0.001 && plan.entries[1].gain(at: 16_000) < 0.001)
  }

  @Test func `no fade is longer than half of a track`() {
    let plan = plan([slot(20_000), slot(2000), slot(20_000)], crossfade: 4)
    #expect(plan.entries[1].fadeInFrameCount == 1000 && plan.entries[1].fadeOutFrameCount == 1000)
    #expect(plan.frameCount == 40_000)
  }

  @Test func `albums go on without a fade or a word`() {
    let plan = plan([slot(5000), slot(7000, voice: 2000, intro: 7000, joins: true), slot(3000)], crossfade: 1)
    #expect(plan.entries[1].frames == 5000..<12_000 && plan.entries[1].voice == nil)
    #expect(plan.entries[0].fadeOutFrameCount == 0 && plan.entries[1].fadeInFrameCount == 0)
    #expect(plan.entries[2].frames == 11_000..<14_000)
  }

  @Test func `a long quiet beginning is ducked by 12 dB under the announcement, with ramps of 300 ms`() throws {
    let entry = try #require(plan([slot(60_000, voice: 3000, intro: 12_000)]).entries.first)
    #expect(entry.frames == 0..<60_000 && entry.voice == 500..<3500)
    func level(_ frame: Int64) -> Double { 20 * log10(entry.gain(at: frame)) }
    #expect((0..<200).allSatisfy { entry.gain(at: $0) == 1 } && (3800..<60_000).allSatisfy { entry.gain(at: $0) == 1 })
    #expect((500..<3500).allSatisfy { abs(level($0) + 12) < 1e-9 })
    #expect(abs(level(350) + 6) < 0.05 && abs(level(3650) + 6) < 0.05)
    #expect((200..<500).allSatisfy { level($0) > level($0 + 1) })
    #expect((3499..<3799).allSatisfy { level($0) < level($0 + 1) })
  }

  @Test(arguments: [9000, 12_000] as [Int64])
  func `a beginning that is too short for the announcement is left alone`(intro: Int64) {
    let entry = plan([slot(60_000, voice: 11_500, intro: intro)]).entries[0]
    #expect(entry.voice == 0..<11_500 && entry.frames.lowerBound == 11_800)
  }

  @Test func `an album is followed by its next track, and by its next disc`() {
    func place(_ edition: String, _ disc: Int, _ track: Int) -> RadioTrack.AlbumPlace {
      RadioTrack.AlbumPlace(edition: edition, disc: disc, track: track)
    }
    #expect(place("a", 1, 3).isFollowed(by: place("a", 1, 4)))
    #expect(place("a", 1, 9).isFollowed(by: place("a", 2, 1)))
    for other in [place("a", 1, 5), place("a", 1, 3), place("b", 1, 4), place("a", 2, 4), place("a", 3, 1)] {
      #expect(!place("a", 1, 3).isFollowed(by: other))
    }
  }

  @Test func `a beginning is quiet until a second is nearly as loud as the mean`() {
    func energy(_ levels: [UInt8]) -> WaveformEnergy {
      WaveformEnergy(
        sampleRateInHz: 1000, framesPerPoint: 100,
        points: levels.map { WaveformEnergy.Point(rms: $0, low: $0, mid: $0, high: $0) })
    }
    let loud = [UInt8](repeating: 200, count: 400)
    let seconds = RadioTrack.introInSeconds(energy([UInt8](repeating: 140, count: 150) + loud))
    #expect((14...15).contains(seconds))
    #expect(RadioTrack.introInSeconds(energy(loud)) == 0)
    #expect(RadioTrack.introInSeconds(energy([UInt8](repeating: 0, count: 100))) == 0)
  }
}
