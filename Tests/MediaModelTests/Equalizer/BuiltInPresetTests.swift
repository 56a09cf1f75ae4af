import MediaModel
import TestSupport
import Testing

@Suite("Presets that come with the program")
struct BuiltInPresetTests {
  @Test func `There are thirteen, each with a name of its own`() {
    #expect(Preset.builtIn.count == 13 && Set(Preset.builtIn.map(\.name)).count == 13)
    #expect(["flat", "bass", "treble", "loudness", "voice"].allSatisfy(Preset.builtIn.map(\.name.key).contains))
  }

  @Test(arguments: [8_000.0, 22_050, 44_100, 48_000, 96_000, 192_000])
  func `None lifts anything above full scale, and all are stable`(sampleRate: Double) {
    for preset in Preset.builtIn {
      let equalizer = preset.chain.equalizer
      #expect(equalizer.peakResponse(sampleRate: sampleRate) < 0.01, "\(preset.name)")
      #expect(equalizer.filters(sampleRate: sampleRate).allSatisfy { $0.isStable }, "\(preset.name)")
    }
  }

  @Test func `Only the flat one does nothing`() {
    #expect(Preset.builtIn.filter { $0.chain == .neutral }.map(\.name.text) == ["Flat"])
  }
}
