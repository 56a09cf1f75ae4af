import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct LandmarkAnalyzerTests {
  private func landmarks(_ samples: [Float], rate: Int = 44_100, blockSize: Int = .max) throws -> Landmarks {
    let analysis = analyze(samples, sampleRateInHz: rate, kinds: [.landmarks], blockSize: blockSize)
    return try Landmarks(blob: analysis.bytes(.landmarks))
  }

  /// Short tones over quiet noise, each at a time and a frequency of its own.
  private func tones(_ tones: [(seconds: Double, hz: Double)], rate: Int = 44_100, seconds: Double = 6) -> [Float] {
    var samples = Signal.whiteNoise(frameCount: Int(seconds * Double(rate)), rms: 0.003)
    for tone in tones {
      let sound = Signal.faded(Signal.sine(hz: tone.hz, sampleRateInHz: rate, frameCount: rate / 10, amplitude: 0.3))
      let start = Int(tone.seconds * Double(rate)) - sound.count / 2
      for index in sound.indices { samples[start + index] += sound[index] }
    }
    return samples
  }

  @Test(arguments: [8_000, 22_050, 44_100, 48_000, 96_000])
  func `a tone becomes a peak at its time and frequency, at any sample rate`(rate: Int) throws {
    let expected = [(2.0, 400.0), (3.0, 900.0), (3.5, 1_700.0), (4.2, 3_000.0)]
    let found = try landmarks(tones(expected, rate: rate), rate: rate)
    for (seconds, hz) in expected {
      let strongest = found.peaks.filter { abs(Double($0.column) / Landmarks.columnsPerSecond - seconds) < 0.06 }
        .max { $0.strength < $1.strength }
      let peak = try #require(strongest, "\(hz) Hz: \(found.peaks)")
      let unit = LandmarkScale.unit(atBins: hz / SoundColumns.binWidthInHz)
      #expect(abs(Double(peak.unit) - unit) <= 1, "\(hz) Hz")
      #expect(peak.strength >= 4)
    }
  }

  @Test(arguments: [1, 777, 4_096])
  func `where blocks are cut does not matter`(blockSize: Int) throws {
    let music = Signal.chords(seconds: 5, sampleRateInHz: 44_100)
    #expect(try landmarks(music, blockSize: blockSize) == landmarks(music))
  }

  @Test func `an excerpt has the peaks of its place in the whole`() throws {
    let music = Signal.chords(seconds: 20, sampleRateInHz: 11_025)
    let whole = try landmarks(music, rate: 11_025)
    // A whole number of columns.
    let excerpt = try landmarks(Array(music[200 * 256..<600 * 256]), rate: 11_025)
    // The course of the levels needs a second at the start.
    let expected = Set(whole.peaks.filter { (260..<570).contains($0.column) }.map { [Int($0.column), Int($0.unit)] })
    let found = Set(excerpt.peaks.map { [Int($0.column) + 200, Int($0.unit)] })
    #expect(expected.count > 25)
    #expect(expected.intersection(found).count >= expected.count * 9 / 10)
  }

  @Test func `the level does not matter`() throws {
    let music = Signal.chords(seconds: 8, sampleRateInHz: 44_100)
    let loud = Set(try landmarks(music).peaks.map { [Int($0.column), Int($0.unit)] })
    let quiet = Set(try landmarks(music.map { $0 * 0.125 }).peaks.map { [Int($0.column), Int($0.unit)] })
    // Levels are rounded, so that peaks of nearly equal height may change places.
    #expect(loud.intersection(quiet).count >= max(loud.count, quiet.count) * 9 / 10, "\(loud.count), \(quiet.count)")
  }

  @Test func `music has some six peaks a second, and silence none`() throws {
    let music = try landmarks(Signal.chords(seconds: 30, sampleRateInHz: 44_100))
    #expect((60...220).contains(music.peaks.count))
    #expect(!music.isWeak)
    let silence = try landmarks([Float](repeating: 0, count: 441_000))
    #expect(silence.peaks.isEmpty && silence.isWeak)
    #expect(silence.columnCount == 431)
  }

  @Test func `of an excerpt in noise the dense landmarks have more of those that are stored`() throws {
    let music = Signal.chords(seconds: 20, sampleRateInHz: 11_025)
    let rms = (music.reduce(0) { $0 + Double($1 * $1) } / Double(music.count)).squareRoot()
    let noise = Signal.whiteNoise(frameCount: music.count, rms: rms)
    let stored = try landmarks(music, rate: 11_025).peaks.filter { (43..<850).contains($0.column) }
    var analyzer = ExcerptAnalyzer(format: AudioFormat(sampleRateInHz: 11_025, channelCount: 1))
    let noisy = zip(music, noise).map { $0 + $1 }
    analyzer.consume(noisy.span)
    let excerpt = analyzer.finish()
    func share(_ peaks: [Landmarks.Peak]) -> Double {
      let places = Set(peaks.map { [Int($0.column), Int($0.unit)] })
      let found = stored.filter { peak in
        (-1...1).contains { column in
          (-1...1).contains { places.contains([Int(peak.column) + column, Int(peak.unit) + $0]) }
        }
      }
      return Double(found.count) / Double(stored.count)
    }
    #expect(stored.count > 50)
    #expect(share(excerpt.dense.peaks) > share(excerpt.usual.peaks))
    #expect(excerpt.dense.peaks.count > 2 * excerpt.usual.peaks.count)
    #expect(excerpt.dense.columnCount == excerpt.usual.columnCount)
  }

  @Test(arguments: [0, 1, 400, 11_025, 50_000])
  func `short streams have the right length`(count: Int) throws {
    let noise = Signal.whiteNoise(frameCount: count, rms: 0.1)
    let found = try landmarks(noise, rate: 11_025)
    #expect(found.columnCount == Int32((count + 255) / 256))
    #expect(found.peaks.allSatisfy { $0.column < found.columnCount })
  }
}
