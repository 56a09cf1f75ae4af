import Glibc
import MediaDrawing
import MediaModel
import Testing

struct WaveformPictureTests {
  private static let background: UInt32 = 0xD6D6D6
  private static let wave: UInt32 = 0x3F4D9B

  private func peaks(_ values: [Int16], channels: Int = 1, bits: WaveformPeaks.Resolution = .bits16) -> WaveformPeaks {
    WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: channels, resolution: bits, values: values)
  }

  private func picture(
    _ peaks: WaveformPeaks, width: Int = 20, height: Int = 100, _ change: (inout WaveformPicture) -> Void = { _ in }
  ) throws -> PixelImage {
    var picture = WaveformPicture(size: try PictureSize(width: width, height: height), peaks: peaks)
    picture.hasAxis = false
    change(&picture)
    return try picture.pixels()
  }

  /// The rows of a column that are not background.
  private func rows(_ image: PixelImage, x: Int) -> [Int] {
    (0..<image.height).filter { image[x, $0] != Self.background }
  }

  @Test func `a PNG has the size that was asked for`() throws {
    let bytes = try WaveformPicture(size: PictureSize(width: 800, height: 250), peaks: peaks([])).bytes(as: .png)
    #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(bytes[16..<24]) == [0, 0, 3, 0x20, 0, 0, 0, 250])
  }

  @Test func `the same picture gives the same bytes`() throws {
    let picture = WaveformPicture(
      size: try PictureSize(width: 300, height: 120), peaks: peaks((0..<600).map { Int16($0 % 7 * 1000 - 3000) }))
    let (first, second) = (try picture.bytes(as: .png), try picture.bytes(as: .png))
    #expect(first == second)
  }

  @Test func `silence is one pixel high, in the middle`() throws {
    let image = try picture(peaks([0, 0, 0, 0]))
    // u = 32768; y = 99 - 32768 * 100 / 65536
    #expect(rows(image, x: 0) == [49])
    #expect(rows(image, x: 1) == [49])
    #expect(image[0, 49] == Self.wave)
  }

  @Test func `columns beyond the data stay background`() throws {
    let image = try picture(peaks([-100, 100]))
    #expect(rows(image, x: 1).isEmpty)
  }

  @Test func `full scale fills the height`() throws {
    let image = try picture(peaks([-32768, 32767]))
    #expect(rows(image, x: 0) == Array(0..<100))
  }

  @Test func `8 bit stands for 256 times its value`() throws {
    let coarse = try picture(peaks([-64, 32], bits: .bits8))
    let fine = try picture(peaks([-16_384, 8192]))
    #expect(coarse == fine)
    #expect(rows(coarse, x: 0) == Array(37...74))
  }

  @Test func `a sine's envelope follows the formula of the reference`() throws {
    let values = (0..<20).flatMap { point -> [Int16] in
      let level = Int16(32_000 * sin(.pi * Double(point) / 20))
      return [-level, level]
    }
    let image = try picture(peaks(values), height: 250)
    for x in 0..<20 {
      let (low, high) = (Int(values[2 * x]), Int(values[2 * x + 1]))
      let top = 249 - (high + 32_768) * 250 / 65_536
      let bottom = 249 - (low + 32_768) * 250 / 65_536
      #expect(rows(image, x: x) == Array(top...bottom))
    }
  }

  @Test func `two channels have a blank row of pixels between them`() throws {
    let image = try picture(peaks([-32768, 32767, -32768, 32767], channels: 2), height: 101)
    #expect(rows(image, x: 0) == Array(0..<50) + Array(51..<101))
  }

  @Test func `channels take their colours in turn`() throws {
    let image = try picture(peaks([0, 0, 0, 0, 0, 0], channels: 3), height: 92) {
      $0.colors.waveform = [PictureColor(255, 0, 0), PictureColor(0, 0, 255)]
    }
    #expect(rows(image, x: 0).map { image[0, $0] } == [0xFF0000, 0x0000FF, 0xFF0000])
  }

  @Test func `the first column shows the first point that is asked for`() throws {
    let image = try picture(peaks([0, 0, 0, 0, -32768, 32767])) { $0.firstPoint = 2 }
    #expect(rows(image, x: 0).count == 100)
    #expect(rows(image, x: 1).isEmpty)
  }

  @Test func `a factor scales and clips`() throws {
    let image = try picture(peaks([-8192, 20_000])) { $0.amplitudeScale = .factor(2) }
    #expect(rows(image, x: 0) == Array(0...74))
  }

  @Test func `auto lets the loudest visible point reach full scale`() throws {
    let values: [Int16] = [-100, 1000, 0, 0, -32768, 32767]
    let image = try picture(peaks(values), width: 2) { $0.amplitudeScale = .automatic }
    #expect(rows(image, x: 0).first == 0)
  }

  @Test func `bars are symmetric, 8 wide with gaps of 4`() throws {
    let values = (0..<24).flatMap { point -> [Int16] in point == 3 ? [-16_384, 100] : [0, 0] }
    let image = try picture(peaks(values), width: 24) { $0.shape = .bars }
    #expect((0..<24).filter { !rows(image, x: $0).isEmpty } == Array(0..<8) + Array(12..<20))
    #expect((0..<8).allSatisfy { rows(image, x: $0) == Array(24...74) })
    #expect(rows(image, x: 12) == [49])
  }

  @Test func `the axis draws a border and ticks at labels`() throws {
    // 100 columns a second: labels every second are 100 pixels apart.
    let image = try picture(peaks([]), width: 250, height: 100) { $0.hasAxis = true }
    #expect(image[125, 0] == 0 && image[125, 99] == 0 && image[249, 50] == 0)
    #expect(image[100, 5] == 0 && image[100, 95] == 0 && image[200, 5] == 0)
    #expect(image[101, 5] == Self.background && image[150, 5] == Self.background)
    #expect(image[100, 50] == Self.background)
  }

  @Test func `the RMS level is drawn inside the peaks`() throws {
    let energy = WaveformEnergy(
      sampleRateInHz: 44_100, framesPerPoint: 441, points: [.init(rms: 228, low: 228, mid: 0, high: 0)])
    let image = try picture(peaks([-32768, 32767])) {
      $0.style = .rms
      $0.energy = energy
    }
    // Step 228 is -6 dBFS: 0.501 of the height; the peaks around it are paler.
    #expect((26...73).allSatisfy { image[0, $0] == Self.wave })
    #expect([0, 20, 80, 99].allSatisfy { image[0, $0] != Self.wave && image[0, $0] != Self.background })
  }

  @Test func `lows are red, mids green, highs blue`() throws {
    let points: [WaveformEnergy.Point] = [
      .init(rms: 200, low: 200, mid: 0, high: 0), .init(rms: 200, low: 0, mid: 200, high: 0),
      .init(rms: 200, low: 0, mid: 0, high: 200),
    ]
    let image = try picture(peaks(Array(repeating: 0, count: 6))) {
      $0.style = .bands
      $0.energy = WaveformEnergy(sampleRateInHz: 44_100, framesPerPoint: 441, points: points)
    }
    #expect((0..<3).map { image[$0, 49] } == [0xE53946, 0x3CBC78, 0x4287F5])
  }

  @Test(arguments: [
    (0, 10), (10, 0), (-1, 10), (32_768, 1), (1, .max), (.max, .max), (20_000, 20_000),
  ])
  func `a size that cannot be is an error`(width: Int, height: Int) {
    #expect(throws: DrawingError.pictureSize(width: width, height: height)) {
      try PictureSize(width: width, height: height)
    }
  }

  @Test(
    arguments: WaveformPicture.Style.allCases,
    [WaveformPicture.Shape.normal, .bars, .bars(width: .max, gap: -1, isRounded: true)])
  func `hostile values draw something and never trap`(style: WaveformPicture.Style, shape: WaveformPicture.Shape) throws
  {
    let strange = peaks([32767, -32768, .min, .max, 5, -5])
    for (width, height) in [(1, 1), (3, 2), (2000, 3)] {
      for firstPoint in [0, 2, -5, .max, .min / 2] {
        for scale in [AmplitudeScale.automatic, .factor(.nan), .factor(.infinity), .factor(-1), .factor(1e300)] {
          let image = try picture(strange, width: width, height: height) {
            $0.style = style
            $0.shape = shape
            $0.firstPoint = firstPoint
            $0.firstFrame = .max
            $0.startInSeconds = .nan
            $0.amplitudeScale = scale
            $0.hasAxis = true
            $0.energy = WaveformEnergy(sampleRateInHz: 0, framesPerPoint: 0, points: [])
          }
          #expect(image.pixels.count == width * height)
        }
      }
    }
  }
}
