import Glibc
import MediaModel
import Testing

/// Pairs of tracks of which there is one right transition.
struct TransitionPlannerTests {
  private let planner = TransitionPlanner(style: .smart)

  /// A track whose level in dBFS at each second is given.
  private func track(_ seconds: Double = 60, id: Int64 = 1, _ level: (Double) -> Double = { _ in -10 })
    -> TransitionPlanner.Track
  {
    var track = TransitionPlanner.Track(length: seconds, recordingID: id)
    let points = (0..<Int(seconds * 50)).map { index in
      WaveformEnergy.Point(rms: DecibelStep.encode(Float(level((Double(index) + 0.5) / 50))), low: 0, mid: 0, high: 0)
    }
    let energy = WaveformEnergy(sampleRateInHz: 48_000, framesPerPoint: 960, points: points)
    track.levels = LevelProfile(energy, frames: 0..<Int(seconds * 48_000))
    return track
  }

  private func beating(_ beatsPerMinute: Double, seconds: Double = 120, id: Int64 = 1) -> TransitionPlanner.Track {
    var track = track(seconds, id: id)
    let beats = Array(stride(from: 0.25, to: seconds - 0.1, by: 60 / beatsPerMinute))
    track.pulse = TransitionPlanner.Pulse(
      tempo: Tempo(beatsPerMinute: beatsPerMinute, confidence: 0.9, stability: 0.95), beats: beats,
      lowOnsets: beats.indices.map { $0 % 4 == 1 ? 200 : 50 })
    return track
  }

  private func plan(
    _ first: TransitionPlanner.Track, _ second: TransitionPlanner.Track,
    _ neighbours: TransitionPlanner.Neighbours = .strangers
  ) -> Transition {
    planner.plan(first, second, neighbours)
  }

  @Test func `albums, parts, repeats and short tracks are joined whole`() {
    let (long, other) = (track(), track(id: 2))
    for (found, reason) in [
      (plan(long, other, .album), Transition.Reason.albumContinues), (plan(long, other, .parts), .partsTouch),
      (plan(long, long), .sameRecording), (plan(long, track(10, id: 3)), .short),
      (plan(track(10, id: 3), long), .short),
    ] {
      #expect(found.kind == .join && found.reason == reason)
      #expect(found.start == 0 && found.overlap == 0 && !found.fadesOut && found.fadeIn == 0)
    }
    #expect(plan(track(10, id: 3), long).end == 10)
  }

  @Test(arguments: ["Classical", "Live; Rock", "DJ-Mix", "Audiobook"]) func `some genres are never faded`(genre: String)
  {
    var quiet = track { $0 > 50 ? -35 : -10 }
    quiet.genres = [genre]
    #expect(plan(quiet, track(id: 2)).kind == .join)
    #expect(plan(track(id: 2), quiet).reason == .genre)
    quiet.genres = ["Neoclassical"]
    #expect(plan(quiet, track(id: 2)).kind == .cross)
  }

  @Test func `a fade that is recorded is not faded again`() {
    let fading = track(60) { $0 < 40 ? 0 : 20 * log10(max(1e-6, 1 - ($0 - 40) / 20)) }
    let found = plan(fading, track(id: 2))
    #expect(found.kind == .tail && !found.fadesOut && found.fadeIn == 0.5)
    #expect(abs(found.end - found.overlap - 55.57) < 0.1)
    // A beginning that is quiet by itself needs no ramp.
    #expect(plan(fading, track(id: 2) { $0 < 6 ? -30 : -10 }).fadeIn == 0)
  }

  @Test func `two cold ends meet with half a second of silence at most`() {
    let found = plan(track { $0 < 57 ? -10 : -120 }, track(id: 2) { $0 < 2 ? -120 : -10 })
    #expect(found.kind == .butt && found.overlap == 0)
    let (silenceBefore, silenceAfter) = (found.end - 57, 2 - found.start)
    #expect(abs(silenceBefore + silenceAfter - 0.5) < 0.05 && silenceBefore >= 0 && silenceAfter >= -0.02)
    let dense = plan(track(), track(id: 2))
    #expect(dense.kind == .butt && dense.end == 60 && dense.start == 0)
  }

