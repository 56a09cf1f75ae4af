import AudioEncoding
import Glibc
import MediaModel
import MediaRendering
import Testing
import UserData

struct TrackRendererTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  private func chain(gain: Double) throws -> EffectChain {
    try EffectChain(equalizer: Equalizer(bands: [], gain: gain))
  }

  /// Raw floats of the whole track.
  private func rendered(
    through chain: EffectChain? = nil, _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> (report: RenderReport, samples: [Float]) {
    var request = RenderRequest(kind: .raw)
    request.form = .float32
    change(&request)
    let track = try RenderedTrack(library.source(), through: chain, in: library.store)
    var bytes: [UInt8] = []
    let (report, _) = try TrackRenderer(request).write(track) { bytes += $0 }
    return (report, floats(bytes))
  }

  @Test func `a track without a preset stays as it was decoded`() throws {
    let (report, samples) = try rendered()
    #expect(samples == SineLibrary.samples)
    #expect(report == RenderReport())
  }

  @Test func `the gain of the assigned preset is heard`() throws {
    try library.store.presets.create(Preset(name: PresetName("Quiet"), chain: chain(gain: -6)))
    _ = try library.store.presets.assign(named: "Quiet", to: [.track(SineLibrary.hash, label: "Sine")])
    #expect(try RenderedTrack.preset(of: library.track(), in: library.store)?.name.text == "Quiet")
    let (_, samples) = try rendered { $0.peaks = .keep }
    let factor = Float(pow(10, -6 / 20.0))
    #expect(samples.count == SineLibrary.samples.count)
    #expect(zip(samples, SineLibrary.samples).allSatisfy { abs($0 - $1 * factor) < 1e-5 })
  }

  @Test func `the headroom for a raised track is a gain for all of it`() throws {
    let (report, samples) = try rendered(through: chain(gain: 18)) { $0.peaks = .headroom }
    // -12.04 dB of the sine and 18 dB of the preset, down to -1 dBTP.
    #expect(abs(report.gainInDB - -6.96) < 0.1)
    #expect(abs(20 * log10(samples.map { Double(abs($0)) }.max() ?? 0) - -1) < 0.1)
  }

  @Test func `a limiter says how much it took`() throws {
    let (report, samples) = try rendered(through: chain(gain: 18))
    #expect(report.gainInDB == 0)
    #expect(try abs(#require(report.greatestReductionInDB) - 6.96) < 0.3)
    #expect((samples.map(abs).max() ?? 0) < 0.9)
  }

  @Test func `a target loudness is reached`() throws {
    let quiet = try rendered { ($0.targetLoudness, $0.peaks) = (-30, .keep) }
    let quieter = try rendered { ($0.targetLoudness, $0.peaks) = (-40, .keep) }
    #expect(abs(quiet.report.gainInDB - quieter.report.gainInDB - 10) < 0.01)
    // A sine of 1 kHz in both channels is as loud in LUFS as its peak is in dBFS, within K-weighting's 0.1 dB.
    #expect(abs(quiet.report.gainInDB - (-30 + 12.04)) < 0.2)
  }

  @Test func `a part after the end is refused`() throws {
    #expect(throws: RenderingError.nothingInRange(SineLibrary.path, durationInSeconds: 2)) {
      try rendered { $0.part.startInSeconds = 2 }
    }
  }
}
