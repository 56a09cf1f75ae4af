import MediaDrawing
import MediaModel
import Testing

struct SpectrumPictureTests {
  /// Silent but for one band of a 0 dB mean.
  private func summary(loudAtHz frequency: Double, rate: Int = 44_100) throws -> SpectrumSummary {
    var levels = Array(repeating: Float(-120), count: 80)
    levels[try #require(SpectrumBands.standard.index(ofHz: frequency))] = 0
    return SpectrumSummary(
      sampleRateInHz: rate, mix: .init(meanInDB: levels, maximumInDB: levels), channels: [],
      bins: .init(meanInDB: [], maximumInDB: []))
  }

  @Test(arguments: [(150.0, 0.0781), (1000, 0.4434), (10_000, 0.8868)])
  func `a bar stands where the axis says`(frequency: Double, fraction: Double) throws {
    let picture = SpectrumPicture(
      size: try PictureSize(width: 860, height: 350), table: SpectrumTable(try summary(loudAtHz: frequency)))
    let image = try picture.pixels()
    // The plot begins 44 pixels from the left and ends 16 from the right: 800 pixels, 10 a band.
    let expected = 44 + Int(fraction * 800)
    // Near the bottom only bars are warm: their red is far above their blue.
    let warm = (0..<image.width).filter { x in
      guard let pixel = image[x, 320] else { return false }
      return Int(pixel >> 16) > Int(pixel & 0xFF) + 100
    }
    #expect(warm.count == 9)
    #expect(warm.contains { abs($0 - expected) <= 5 })
  }

  @Test func `the same spectrum gives the same bytes`() throws {
    let picture = SpectrumPicture(
      size: try PictureSize(width: 400, height: 200), table: SpectrumTable(try summary(loudAtHz: 440)))
    let (first, second) = (try picture.bytes(as: .png), try picture.bytes(as: .png))
    #expect(first == second)
  }

  @Test(arguments: [(1, 1), (10, 3), (100, 50), (3000, 20)])
  func `small and strange pictures are drawn`(width: Int, height: Int) throws {
    let empty = SpectrumSummary(
      sampleRateInHz: 44_100, mix: .init(meanInDB: [], maximumInDB: []), channels: [],
      bins: .init(meanInDB: [], maximumInDB: []))
    var broken = try summary(loudAtHz: 1000, rate: 8000)
    broken.mix.meanInDB = Array(repeating: .nan, count: 80)
    broken.mix.maximumInDB = [.infinity]
    for summary in [empty, broken] {
      let picture = SpectrumPicture(
        size: try PictureSize(width: width, height: height), table: SpectrumTable(summary, weighting: .a))
      #expect(try picture.pixels().pixels.count == width * height)
    }
  }
}
