import MediaDrawing
import MediaModel
import Testing

struct TerminalPicturesTests {
  private let unicode = TerminalCapabilities(hasUnicode: true, colorDepth: .none)
  private let ascii = TerminalCapabilities(hasUnicode: false, colorDepth: .none)
  private let colorful = TerminalCapabilities(hasUnicode: true, colorDepth: .trueColor)

  /// Points of 10 ms.
  private func peaks(_ values: [Int16], channels: Int = 1) -> WaveformPeaks {
    WaveformPeaks(sampleRateInHz: 1000, framesPerPoint: 10, channelCount: channels, resolution: .bits8, values: values)
  }

  @Test func `a waveform is drawn in braille`() {
    let wave = peaks([0, 0, -32, 32, -64, 64, -128, 127])
    #expect(TerminalPictures.waveform(wave, width: 2, height: 2, hasAxis: false, capabilities: unicode) == "⣠⣾\n⠈⢻\n")
  }

  @Test func `without Unicode it is drawn in ASCII`() {
    let wave = peaks([0, 0, -64, 64, -128, 127])
    #expect(
      TerminalPictures.waveform(wave, width: 3, height: 2, hasAxis: false, capabilities: ascii) == ".##\n '#\n")
  }

  @Test func `few points fill the width`() {
    let wave = peaks([-128, 127])
    #expect(TerminalPictures.waveform(wave, width: 4, height: 1, hasAxis: false, capabilities: unicode) == "⣿⣿⣿⣿\n")
  }

  @Test func `each channel has rows of its own`() {
    let wave = peaks([-128, 127, 0, 0], channels: 2)
    #expect(TerminalPictures.waveform(wave, width: 1, height: 1, hasAxis: false, capabilities: unicode) == "⣿\n⠒\n")
  }

  @Test func `automatic scaling lets quiet music fill the height`() {
    let wave = peaks([-10, 10])
    #expect(
      TerminalPictures.waveform(
        wave, width: 1, height: 1, amplitudeScale: .automatic, hasAxis: false, capabilities: unicode) == "⣿\n")
  }

  @Test func `time stands below`() {
    let wave = peaks(Array(repeating: 0, count: 2 * 400))
    let text = TerminalPictures.waveform(wave, width: 40, height: 1, capabilities: ascii)
    #expect(
      text == String(repeating: "'", count: 40) + "\n'00:00    '00:01    '00:02    '00:03\n")
  }

  @Test func `columns are coloured by their energy, and colours are switched off at the end`() {
    let energy = WaveformEnergy(
      sampleRateInHz: 1000, framesPerPoint: 10,
      points: [.init(rms: 200, low: 200, mid: 0, high: 0), .init(rms: 200, low: 0, mid: 0, high: 200)])
    let text = TerminalPictures.waveform(
      peaks([-128, 127, -128, 127]), energy: energy, width: 2, height: 1, hasAxis: false, capabilities: colorful)
    #expect(text == "\u{1B}[38;2;229;57;70m⣿\u{1B}[38;2;66;135;245m⣿\u{1B}[0m\n")
  }

  @Test func `256 colours take the nearest of the palette`() {
    let energy = WaveformEnergy(
      sampleRateInHz: 1000, framesPerPoint: 10, points: [.init(rms: 0, low: 0, mid: 0, high: 0)])
    let text = TerminalPictures.waveform(
      peaks([-128, 127]), energy: energy, width: 1, height: 1, hasAxis: false,
      capabilities: TerminalCapabilities(hasUnicode: true, colorDepth: .palette256))
    #expect(text == "\u{1B}[38;5;244m⣿\u{1B}[0m\n")
  }

  @Test func `a spectrum is drawn in eighths`() {
    // A range of 60 dB below 0: a full bar, half of one, an eighth, nothing.
    let text = TerminalPictures.spectrum(summary([0, -30, -52.5, -120]), width: 4, height: 1, capabilities: unicode)
    #expect(text == "█▄▁\n\n")
  }

  @Test func `a spectrum in ASCII has half steps`() {
    let text = TerminalPictures.spectrum(summary([0, -30, -50, -120]), width: 4, height: 1, capabilities: ascii)
    #expect(text == "#.\n\n")
  }

  @Test func `levels stand beside a spectrum and frequencies below`() {
    let text = TerminalPictures.spectrum(
      summary(Array(repeating: 0, count: 80)), width: 45, height: 3, capabilities: ascii)
    let bars = String(repeating: "#", count: 40)
    #expect(
      text == "   0 \(bars)\n     \(bars)\n -40 \(bars)\n     '100    '300     '1k      '3k      '10k\n")
  }

  @Test(arguments: [(8, nil), (8, "-70..-10"), (6, nil), (5, nil), (16, "-90..-10")] as [(Int, String?)])
  func `the levels of a spectrum are those at the upper edges of every second line`(
    height: Int, levels: String?
  ) throws {
    let text = TerminalPictures.spectrum(
      SpectrumTable(summary(Array(repeating: -10, count: 80))), width: 45, height: height,
      levels: levels.flatMap { DecibelRange($0) }, capabilities: ascii)
    let labels = text.split(separator: "\n").prefix(height).map { Double($0.prefix(4).filter { $0 != " " }) }
    let steps = try zip(labels, labels.dropFirst(2)).enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map { try #require($0.element.0) - #require($0.element.1) }
    #expect(labels[0] == -10 && labels[1] == nil)
    #expect(!steps.isEmpty && Set(steps).count == 1, "\(labels)")
  }

  @Test func `the bars of a spectrum cover the levels that are asked for`() throws {
    let table = SpectrumTable(summary([0, -30, -15, -30]), weighting: .none)
    let levels = try #require(DecibelRange("-30..0"))
    let text = TerminalPictures.spectrum(table, width: 4, height: 1, levels: levels, capabilities: unicode)
    #expect(text == "█ ▄\n\n")
  }

  @Test func `on a linear axis a band is as wide as its frequencies`() {
    // The highest of 80 bands: 6 % of all that is between 100 Hz and 18 kHz.
    let table = SpectrumTable(summary(Array(repeating: -120, count: 79) + [0]), weighting: .none)
    let linear = TerminalPictures.spectrum(table, width: 29, height: 1, scale: .linear, capabilities: unicode)
    #expect(linear.hasPrefix(String(repeating: " ", count: 27) + "██\n"))
    let log = TerminalPictures.spectrum(table, width: 29, height: 1, scale: .log, capabilities: unicode)
    #expect(log.hasPrefix(String(repeating: " ", count: 28) + "█\n"))
  }

  @Test func `a spectrogram takes two half blocks a cell`() {
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 2, steps: [240, 0])
    let text = TerminalPictures.spectrogram(
      SpectrogramSection(grid), width: 1, height: 1, capabilities: colorful)
    let (low, high) = (ColorMap.ember.color(at: 1).rgb, ColorMap.ember.color(at: 0).rgb)
    #expect(
      text == "\u{1B}[38;2;\(high.red);\(high.green);\(high.blue)m\u{1B}[48;2;\(low.red);\(low.green);\(low.blue)m▀"
        + "\u{1B}[0m\n\n")
  }

  @Test func `a spectrogram without colours has shades`() {
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 2, steps: [240, 180, 0, 240])
    #expect(
      TerminalPictures.spectrogram(SpectrogramSection(grid), width: 2, height: 2, capabilities: unicode) == "▒█\n█\n\n")
  }

  // Faults: 118
  @Test(arguments: [0, 1, 2, 29, 30, 500, .max, .min])
  func `any size of anything is drawn without a trap`(width: Int) {
    let energy = WaveformEnergy(sampleRateInHz: 0, framesPerPoint: 0, points: [])
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 5, steps: Array(repeating: 200, count: 15))
    for capabilities in [unicode, ascii, colorful] {
      for height in [0, 1, 3, .min] {
        let drawings = [
          TerminalPictures.waveform(peaks([]), width: width, height: height, capabilities: capabilities),
          TerminalPictures.waveform(
            peaks([127, -128]), energy: energy, points: 5..<9, width: width, height: height, capabilities: capabilities),
          TerminalPictures.waveform(
            peaks([127, -128]), energy: energy, width: width, height: height, amplitudeScale: .factor(.nan),
            capabilities: capabilities),
          TerminalPictures.spectrum(summary([]), width: width, height: height, capabilities: capabilities),
          TerminalPictures.spectrum(summary([.nan]), width: width, height: height, capabilities: capabilities),
          TerminalPictures.spectrogram(
            SpectrogramSection(grid), width: width, height: height, capabilities: capabilities),
        ]
        #expect(drawings.allSatisfy { $0.isEmpty || $0.hasSuffix("\n") })
      }
    }
  }

  private func summary(_ levels: [Float]) -> SpectrumSummary {
    SpectrumSummary(
      sampleRateInHz: 44_100, mix: .init(meanInDB: levels, maximumInDB: levels), channels: [],
      bins: .init(meanInDB: [], maximumInDB: []))
  }
}
