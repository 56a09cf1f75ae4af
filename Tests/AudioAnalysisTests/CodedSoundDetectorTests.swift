import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct CodedSoundDetectorTests {
  private static let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)

  private func isFound(_ samples: [Float], blockSampleCount: Int = 4096, _ format: AudioFormat = format) -> Bool {
    var detector = CodedSoundDetector(format: format)
    for start in stride(from: 0, to: samples.count, by: blockSampleCount) {
      detector.consume(samples.span.extracting(start..<min(samples.count, start + blockSampleCount)))
    }
    return detector.isFound
  }

  /// Noise with two words at even distances.
  private func frames(_ first: UInt16, _ second: UInt16, every distance: Int, count: Int = 8) -> [Float] {
    var random = RepeatableRandom(seed: 9)
    var samples = (0..<distance * count).map { _ in Float(Int16.random(in: -9000...9000, using: &random)) / 32_768 }
    for place in stride(from: 3, to: samples.count - 1, by: distance) {
      samples[place] = Float(Int16(bitPattern: first)) / 32_768
      samples[place + 1] = Float(Int16(bitPattern: second)) / 32_768
    }
    return samples
  }

  @Test(arguments: [(UInt16(0x7FFE), UInt16(0x8001)), (0x1FFF, 0xE800), (0xF872, 0x4E1F)], [1, 7, 1000])
  func `frames are found wherever blocks are cut, also behind silence`(_ sync: (UInt16, UInt16), _ size: Int) {
    let coded = frames(sync.0, sync.1, every: 1007)
    #expect(isFound(coded, blockSampleCount: size))
    #expect(isFound([Float](repeating: 0, count: 88_200 * 30) + coded, blockSampleCount: 4096 + size))
    #expect(!isFound(coded, AudioFormat(sampleRateInHz: 44_100, channelCount: 1)))
  }

  /// As bursts have them: each begins with its own words, and the frame in it with others.
  @Test func `frames in bursts are found`() {
    var samples = frames(0xF872, 0x4E1F, every: 1024)
    for start in stride(from: 3, to: samples.count - 8, by: 1024) {
      samples[start + 4] = Float(Int16(0x7FFE)) / 32_768
      samples[start + 5] = Float(Int16(bitPattern: 0x8001)) / 32_768
    }
    #expect(isFound(samples))
  }

  /// 448 kbit/s at 48 kHz, and at 44.1 kHz, where every other frame has a word more.
  @Test(arguments: [(0x1E, [896, 896]), (0x5E, [975, 975]), (0x5F, [976, 976])], [false, true])
  func `frames of AC-3 are found by the lengths that they say`(_ length: (code: Int, counts: [Int]), isSwapped: Bool) {
    var random = RepeatableRandom(seed: 10)
    func word(_ number: Int) -> Float {
      let number = UInt16(number)
      return Float(Int16(bitPattern: isSwapped ? number.byteSwapped : number)) / 32_768
    }
    func coded(_ count: Int, shorter: Int = 0) -> [Float] {
      (0..<count).flatMap { number in
        let rest = (3..<length.counts[number % 2] - shorter).map { _ in
          Float(Int16.random(in: -9000...9000, using: &random)) / 32_768
        }
        return [word(0x0B77), word(0x1234), word(length.code << 8 | 0x40)] + rest
      }
    }
    #expect(isFound(coded(6)))
    #expect(!isFound(coded(3)))
    #expect(!isFound(coded(6, shorter: 5)))
  }

  @Test func `other sounds are none`() {
    #expect(!isFound(frames(0x7FFE, 0x8001, every: 1007, count: 3)))
    #expect(!isFound(frames(0x7FFE, 0x8000, every: 1007)))
    // Both channels at full scale, against each other: the pair is in every frame.
    let square = (0..<88_200).map { Float(($0 / 2 / 50 + $0) % 2 == 0 ? 0x7FFE : -0x7FFF) / 32_768 }
    #expect(!isFound(square))
    #expect(!isFound((0..<88_200).map { sin(Float($0) * 0.03) }))
  }

  @Test func `such a track has no loudness, and all of its other products`() {
    let coded = frames(0x7FFE, 0x8001, every: 1007, count: 400)
    var analyzer = TrackAnalyzer(format: Self.format, kinds: [.measures, .loudness, .waveform])
    analyzer.consume(coded.span)
    let isCodedSound = analyzer.isCodedSound
    #expect(isCodedSound)
    let analysis = analyzer.finish()
    #expect(analysis.measures?.integratedLoudnessInLUFS == nil && analysis.measures?.truePeakInDBTP == nil)
    #expect(analysis.measures?.samplePeakInDBFS != nil)
    #expect(Set(analysis.products.map(\.kind)) == [.measures, .loudness, .waveform])
    // Energy, first bin and number of bins are 0.
    #expect(analysis.products.first { $0.kind == .loudness }?.bytes.allSatisfy { $0 == 0 } == true)
  }
}
