import LibraryScanning
import LibraryTracks
import MediaImport
import MediaModel
import Testing

struct ReanalysisPlanTests {
  /// A recording of a minute that has everything as it should be, except for what is given.
  private func recording(
    _ id: Int64 = 1, channels: Int = 2, without missing: Set<ProductKind> = [], version: [ProductKind: Int] = [:],
    parameters: [ProductKind: String] = [:]
  ) -> RecordingOutline {
    var products: [ProductKind: StoredProduct] = [:]
    for recipe in ProductRecipe.current where !missing.contains(recipe.kind) {
      products[recipe.kind] = StoredProduct(
        kind: recipe.kind, version: version[recipe.kind] ?? recipe.version,
        parameters: parameters[recipe.kind] ?? recipe.parameters, byteCount: 1)
    }
    return RecordingOutline(
      id: id, hash: ContentHash(high: 1, low: UInt64(id)), decodedFrameCount: 60 * 44_100, durationInSeconds: 60,
      channelCount: channels, products: products)
  }

  private func plan(
    _ recordings: RecordingOutline..., kinds: Set<ProductKind> = Set(ProductKind.allCases),
    reasons: Set<RedoReason>
  ) -> ReanalysisPlan {
    var plan = ReanalysisPlan()
    for recording in recordings { plan.add(recording, kinds: kinds, reasons: reasons) }
    return plan
  }

  private func causes(_ plan: ReanalysisPlan) -> [String] {
    plan.counts.sorted { $0.key < $1.key }.map { "\($0.key.kind.rawValue) \($0.key.reason.rawValue) \($0.value)" }
  }

  @Test func `up-to-date products are not recomputed`() {
    let plan = plan(recording(), reasons: .stale.union([.missing]))
    #expect(plan.recordingCount == 0 && plan.audioInSeconds == 0 && plan.counts.isEmpty)
  }

  @Test func `reasons are distinguished, and only the requested ones count`() {
    let odd = recording(
      without: [.loudness], version: [.spectrum: 0, .spectrogram: 99], parameters: [.waveform: "bits=4"])
    #expect(
      causes(plan(odd, reasons: .stale))
        == ["spectrogram newer version 1", "spectrum older version 1", "waveform other parameters 1"])
    #expect(causes(plan(odd, reasons: [.missing])) == ["loudness missing 1"])
    #expect(
      causes(plan(odd, kinds: [.loudness, .waveform], reasons: [.forced])) == [
        "loudness missing 1", "waveform other parameters 1",
      ])
    #expect(causes(plan(recording(), kinds: [.measures], reasons: [.forced])) == ["measures forced 1"])
  }

  @Test func `a damaged product is only recomputed for that reason, and nothing is derived from it`() {
    var mono = recording(channels: 1, without: [.channelWaveform], version: [.waveform: 0])
    mono.damagedKinds = [.waveform, .spectrum]
    #expect(causes(plan(mono, reasons: [.damaged])) == ["spectrum damaged 1", "waveform damaged 1"])
    let both = plan(mono, reasons: [.damaged, .missing])
    #expect(both.productCount == 3 && both.undecodedCount == 0)
  }

  @Test func `the audio of a recording is counted once`() {
    let plan = plan(recording(1), recording(2), recording(3, without: [.loudness]), reasons: [.forced])
    #expect(plan.recordingCount == 3 && plan.productCount == 3 * ProductKind.allCases.count)
    #expect(plan.audioInSeconds == 180)
  }

  @Test func `a mono channel needs no decoding unless its mix is recomputed, too, or stored products are not trusted`()
  {
    let mono = recording(channels: 1, without: [.channelWaveform])
    #expect(plan(mono, reasons: [.missing]).undecodedCount == 1)
    #expect(plan(mono, reasons: [.missing]).audioInSeconds == 0)
    #expect(plan(mono, reasons: [.forced]).undecodedCount == 0)
    #expect(plan(recording(channels: 2, without: [.channelWaveform]), reasons: [.missing]).undecodedCount == 0)
    #expect(
      plan(recording(channels: 1, without: [.channelWaveform, .waveform]), reasons: [.missing]).undecodedCount == 0)
    #expect(
      plan(recording(channels: 1, without: [.channelWaveform, .loudness]), reasons: [.missing]).undecodedCount == 0)
  }
}