  @Test func `a quiet ending is crossed, no longer than it lasts`() {
    for (outro, intro, length) in [(6.0, 0.0, 4.0), (20, 0, 4), (20, 9, 9), (20, 30, 12), (5, 3, 4), (2, 0, 2)] {
      let found = plan(track(90) { $0 > 90 - outro ? -30 : -10 }, track(90, id: 2) { $0 < intro ? -30 : -10 })
      #expect(found.kind == .cross && found.fadesOut)
      // A second that is partly loud counts as loud.
      #expect(abs(found.overlap - length) < 1, "\(outro) and \(intro): \(found.overlap)")
      #expect(found.fadeIn == found.overlap)
    }
    // Never more than a quarter of a track.
    #expect(plan(track(90) { $0 > 70 ? -30 : -10 }, track(32, id: 2) { $0 < 12 ? -30 : -10 }).overlap <= 8)
  }

  @Test func `beats fall on beats`() {
    let (first, second) = (beating(120), beating(120, id: 2))
    let found = plan(first, second)
    #expect(found.kind == .beat && found.fadesOut)
    // The overlap begins on a beat of both with most low onsets, and lasts for sixteen.
    let start = found.end - found.overlap
    #expect(abs((start - 0.25) / 0.5 - ((start - 0.25) / 0.5).rounded()) < 1e-9)
    #expect(Int(((start - 0.25) / 0.5).rounded()) % 4 == 1)
    #expect(abs(found.start - 0.75) < 1e-9)
    #expect(abs(found.overlap - 8) <= 1)
  }

  @Test func `half and double tempo agree, others and other keys do not`() {
    #expect(plan(beating(60, seconds: 200), beating(120, id: 2)).kind == .beat)
    #expect(plan(beating(120), beating(60, seconds: 200, id: 2)).kind == .beat)
    #expect(plan(beating(120), beating(141, id: 2)).kind != .beat)
    var (one, other) = (beating(120), beating(120, id: 2))
    one.key = KeyEstimate(key: MusicalKey("8A")!, confidence: 0.8)
    other.key = KeyEstimate(key: MusicalKey("2A")!, confidence: 0.8)
    #expect(plan(one, other).kind != .beat)
    other.key = KeyEstimate(key: MusicalKey("9A")!, confidence: 0.8)
    #expect(plan(one, other).kind == .beat)
    other.key = KeyEstimate(key: MusicalKey("2A")!, confidence: 0.1)
    #expect(plan(one, other).kind == .beat)
    other.pulse?.tempo.confidence = 0.5
    #expect(plan(one, other).kind != .beat)
  }

  @Test func `what is not known is not guessed`() {
    let unknown = TransitionPlanner.Track(length: 60, recordingID: 9)
    #expect(plan(unknown, track()).kind == .cut && plan(track(), unknown).kind == .cut)
    #expect(plan(track(), track(id: 2) { _ in -120 }).kind == .cut)
  }

  @Test func `styles`() {
    let (first, second) = (track { $0 > 50 ? -120 : -10 }, track(id: 2))
    let gapless = TransitionPlanner(style: .gapless).plan(first, second, .strangers)
    #expect(gapless.kind == .join && gapless.end == 60 && gapless.start == 0)
    let silence = TransitionPlanner(style: .silence).plan(track { $0 > 54 ? -30 : -10 }, second, .strangers)
    #expect(silence.kind == .butt && silence.overlap == 0 && silence.end == 60)
    #expect(TransitionPlanner(style: .silence).plan(first, second, .album).kind == .join)
  }

  @Test func `no transition of random tracks loses sound or leaves a track`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      func random(id: Int64) -> TransitionPlanner.Track {
        let length = Double.random(in: 30...200, using: &generator)
        let (intro, outro) = (
          Double.random(in: 0...15, using: &generator), Double.random(in: 0...15, using: &generator)
        )
        let (before, after) = (Double.random(in: 0...4, using: &generator), Double.random(in: 0...4, using: &generator))
        return track(length, id: id) { time in
          if time < before || time > length - after { return -120 }
          return time < before + intro || time > length - after - outro ? -32 : -12
        }
      }
      let (first, second) = (random(id: 1), random(id: 2))
      let found = plan(first, second)
      guard let out = first.levels, let into = second.levels else { return }
      #expect(found.end <= first.length + 1e-9 && found.end >= out.audibleEnd - 1e-9)
      #expect(found.start >= 0 && found.start <= into.audibleStart + 1e-9)
      #expect(found.overlap >= 0 && found.overlap <= min(first.length, second.length) / 4 + 1e-9)
    }
  }
}

private func log10(_ value: Double) -> Double { Glibc.log10(value) }
