import MediaDrawing
import MediaModel
import Testing

struct SpectrogramPictureTests {
  /// A tone that climbs one band a column, from the lowest to the highest: 80 columns, 20 seconds.
  private let sweep = SpectrumGrid(
    columnsPerSecond: 4, bandCount: 80,
    steps: (0..<80).flatMap { column in (0..<80).map { $0 == column ? UInt8(240) : 0 } })

  private func brightness(_ pixel: UInt32?) -> Int {
    let pixel = pixel ?? 0
    return Int(pixel >> 16) + Int(pixel >> 8 & 0xFF) + Int(pixel & 0xFF)
  }

  @Test func `a sweep climbs where the axes say`() throws {
    // 44 pixels at the left and 74 at the right, 24 above and 26 below leave 800 × 400: 10 a column, 5 a band.
    let picture = SpectrogramPicture(
      size: try PictureSize(width: 918, height: 450), section: SpectrogramSection(sweep))
    let image = try picture.pixels()
    for column in stride(from: 5, to: 75, by: 10) {
      let x = 44 + column * 10 + 5
      let brightest = (24..<424).max { brightness(image[x, $0]) < brightness(image[x, $1]) }
      let expected = 424 - (column * 5 + 3)
      #expect(abs(try #require(brightest) - expected) <= 3)
      // Ten bands away there is nothing.
      #expect(brightness(image[x, max(24, expected - 50)]) < 60)
    }
  }

  @Test(arguments: [0, 20] as [UInt8]) func `silence is dark, with the noise of dither or without`(step: UInt8) throws {
    let silence = SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: Array(repeating: step, count: 8 * 80))
    let image = try SpectrogramPicture(
      size: PictureSize(width: 918, height: 450), section: SpectrogramSection(silence)
    ).pixels()
    #expect((50..<400).allSatisfy { brightness(image[$0, 200]) < 120 })
  }

  @Test func `on a linear axis the sweep climbs where that says`() throws {
    var picture = SpectrogramPicture(
      size: try PictureSize(width: 918, height: 450), section: SpectrogramSection(sweep))
    picture.scale = .linear
    let image = try picture.pixels()
    // Below the 40th band, a fourteenth of the height, bands are less than a pixel.
    for column in stride(from: 45, to: 75, by: 5) {
      let x = 44 + column * 10 + 5
      let brightest = (24..<424).max { brightness(image[x, $0]) < brightness(image[x, $1]) }
      let hertz = SpectrumBands.standard.center(of: column)
      let expected = 424 - Int((hertz - 100) / 17_900 * 400)
      #expect(abs(try #require(brightest) - expected) <= 3, "band \(column)")
    }
  }

  @Test func `a width that stands for more than there is stays empty at its end`() throws {
    var picture = SpectrogramPicture(
      size: try PictureSize(width: 918, height: 450), section: SpectrogramSection(sweep))
    picture.durationInSeconds = 40
    let image = try picture.pixels()
    // Half as wide: 5 pixels a column.
    for column in stride(from: 5, to: 75, by: 10) {
      let x = 44 + column * 5 + 2
      let brightest = (24..<424).max { brightness(image[x, $0]) < brightness(image[x, $1]) }
      #expect(abs(try #require(brightest) - (424 - (column * 5 + 3))) <= 3)
    }
    #expect(Set((450..<840).map { image[$0, 100] }).count == 1)
  }

  @Test func `levels that were asked for are the colours' ends`() throws {
    var picture = SpectrogramPicture(
      size: try PictureSize(width: 918, height: 450), section: SpectrogramSection(sweep))
    picture.colors = .paper
    picture.levels = DecibelRange(bottom: -50, top: -20)
    let image = try picture.pixels()
    // The sweep is at 0 dB, above the top: black; silence is white.
    #expect(image[44 + 405, 424 - 203].map(brightness) ?? 999 < 60)
    #expect(image[44 + 405, 100].map(brightness) ?? 0 > 700)
  }

  @Test func `the same section gives the same bytes`() throws {
    let picture = SpectrogramPicture(
      size: try PictureSize(width: 300, height: 200), section: SpectrogramSection(sweep))
    let (first, second) = (try picture.bytes(as: .png), try picture.bytes(as: .png))
    #expect(first == second)
  }

  @Test(arguments: [(1, 1), (7, 3), (200, 90), (4000, 5)])
  func `small and empty ones are drawn`(width: Int, height: Int) throws {
    for grid in [
      sweep, SpectrumGrid(columnsPerSecond: .nan, bandCount: 1, steps: [255]),
      SpectrumGrid(columnsPerSecond: 4, bandCount: 3, steps: []),
    ] {
      let picture = SpectrogramPicture(
        size: try PictureSize(width: width, height: height), section: SpectrogramSection(grid))
      #expect(try picture.pixels().pixels.count == width * height)
    }
  }
}
