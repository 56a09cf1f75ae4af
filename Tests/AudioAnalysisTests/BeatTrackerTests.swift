import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

/// Beats of made-up rhythms, whose places are known.
struct BeatTrackerTests {
  private static let rate = 22_050

  /// Bursts of noise at moments in seconds, over a little noise.
  private func rhythm(at moments: [Double], seconds: Double, levels: [Float] = [0.5]) throws -> RhythmSummary {
    var samples = Signal.whiteNoise(frameCount: Int(seconds * Double(Self.rate)), rms: 1e-4)
    let burst = Signal.whiteNoise(frameCount: Self.rate / 20, rms: 0.3, seed: 9)
    for (number, moment) in moments.enumerated() {
      let start = Int((moment * Double(Self.rate)).rounded())
      for (index, value) in burst.enumerated() where start + index < samples.count {
        samples[start + index] += levels[number % levels.count] * value * exp(-Float(index) / 300)
      }
    }
    return try RhythmSummary(blob: analyze(samples, sampleRateInHz: Self.rate, kinds: [.rhythm]).bytes(.rhythm))
  }

  private func moments(bpm: Double, from start: Double = 0.3, to end: Double) -> [Double] {
    Array(stride(from: start, to: end, by: 60 / bpm))
  }

  /// How far each moment is from the nearest beat.
  private func distances(_ moments: [Double], to beats: [Double]) -> [Double] {
    moments.map { moment in beats.map { abs($0 - moment) }.min() ?? .infinity }
  }

  @Test(arguments: [72.0, 97.3, 120, 140.25, 174])
  func `beats of a steady rhythm are known to a few milliseconds`(bpm: Double) throws {
    let truth = moments(bpm: bpm, to: 59.9)
    let summary = try rhythm(at: truth, seconds: 60)
    let beats = BeatTracker(summary).beats(atBeatsPerMinute: bpm)
    #expect(abs(beats.count - truth.count) <= 1)
    #expect(
      distances(truth.dropLast(), to: beats).allSatisfy { $0 < 0.012 }, "\(distances(truth, to: beats).max() ?? 0)")
  }

  @Test func `beats follow a tempo that drifts`() throws {
    var truth = [0.5]
    while truth[truth.count - 1] < 79 { truth.append(truth[truth.count - 1] + 60 / (100 + truth[truth.count - 1] / 8)) }
    let beats = BeatTracker(try rhythm(at: truth, seconds: 80)).beats(atBeatsPerMinute: 105)
    #expect(abs(beats.count - truth.count) <= 1)
    #expect(distances(truth, to: beats).count { $0 < 0.03 } >= truth.count - 2)
  }

  @Test func `at half the tempo the louder half is chosen`() throws {
    let all = moments(bpm: 120, to: 60)
    let summary = try rhythm(at: all, seconds: 60, levels: [0.1, 0.6])
    let loud = all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let beats = BeatTracker(summary).beats(atBeatsPerMinute: 60)
    #expect(abs(beats.count - loud.count) <= 1 && distances(beats, to: loud).allSatisfy { $0 < 0.03 })
  }

  @Test func `there are no beats where nothing sounds`() throws {
    let truth = moments(bpm: 110, from: 10, to: 40)
    let beats = BeatTracker(try rhythm(at: truth, seconds: 60)).beats(atBeatsPerMinute: 110)
    let (first, last) = (try #require(beats.first), try #require(beats.last))
    #expect(abs(first - 10) < 0.03 && last < 40.1)
    #expect(beats.count >= truth.count - 1)
  }

  @Test func `beats ascend, about a beat apart`() throws {
    let beats = BeatTracker(try rhythm(at: moments(bpm: 128, to: 30), seconds: 30)).beats(atBeatsPerMinute: 128)
    #expect(beats.count > 55)
    #expect(zip(beats, beats.dropFirst()).allSatisfy { (0.8 * 60 / 128...1.2 * 60 / 128).contains($1 - $0) })
  }

  @Test func `silence, nothing and a tempo that does not fit have no beats`() throws {
    let silence = RhythmSummary(
      columnsPerSecond: 43, candidates: [], stability: 0, onsets: Array(repeating: 0, count: 1_000),
      lowOnsets: Array(repeating: 0, count: 1_000))
    #expect(BeatTracker(silence).beats(atBeatsPerMinute: 120).isEmpty)
    var other = silence
    (other.onsets, other.lowOnsets) = ([], [])
    #expect(BeatTracker(other).beats(atBeatsPerMinute: 120).isEmpty)
    let short = try rhythm(at: [0.5, 1], seconds: 2)
    for tempo in [0, -1, 5, 1e9, Double.nan, .infinity] {
      #expect(BeatTracker(short).beats(atBeatsPerMinute: tempo).isEmpty)
    }
  }
}
