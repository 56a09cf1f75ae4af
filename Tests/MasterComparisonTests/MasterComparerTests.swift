import Foundation
@testable import MasterComparison
import Testing
import TestSupport

/// A recording that is in memory.
private final class MadeSignal: ComparedSignal {
  let sampleRateInHz = 8_000
  let channelCount = 1
  let samples: [Float]

  init(_ samples: [Float]) { self.samples = samples }

  var frameCount: Int { samples.count }

  func read(_ frames: Range<Int>) -> [Float] { Array(samples[frames.clamped(to: 0..<samples.count)]) }
}

/// Two recordings whose relation is known because one was made from the other.
struct MasterComparerTests {
  private static let rate = 8_000
  private static let frameCount = 30 * rate

  private func compared(_ first: [Float], _ second: [Float]) throws -> ComparedMasters {
    try MasterComparer(side(first), side(second)).compare()
  }

  private func side(_ samples: [Float]) -> ComparedMasters.Side {
    let point = 256
    let levels = stride(from: 0, to: samples.count, by: point).map { start in
      let power = samples[start..<min(start + point, samples.count)].reduce(0) { $0 + $1 * $1 } / Float(point)
      return SIMD2(repeating: Decibels.ofPower(power))
    }
    return ComparedMasters.Side(
      MadeSignal(samples), levels: LevelCurve(levels: levels, pointInSeconds: Double(point) / Double(Self.rate)),
      bits: nil)
  }

  /// Noise whose level changes from tenth to tenth of a second, as music's does.
  private func music(seed: UInt64) -> [Float] {
    var random = RepeatableRandom(seed: seed)
    var level: Float = 0
    return (0..<Self.frameCount).map { frame in
      if frame % (Self.rate / 10) == 0 { level = Float.random(in: 0.01...0.5, using: &random) }
      return level * Float.random(in: -1...1, using: &random)
    }
  }

  /// What has no place that differs from another one, so that nothing but the samples says that they are equal.
  private static let steady: [(name: String, sample: @Sendable (Int) -> Float)] = [
    ("a tone", { Float($0 % 8 < 4 ? 0.25 : -0.25) }), ("silence", { _ in 0 }), ("direct current", { _ in 0.5 }),
  ]

  @Test(arguments: steady.indices)
  func `equal samples are identical, even where no place differs from another one`(index: Int) throws {
    let samples = (0..<2 * Self.rate).map(Self.steady[index].sample)
    let found = try compared(samples, samples)
    #expect(found.relation == .identical && found.offsetInFrames == 0 && found.edits.isEmpty)
    #expect(found.figures?.unequalFrameCount == 0 && found.figures?.comparedFrameCount == samples.count)
  }

  @Test func `one other sample in silence is no longer identical`() throws {
    let samples = [Float](repeating: 0, count: 2 * Self.rate)
    var other = samples
    other[5_000] = 0.5
    #expect(try compared(samples, other).relation != .identical)
  }

  @Test func `equal music is identical, at the place where it begins`() throws {
    let music = music(seed: 1)
    #expect(try compared(music, music).relation == .identical)
    let found = try compared([Float](repeating: 0, count: 1_234) + music, music)
    #expect(found.relation == .identical)
    #expect(abs(try #require(found.offsetInFrames) - 1_234) < 0.01)
  }

  @Test(arguments: [0.5, -0.5, 0.9] as [Float]) func `another gain is measured, and its polarity`(gain: Float) throws {
    let music = music(seed: 2)
    let found = try compared(music, music.map { $0 * gain })
    let figures = try #require(found.figures)
    #expect(found.relation == .gain, "\(figures)")
    #expect(figures.isInverted == (gain < 0))
    #expect(abs(figures.gainInDB - Double(2 * Decibels.ofPower(abs(gain)))) < 0.01)
  }

  @Test func `silence is no gain of music`() throws {
    let music = music(seed: 6)
    #expect(try compared(music, music.map { _ in 0 }).relation == .otherPerformance)
  }

  @Test func `other music has nothing in common`() throws {
    #expect(try compared(music(seed: 3), music(seed: 4)).relation == .otherPerformance)
  }

  @Test func `what both have is what is in both`() {
    var random = RepeatableRandom(seed: 5)
    for _ in 0..<500 {
      let step = [0.5, 1, 2][Int.random(in: 0..<3, using: &random)]
      let placement = Placement(offset: Double(Int.random(in: -200...200, using: &random)), step: step)
      let (own, others) = (Int.random(in: 1...100, using: &random), Int.random(in: 1...100, using: &random))
      let inside = (0..<own).filter { (0..<Double(others)).contains(placement.place(of: Double($0))) }
      let found = placement.overlap(ofGrid: own, andOther: others)
      #expect(found.allSatisfy(inside.contains) && inside.count - found.count <= 1, "\(placement) \(own) \(others)")
    }
  }
}

private enum Decibels {
  static func ofPower(_ power: Float) -> Float { 10 * log10(max(power, 1e-12)) }
}
