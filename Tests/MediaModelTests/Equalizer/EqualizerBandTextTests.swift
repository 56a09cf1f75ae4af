import MediaModel
import Testing

@Suite("Bands in one line")
struct EqualizerBandTextTests {
  @Test func `A band is read as it is written`() throws {
    let band = try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9))
    #expect(try EqualizerBand(text: "pk 220 -2.4 q0.9") == band)
    #expect(try EqualizerBand(text: " Parametric  0.22k -2.4dB Q0.9 ") == band)
    #expect(band.text == "pk 220 -2.4 q0.9")
    let notch = try EqualizerBand(
      .bandStop, frequency: 50, width: .octaves(0.1), channels: .left, isBypassed: true)
    #expect(try EqualizerBand(text: "bs 50Hz oct0.1 left off") == notch)
    #expect(try EqualizerBand(text: "hp 30") == EqualizerBand(.highPass, frequency: 30))
  }

  @Test(arguments: FilterShape.allCases)
  func `Every band comes back from its text`(shape: FilterShape) throws {
    for width in [FilterWidth.quality(1.0 / 3), .octaves(0.7)] {
      let band = try EqualizerBand(shape, frequency: 1234.5678, gain: -0.1, width: width, channels: .right)
      #expect(try EqualizerBand(text: band.text) == band)
    }
  }

  @Test func `A slope of 1 is the plain shelf`() throws {
    let band = try EqualizerBand(text: "rls 105 5 slope1")
    #expect(abs(band.width.quality - 0.5.squareRoot()) < 1e-12)
  }

  // Faults: 136, 137
  @Test(arguments: [
    ("", "needs TYPE HZ"), ("comb 1 2", "unknown type 'comb'"), ("pk", "followed by the frequency"),
    ("pk loud 2", "followed by the frequency"), ("pk 100", "needs a gain"), ("lp 100 3", "has no gain"),
    ("ls 100 3 q1", "rls has"), ("pk 100 3 q1 oct1", "more than one width"), ("pk 100 3 4", "'4' is not one of"),
    ("pk 100 nan", "'nan' is not one of"), ("pk 100 1e999", "is not one of"), ("pk 100 25", "must be -96 to 24 dB"),
    ("pk 0 3", "must be 1 to 384000 Hz"), ("pk 100 3 q0", "must be 0.1 to 100"), ("rls 100 3 slope2", "slope is 2"),
  ])
  func `What is wrong is said with the band`(text: String, reason: String) {
    #expect {
      try EqualizerBand(text: text)
    } throws: {
      "\($0)".contains(reason)
    }
  }

  @Test func `The automatic gain knows the recording's peak`() throws {
    let equalizer = try Equalizer(bands: [EqualizerBand(text: "pk 1000 6 q1")], gain: 3)
    #expect(abs(equalizer.automaticGain(sampleRate: 48000) + 6) < 0.011)
    #expect(abs(equalizer.automaticGain(sampleRate: 48000, truePeak: -4.5) + 1.5) < 0.011)
    #expect(equalizer.automaticGain(sampleRate: 48000, truePeak: -10) == 0)
    #expect(abs(equalizer.automaticGain(sampleRate: 48000, truePeak: 1) + 7) < 0.011)
    #expect(Equalizer.flat.automaticGain(sampleRate: 48000) == 0)
  }
}
