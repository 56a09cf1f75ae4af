import Foundation
import MediaDrawing
import MediaModel
import Testing

struct EqualizerPictureTests {
  private let unicode = TerminalCapabilities(hasUnicode: true, colorDepth: .none)
  private let ascii = TerminalCapabilities(hasUnicode: false, colorDepth: .none)

  private func equalizer(_ bands: String..., gain: Double = 0) throws -> Equalizer {
    try Equalizer(bands: bands.map { try EqualizerBand(text: $0) }, gain: gain)
  }

  /// Rows of a column in which the sum's white line lies.
  private func whiteRows(_ image: PixelImage, x: Int) -> [Int] {
    (0..<image.height).filter { y in image[x, y].map { $0 & 0xF0_F0F0 == 0xF0_F0F0 } ?? false }
  }

  @Test(arguments: [20.0, 100, 500, 1000, 2000, 10_000, 19_000])
  func `the line of the sum stands where the analytic curve is`(frequency: Double) throws {
    let equalizer = try equalizer("pk 1000 6 q1", "ls 100 -4", gain: 2)
    let size = try PictureSize(width: 860, height: 450)
    let image = try EqualizerPicture(size: size, chart: EqualizerChart(equalizer: equalizer)).pixels()
    let level = equalizer.response(at: [frequency], sampleRate: 48_000)[0]
    // 800 by 400 pixels for 20 Hz to 20 kHz and -6 to 12 dB: the peak is at 8 dB, the shelf at -4 + 2.
    let x = 44 + Int((SpectrumScale.fraction(frequency) * 800).rounded(.down))
    let y = 24 + (12 - level) / 18 * 400
    let rows = whiteRows(image, x: min(x, 843))
    #expect(!rows.isEmpty && rows.allSatisfy { abs(Double($0) + 0.5 - y) <= 4 }, "\(rows) \(y)")
  }

  @Test func `left and right have lines of their own where they differ`() throws {
    let size = try PictureSize(width: 400, height: 200)
    let both = EqualizerPicture(size: size, chart: EqualizerChart(equalizer: try equalizer("pk 100 3")))
    let left = EqualizerPicture(size: size, chart: EqualizerChart(equalizer: try equalizer("pk 100 3 left")))
    #expect(try both.bytes(as: .png) != left.bytes(as: .png))
  }

  @Test(arguments: [1.0, 40, 100, 8_000, 192_000])
  func `strange rates and sizes are drawn`(sampleRate: Double) throws {
    let equalizer = try equalizer("bs 50 q30", "lp 10", "pk 384000 24 q100", "rhs 20 -96", gain: -96)
    let chart = EqualizerChart(equalizer: equalizer, sampleRate: sampleRate)
    for (width, height) in [(1, 1), (30, 900), (900, 30)] {
      let size = try PictureSize(width: width, height: height)
      #expect(try !EqualizerPicture(size: size, chart: chart, title: "\u{1B}[31m\n").bytes(as: .png).isEmpty)
    }
  }

