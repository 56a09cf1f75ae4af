import Base
import Foundation
import MediaModel
import Testing

@Suite("Equalizer")
struct EqualizerTests {
  @Test func `Neighbouring bands of a graphic equalizer add up`() throws {
    let six = try GraphicEqualizer.equalizer(sliders: Array(repeating: 6, count: 10))
    let twelve = try GraphicEqualizer.equalizer(sliders: Array(repeating: 12, count: 10))
    #expect(abs(six.peakResponse(sampleRate: 48000) - 8.83) < 0.01)
    #expect(abs(twelve.peakResponse(sampleRate: 48000) - 18.40) < 0.01)
  }

  @Test(arguments: [
    [3.0, 2, 1, 0, 0, 0, -1, -1, 0, 1], [6, 6, 6, 6, 6, 6, 6, 6, 6, 6], [-12, 12, -12, 12, 0, 3, 0, -6, 6, -6],
  ])
  func `A compensated one passes through its sliders`(sliders: [Double]) throws {
    let equalizer = try GraphicEqualizer.equalizer(sliders: sliders, isCompensated: true)
    let audible = zip(GraphicEqualizer.centers, sliders).filter { $0.1 != 0 }
    let response = equalizer.response(at: audible.map(\.0), sampleRate: 48000)
    for (found, slider) in zip(response, audible) { #expect(abs(found - slider.1) < 0.01) }
  }

  @Test func `The headroom brings the sum down to 0 dB`() throws {
    let bands = [
      try EqualizerBand(.resonantLowShelf, frequency: 105, gain: 4.5, width: .quality(0.7)),
      try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9)),
      try EqualizerBand(.parametric, frequency: 2900, gain: 3.6, width: .quality(1.8)),
      try EqualizerBand(.resonantHighShelf, frequency: 10000, gain: -1.5, width: .quality(0.7)),
    ]
    let equalizer = try Equalizer(bands: bands)
    #expect(abs(equalizer.automaticGain(sampleRate: 48000) + 4.47) < 0.02)
    let lowered = try Equalizer(bands: bands, gain: equalizer.automaticGain(sampleRate: 48000))
    #expect((-0.0101...0).contains(lowered.peakResponse(sampleRate: 48000)))
    #expect(Equalizer.flat.automaticGain(sampleRate: 48000) == 0)
  }

  @Test func `Bands are sorted by frequency, stably`() throws {
    let first = try EqualizerBand(.parametric, frequency: 500, gain: 1)
    let second = try EqualizerBand(.parametric, frequency: 500, gain: 2)
    let low = try EqualizerBand(.highPass, frequency: 30)
    #expect(try Equalizer(bands: [first, second, low]).bands == [low, first, second])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 24.001, -96.5, 1e308])
  func `A gain out of range is refused with the range`(gain: Double) {
    #expect {
      try EqualizerBand(.parametric, frequency: 100, gain: gain)
    } throws: {
      "\($0)".contains("-96 to 24 dB")
    }
  }

  @Test func `A negative zero is a zero`() throws {
    let band = try EqualizerBand(.parametric, frequency: 100, gain: -0.0)
    #expect(band.gain.sign == .plus && !band.isAudible)
  }

  // Faults: 139
  @Test func `Names that differ in case or composition only are one`() throws {
    #expect(try PresetName("Caf\u{E9} ") == PresetName("cafe\u{301}".uppercased()))
    #expect(throws: PresetError.self) { try PresetName(" \t") }
    #expect(throws: PresetError.self) { try PresetName(String(repeating: "x", count: 201)) }
    #expect(throws: PresetError.self) { try PresetName("a\u{1B}[2J") }
    #expect(throws: PresetError.self) { try PresetName(ArgumentText.text(ofBytes: [0x63, 0xE9])) }
  }
}
