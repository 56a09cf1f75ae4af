import MediaModel
import Testing

struct ProductCoarsenessTests {
  private func factor(hours: Double, rate: Int, channels: Int) -> Int {
    ProductCoarseness.factor(
      frameCount: Int64(hours * 3600 * Double(rate)), sampleRateInHz: rate, channelCount: channels)
  }

  @Test func `music of any usual length is stored as finely as ever`() {
    #expect(factor(hours: 0, rate: 44_100, channels: 2) == 1)
    #expect(factor(hours: 14, rate: 48_000, channels: 2) == 1)
    #expect(factor(hours: 6, rate: 48_000, channels: 6) == 1)
    #expect(factor(hours: 3, rate: 192_000, channels: 2) == 1)
  }

  @Test func `the longest sounds are stored coarser`() {
    // 64.8 MB of peaks of the mix, 259 MB of those of the channels, 32.4 MB of energy, 55.3 MB of spectrogram.
    #expect(factor(hours: 48, rate: 48_000, channels: 8) == 8)
    // Further channels are not stored.
    #expect(factor(hours: 48, rate: 48_000, channels: 64) == 8)
    #expect(factor(hours: 48, rate: 8_000, channels: 1) == 2)
    #expect(factor(hours: 48, rate: 384_000, channels: 8) == 64)
  }

  @Test func `a claim of any length has a factor`() {
    #expect(ProductCoarseness.factor(frameCount: .max, sampleRateInHz: 1, channelCount: 64) > 1)
    #expect(ProductCoarseness.factor(frameCount: -1, sampleRateInHz: 0, channelCount: 0) == 1)
  }

  @Test func `a coarser product is not made again, any other is`() {
    let peaks = ProductRecipe(kind: .waveform, version: 1, parameters: "bits=8 frames_per_point=256")
    #expect(peaks.coarsened(by: 4).parameters == "bits=8 frames_per_point=1024")
    #expect(peaks.accepts(version: 1, parameters: "bits=8 frames_per_point=1024"))
    #expect(!peaks.accepts(version: 1, parameters: "bits=8 frames_per_point=768"))
    #expect(!peaks.accepts(version: 1, parameters: "bits=8 frames_per_point=128"))
    #expect(!peaks.accepts(version: 1, parameters: "bits=16 frames_per_point=1024"))
    let grid = ProductRecipe(kind: .spectrogram, version: 2, parameters: "bands=80 columns_per_second=4 step_db=0.5")
    #expect(grid.coarsened(by: 8).parameters == "bands=80 columns_per_second=0.5 step_db=0.5")
    #expect(grid.accepts(version: 2, parameters: "bands=80 columns_per_second=0.5 step_db=0.5"))
    #expect(!grid.accepts(version: 2, parameters: "bands=80 columns_per_second=8 step_db=0.5"))
  }

  @Test func `a file whose recording is stored coarser says so, whichever copy was decoded`() {
    let format = MediaFormat(container: .flac, sampleRateInHz: 48_000, channelCount: 8)
    var extraction = Extraction(state: .ok, format: format)
    extraction.judge(by: DecodedStream(), frameCount: 48 * 3600 * 48_000)
    #expect(extraction.notes == ["coarse-products"])
    extraction.notes = []
    extraction.judge(by: DecodedStream(), frameCount: 48_000)
    #expect(extraction.notes.isEmpty)
  }
}
