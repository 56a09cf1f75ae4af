import AudioEffects
import Foundation
import MediaModel
import TestSupport
import Testing

struct LiveSpeedTests {
  private static let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)

  /// What comes out in blocks of 128 frames, of input in blocks of 100; `change` is called before each block.
  private func heard(
    _ samples: [Float], through speed: LiveSpeed, change: (_ frame: Int) -> Void = { _ in }
  ) -> [Float] {
    var (output, block) = ([Float](), [Float](repeating: 0, count: 256))
    var given = 0
    while true {
      change(output.count / 2)
      while speed.readyFrameCount < 128 {
        guard given + 200 <= samples.count else { return output }
        samples[given..<given + 200].withUnsafeBufferPointer { speed.give($0) }
        given += 200
      }
      block.withUnsafeMutableBufferPointer { speed.take(into: $0) }
      output += block
    }
  }

  private func stereo(_ samples: [Float]) -> [Float] { samples.flatMap { [$0, 0.5 * $0] } }

  @Test(arguments: [
    (0, 1.5, 660.0), (0, 0.5, 220), (-702, 1.5, 440.0 * 0.999997), (300, 1, 523.2511), (700, 0.75, 494.4326),
  ])
  func `pitch and rate are those of the preset`(cents: Double, rate: Double, frequency wanted: Double) throws {
    let sine = Signal.sine(hz: 440, sampleRateInHz: 44_100, frameCount: 44_100 * 6, amplitude: 0.5)
    let speed = LiveSpeed(format: Self.format, cents: cents, rate: rate)
    let result = heard(stereo(sine), through: speed)
    let left = stride(from: 0, to: result.count, by: 2).map { result[$0] }
    #expect(abs(Double(left.count) - Double(sine.count) / rate) < 12_000)
    #expect(abs(1200 * log2(frequency(of: left[44_100..<88_200], sampleRate: 44_100) / wanted)) < 1)
  }

  @Test(arguments: [(0.0, 1.25), (-500.0, 1), (500.0, 0.8), (1200.0, 2)])
  func `the first frame is the first, and those that wait are counted`(cents: Double, rate: Double) throws {
    // A ramp: its value says which frame is heard.
    let frameCount = 60_000
    let ramp = (0..<frameCount).map { Float($0) / Float(frameCount) }
    let speed = LiveSpeed(format: Self.format, cents: cents, rate: rate)
    let result = heard(stereo(ramp), through: speed)
    let given = Double(frameCount / 100 * 100)
    let last = given - speed.delayFrameCount
    #expect(abs(Double(result.count / 2) * rate - last) < 3)
    #expect(abs(result[0]) < 0.01)
  }

  /// Changes of a sine at 60 Hz, the rate at which a page moves a slider.
  @Test(arguments: [0.0, 1])
  func `moving pitch and rate sixty times a second makes no click`(cents: Double) throws {
    let sine = Signal.sine(hz: 440, sampleRateInHz: 44_100, frameCount: 44_100 * 4, amplitude: 0.5)
    let speed = LiveSpeed(format: Self.format, cents: cents, rate: 1.2)
    let result = heard(stereo(sine), through: speed) { frame in
      let turn = Double(frame / 735) / 20
      speed.update(cents: cents == 0 ? 0 : 600 * sin(turn) + 1, rate: 1.2 + 0.6 * sin(turn))
    }
    let left = stride(from: 0, to: result.count, by: 2).map { result[$0] }
    // A sine of 0.5 at the highest frequency that is heard, 440 Hz · 1.8 · 2^(601/1200), moves by this much a frame.
    let steepest = Float(0.5 * 2 * Double.pi * 440 * 1.8 * (cents == 0 ? 1 : 1.4151) / 44_100)
    let steps = zip(left[8000...], left[8001...]).map { abs($1 - $0) }
    #expect(try #require(steps.max()) < 1.3 * steepest)
    // The second difference of a sine is smaller still; a click would stand out.
    let bends = zip(zip(left[8000...], left[8001...]), left[8002...]).map { abs($0.0 - 2 * $0.1 + $1) }
    #expect(try #require(bends.max()) < 2 * steepest * steepest / 0.5)
  }

  @Test func `neither is heard as a change with the neutral pitch and rate`() {
    let noise = Signal.whiteNoise(frameCount: 20_000, rms: 0.2)
    let speed = LiveSpeed(format: Self.format, cents: 0, rate: 1)
    let result = heard(stereo(noise), through: speed)
    #expect(result.elementsEqual(stereo(noise).prefix(result.count)))
  }
}
