import DecodingService
import Foundation
import MediaModel
import TestSupport
import Testing

@testable import SoundSearch

// Faults: 227
/// What stored levels do not show, of the same made-up music as ``SoundComparisonTests``.
struct SampleComparisonTests {
  private typealias Stereo = SoundComparisonTests.Stereo

  private static let music = Stereo(tune: 1)

  /// Samples that are there already.
  private final class Recorded: SegmentSource {
    let audio: SegmentedAudio
    private let samples: [Float]
    /// Where decoding fails.
    private let failure: Int

    init(_ music: SoundComparisonTests.Stereo, failingAt failure: Int = .max) {
      samples = Signal.interleave([music.left, music.right])
      self.failure = failure
      audio = SegmentedAudio(
        hash: ContentHash(high: 0, low: 0), format: AudioFormat(sampleRateInHz: music.rate, channelCount: 2))
    }

    func decode(_ frames: Range<Int64>) throws -> [Float] {
      guard frames.upperBound < failure else { throw SegmentReadingError.worker(reason: "made up") }
      let range = (2 * Int(frames.lowerBound)..<2 * Int(frames.upperBound)).clamped(to: 0..<samples.count)
      return Array(samples[range])
    }
  }

  private func comparison(
    keeping kept: Stereo, removing other: Stereo, areLossless: Bool = false, failingAt failure: Int = .max
  ) throws -> SampleComparison {
    let stored = SoundComparison(keeping: try #require(kept.stored), removing: try #require(other.stored), near: 0)
    return try SampleComparison(
      keeping: Recorded(kept), removing: Recorded(other, failingAt: failure), as: stored, areLossless: areLossless,
      isDamaged: failure < .max)
  }

  enum Difference: CaseIterable {
    case speech, speechAtTheSide, speechInAChannel, softChannel, softChannelForSeconds, mono, centreRemoved, inverted
    case swapped

    /// The kept one and the one that would be removed.
    func applied(to music: SoundComparisonTests.Stereo) -> (
      kept: SoundComparisonTests.Stereo, other: SoundComparisonTests.Stereo
    ) {
      var (kept, other) = (music, music)
      switch self {
      case .speech, .speechAtTheSide, .speechInAChannel:
        // Syllables of a voice, 15 dB below the music.
        for frame in music.left.indices where (8..<16).contains(frame / music.rate) {
          let time = Float(frame) / Float(music.rate)
          let voice = (1...12).reduce(Float(0)) { $0 + sin(2 * .pi * 137 * Float($1) * time) / Float($1) }
          let syllable = max(0, sin(2 * .pi * 3.5 * time))
          let level = 0.025 * voice * syllable
          other.left[frame] += self == .speechInAChannel ? 0 : level
          other.right[frame] += self == .speechAtTheSide ? -level : level
        }
      case .softChannel, .softChannelForSeconds:
        other.right = music.right.map { 0.02 * $0 }
        kept.right = other.right
        let first = self == .softChannel ? 0 : 12 * music.rate
        for frame in first..<kept.right.count { kept.right[frame] = 0 }
      case .mono:
        kept.left = zip(music.left, music.right).map { 0.5 * ($0 + $1) }
        kept.right = kept.left
      case .centreRemoved:
        kept.left = zip(music.left, music.right).map { 0.5 * ($0 - $1) }
        kept.right = kept.left.map { -$0 }
      case .inverted: kept.right = music.right.map { -$0 }
      case .swapped: (kept.left, kept.right) = (music.right, music.left)
      }
      return (kept, other)
    }
  }

  @Test(arguments: Difference.allCases)
  func `what only one of two recordings has is found in their samples`(difference: Difference) throws {
    let (kept, other) = difference.applied(to: Self.music)
    #expect(try comparison(keeping: kept, removing: other).differenceInSeconds != nil)
  }

  @Test func `the place of the difference is named`() throws {
    let (kept, other) = Difference.speech.applied(to: Self.music)
    let seconds = try #require(try comparison(keeping: kept, removing: other).differenceInSeconds)
    #expect((7...17).contains(seconds))
  }

  @Test(arguments: SoundComparisonTests.Copy.allCases, [false, true])
  func `copies differ in nothing`(copy: SoundComparisonTests.Copy, areLossless: Bool) throws {
    let copied = copy.applied(to: Self.music)
    #expect(
      try comparison(keeping: copied, removing: Self.music, areLossless: areLossless).differenceInSeconds == nil)
    #expect(
      try comparison(keeping: Self.music, removing: copied, areLossless: areLossless).differenceInSeconds == nil)
  }

  /// More noise than lossless formats have.
  @Test func `of lossless files less may differ`() throws {
    let noise = Signal.whiteNoise(frameCount: Self.music.left.count, rms: 0.04, seed: 7)
    let noisy = Self.music.changing(from: 0, for: 99) { $1 + noise[$0] }
    #expect(try comparison(keeping: noisy, removing: Self.music).differenceInSeconds == nil)
    #expect(try comparison(keeping: noisy, removing: Self.music, areLossless: true).differenceInSeconds != nil)
  }

  @Test(arguments: [SoundComparisonTests.Damage.zeros1000, .endZero])
  func `an intact copy has all of what is silent in its place`(damage: SoundComparisonTests.Damage) throws {
    let damaged = damage.applied(to: Self.music)
    #expect(try comparison(keeping: Self.music, removing: damaged, areLossless: true).differenceInSeconds == nil)
  }

  @Test func `a damaged file may end with an error, an intact one may not`() throws {
    #expect(
      try comparison(keeping: Self.music, removing: Self.music, failingAt: 300_000).differenceInSeconds == nil)
    #expect(throws: SegmentReadingError.self) {
      try comparison(keeping: Self.music, removing: Self.music, failingAt: 1)
    }
  }
}