  @Test func `the spectrum after is that before and the curve`() throws {
    // Pink: as much in every bin's sixth of an octave.
    let bins = (0..<2049).map { Float($0 == 0 ? -120 : -40 - 10 * SpectrumScale.log10(Double($0))) }
    let summary = SpectrumSummary(
      sampleRateInHz: 48_000, mix: .init(meanInDB: [], maximumInDB: []), channels: [],
      bins: .init(meanInDB: bins, maximumInDB: bins))
    let equalizer = try equalizer("pk 1000 -12 q1")
    let size = try PictureSize(width: 860, height: 450)
    let plain = EqualizerPicture(size: size, chart: EqualizerChart(equalizer: .flat, over: summary))
    let cut = EqualizerPicture(size: size, chart: EqualizerChart(equalizer: equalizer, over: summary))
    /// The row of the green line in a column.
    func greenRow(_ picture: EqualizerPicture, x: Int) throws -> Int? {
      let image = try picture.pixels()
      return (0..<image.height).first { y in
        guard let pixel = image[x, y] else { return false }
        let (red, green, blue) = (Int(pixel >> 16), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
        return green > red + 80 && green > blue + 30
      }
    }
    // The plot is 772 wide with the second scale, and 80 dB high: 5 pixels a dB.
    let x = 44 + Int(SpectrumScale.fraction(1000) * 772)
    let before = try #require(try greenRow(plain, x: x))
    let after = try #require(try greenRow(cut, x: x))
    #expect((55...65).contains(after - before), "\(after - before)")
  }

  @Test func `a tone has its level whatever the window spread it over`() throws {
    // A sine of -20 dBFS in the middle of a bin, in the shares that the window gives the bins beside it.
    var bins = [Float](repeating: DecibelStep.floorInDB, count: 2049)
    bins[85] = -20
    let beside = Float(-20 + 10 * SpectrumScale.log10(0.168_67 / 2))
    (bins[84], bins[86]) = (beside, beside)
    let summary = SpectrumSummary(
      sampleRateInHz: 48_000, mix: .init(meanInDB: [], maximumInDB: []), channels: [],
      bins: .init(meanInDB: bins, maximumInDB: bins))
    let level = EqualizedSpectrum(summary, equalizer: .flat).loudest
    #expect(abs(level - -20) < 0.01, "\(level)")
  }

  @Test func `a terminal shows points where the spectrum was, and bars where it is`() throws {
    let bins = Array(repeating: Float(-40), count: 2049)
    let summary = SpectrumSummary(
      sampleRateInHz: 48_000, mix: .init(meanInDB: [], maximumInDB: []), channels: [],
      bins: .init(meanInDB: bins, maximumInDB: bins))
    let chart = EqualizerChart(equalizer: try equalizer(gain: -30), over: summary)
    let text = TerminalPictures.equalizedSpectrum(chart, width: 45, height: 8, capabilities: ascii)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == 11)
    // In every column a point, and the bar begins 30 dB, three lines, below it.
    for column in 6..<43 {
      let cells = lines.prefix(8).map { $0.dropFirst(column).first ?? " " }
      let (point, bar) = (cells.firstIndex(of: ":"), cells.firstIndex(of: "#"))
      #expect(point != nil && bar.map { (2...4).contains($0 - (point ?? 0)) } ?? true, "\(text)")
    }
    #expect(
      TerminalPictures.equalizedSpectrum(
        EqualizerChart(equalizer: .flat), width: 45, height: 8, capabilities: ascii
      ).isEmpty)
  }

  @Test func `a terminal shows the curve, the bands behind it, and nothing else`() throws {
    let chart = EqualizerChart(equalizer: try equalizer("pk 632.4555 6 q1", gain: -6))
    let text = TerminalPictures.equalizer(chart, width: 45, height: 8, capabilities: ascii)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 10 && lines[9].isEmpty)
    #expect(text.allSatisfy { $0.isASCII })
    // From -12 to 12 dB in eight lines: the sum has its top in the middle just below the line of 0 dB.
    #expect(lines[4].hasPrefix("   0 "))
    let top = try #require(lines[4].dropFirst(5).firstIndex { "'.#".contains($0) })
    let place = lines[4].distance(from: lines[4].startIndex, to: top) - 5
    #expect((17...20).contains(place), "\(text)")
    #expect(lines[2].contains(":"), "the band's own top, at 6 dB")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    #expect(TerminalPictures.equalizer(chart, width: 1, height: 1, capabilities: unicode).isEmpty)
  }
}

/// The scale of frequencies in pictures of equalizers.
private enum SpectrumScale {
  /// `0...1` from 20 Hz to 20 kHz.
  static func fraction(_ frequency: Double) -> Double { log10(frequency / 20) / 3 }

  static func log10(_ value: Double) -> Double { Foundation.log10(value) }
}
