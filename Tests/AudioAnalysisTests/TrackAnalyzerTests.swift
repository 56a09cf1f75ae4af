import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct TrackAnalyzerTests {
  private static let allKinds = Set(ProductKind.allCases)

  @Test(arguments: [1, 3, 64, 1_000, 4_096], [1, 2, 3])
  func `where blocks are cut does not change a bit`(blockSize: Int, channelCount: Int) {
    let noise = Signal.whiteNoise(frameCount: 50_003 * channelCount, rms: 0.4)
    let whole = analyze(noise, channelCount: channelCount, kinds: Self.allKinds)
    let cut = analyze(noise, channelCount: channelCount, kinds: Self.allKinds, blockSize: blockSize)
    #expect(cut == whole)
  }

  @Test(arguments: [8_000, 22_050, 96_000, 384_000])
  func `where blocks are cut does not matter at any rate`(rate: Int) {
    let noise = Signal.whiteNoise(frameCount: 2 * 70_001, rms: 0.4)
    #expect(
      analyze(noise, sampleRateInHz: rate, channelCount: 2, kinds: Self.allKinds, blockSize: 777)
        == analyze(noise, sampleRateInHz: rate, channelCount: 2, kinds: Self.allKinds))
  }

  @Test func `products are in the order of their kinds, with the current recipe`() {
    let analysis = analyze(Signal.whiteNoise(frameCount: 3_000, rms: 0.1), kinds: Self.allKinds)
    #expect(analysis.products.map(\.kind) == ProductKind.allCases.sorted())
    for product in analysis.products {
      #expect(product.version == ProductRecipe.current(product.kind).version)
      #expect(product.parameters == ProductRecipe.current(product.kind).parameters)
      #expect(product.bytes.isEmpty == (product.kind == .measures))
    }
  }

  @Test(arguments: ProductKind.allCases)
  func `a kind that is requested alone is the same as among others`(kind: ProductKind) throws {
    let noise = Signal.whiteNoise(frameCount: 30_000, rms: 0.1)
    let alone = analyze(noise, channelCount: 2, kinds: [kind])
    let all = analyze(noise, channelCount: 2, kinds: Self.allKinds)
    #expect(alone.products == all.products.filter { $0.kind == kind })
    #expect(alone.measures == (kind == .measures ? all.measures : nil))
  }

  @Test(arguments: [Int64.max, .min, -1, 1])
  func `a wrong guess of the length changes nothing`(guess: Int64) {
    let noise = Signal.whiteNoise(frameCount: 20_000, rms: 0.1)
    #expect(
      analyze(noise, channelCount: 2, kinds: Self.allKinds, expectedFrameCount: guess)
        == analyze(noise, channelCount: 2, kinds: Self.allKinds))
  }

  @Test(arguments: [1, 2, 64])
  func `a stream without frames has products without points`(channelCount: Int) throws {
    let analysis = analyze([], channelCount: channelCount, kinds: Self.allKinds)
    #expect(try WaveformPeaks(datBytes: analysis.bytes(.waveform)).pointCount == 0)
    #expect(try WaveformPeaks(datBytes: analysis.bytes(.channelWaveform)).channelCount == min(channelCount, 8))
    #expect(try analysis.energy.points.isEmpty)
    #expect(try analysis.grid.columnCount == 0)
  }

  // Faults: 15
  @Test func `samples far beyond full scale neither trap nor become NaN`() throws {
    let huge: [Float] = [1e38, -1e38, 3e38, -3e38, 0, 1]
    let samples = (0..<12_000).map { huge[$0 % 6] }
    let analysis = analyze(samples, channelCount: 2, kinds: Self.allKinds)
    #expect(try WaveformPeaks(datBytes: analysis.bytes(.waveform)).values.contains { $0 != 0 })
    #expect(analysis.measures?.samplePeakInDBFS?.isFinite == true)
    let squares = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / 12_000
    #expect(abs(try #require(analysis.measures?.rmsInDBFS) - 10 * log10(squares)) < 1e-5)
    #expect(analysis.measures?.dcOffset?.isFinite == true)
  }

  @Test(arguments: [1, 100, 199, 201, 3_000, 7_999])
  func `unusual sample rates give every product`(rate: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 2 * 3_001, rms: 0.1)
    let analysis = analyze(noise, sampleRateInHz: rate, channelCount: 2, kinds: Self.allKinds)
    #expect(analysis.products.count == ProductKind.allCases.count)
    #expect(try analysis.grid.columnCount == (3_001 * 4 + rate - 1) / rate)
    #expect(try analysis.energy.points.count == 3)
  }

  @Test func `the peaks are those of audiowaveform's layout at 256 and 512 frames a point`() throws {
    let analysis = analyze(Signal.whiteNoise(frameCount: 2 * 1_025, rms: 0.1), channelCount: 2, kinds: Self.allKinds)
    let mix = try WaveformPeaks(datBytes: analysis.bytes(.waveform))
    #expect(mix.framesPerPoint == 256 && mix.channelCount == 1 && mix.pointCount == 5)
    let channels = try WaveformPeaks(datBytes: analysis.bytes(.channelWaveform))
    #expect(channels.framesPerPoint == 512 && channels.channelCount == 2 && channels.pointCount == 3)
  }
}
