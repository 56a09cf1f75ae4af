import Glibc
import MediaModel
import MediaRendering
import TestSupport
import Testing

struct MixBusTests {
  private static let rate = 8_000
  private let format = AudioFormat(sampleRateInHz: rate, channelCount: 2)

  /// The first track sounds alone, then with the second for two seconds, which then sounds alone.
  private let plan = RadioPlan(
    [
      RadioPlan.Slot(frameCount: 32_000),
      RadioPlan.Slot(
        frameCount: 32_000,
        transition: RadioPlan.FrameTransition(
          Transition(.tail, .fadesByItself, end: 4, start: 0, overlap: 2), afterFrames: 32_000, sampleRateInHz: rate)),
    ], sampleRateInHz: rate)

  private static func tone(_ hz: Double, _ amplitude: Double) -> [Float] {
    let sine = Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: 32_000, amplitude: amplitude)
    return Signal.interleave([sine, sine])
  }

  /// - Parameter block: The frames that are added, and taken, at once.
  private func sum(_ tracks: [[Float]], block: Int, limits: Bool = true) -> [Float] {
    var bus = MixBus(format, limitsOverlaps: limits)
    for index in tracks.indices { bus.overlap(plan.overlap(before: index)) }
    var sum: [Float] = []
    for (index, samples) in tracks.enumerated() {
      let entry = plan.entries[index]
      let next = index + 1 < tracks.count ? plan.entries[index + 1].start : plan.frameCount
      for first in stride(from: 0, to: samples.count / 2, by: block) {
        let part = Array(samples[(2 * first)..<min(samples.count, 2 * (first + block))])
        let position = entry.frames.lowerBound + Int64(first)
        bus.add(part.span, ofChannels: 2, at: position, in: entry)
        sum += bus.take(upTo: min(position + Int64(part.count / 2), next))
      }
    }
    return sum + bus.take(upTo: plan.frameCount)
  }

  @Test func `a sum below full scale is the sum`() {
    let (one, other) = (Self.tone(300, 0.45), Self.tone(451, 0.45))
    let expected = one[..<32_000] + zip(one[32_000...], other).map { $0 + $1 } + other[32_000...]
    #expect(sum([one, other], block: 1000) == Array(expected))
  }

  @Test func `a sum beyond full scale is limited, and only where both sound`() throws {
    let (one, other) = (Self.tone(300, 0.9), Self.tone(451, 0.9))
    let found = sum([one, other], block: 1000)
    #expect(found.count == 96_000)
    #expect(found[..<32_000].elementsEqual(one[..<32_000]))
    #expect(found[64_000...].elementsEqual(other[32_000...]))
    // The limiter has its ramps within the overlap.
    #expect(try #require(found[33_000..<63_000].map(abs).max()) <= 1)
    #expect(try #require(sum([one, other], block: 1000, limits: false).map(abs).max()) > 1.7)
    // It turns down, and mutes nothing.
    #expect(try #require(found[40_000..<56_000].map(abs).max()) > 0.9)
  }

  @Test(arguments: [1, 77, 5_000, 32_000]) func `where blocks are cut changes nothing`(block: Int) {
    let tracks = [Self.tone(300, 0.9), Self.tone(451, 0.9)]
    #expect(sum(tracks, block: block) == sum(tracks, block: 1000))
  }
}
