import MediaDrawing
import Testing

struct SoundMapPictureTests {
  /// 16 pixels at both sides, 24 above and 26 below leave 1,168 × 850 for the plot.
  private let size = (width: 1_200, height: 900)

  private func picture(_ tempi: [Double?]) throws -> PixelImage {
    let points = tempi.enumerated().map { index, tempo in
      SoundMapPicture.Point(x: Double(index + 1) / Double(tempi.count + 1), y: 0.5, beatsPerMinute: tempo)
    }
    return try SoundMapPicture(size: PictureSize(width: size.width, height: size.height), points: points).pixels()
  }

  /// The parts of a pixel.
  private func parts(_ pixel: UInt32?) -> [Int] { [16, 8, 0].map { Int((pixel ?? 0) >> $0 & 0xFF) } }

  /// The colours of the legend's squares from left to right: runs of a colour of some pixels.
  private func legend(_ image: PixelImage) -> [UInt32] {
    let row = (0..<size.width).compactMap { image[$0, 850 + 24 + 9 + 4] }
    return row.chunked().filter { $0.count >= 8 && $0.count < 40 }.map(\.pixel).filter { parts($0).max() ?? 0 > 90 }
  }

  @Test func `the legend has the colours from slow to fast`() throws {
    let colors = legend(try picture([70, 170]))
    #expect(colors.count == 8 && Set(colors).count == 8)
    // Blue becomes less and less, and the sum of red and green more: it gets lighter.
    let blue = colors.map { parts($0)[2] }
    let others = colors.map { parts($0)[0] + parts($0)[1] }
    #expect(blue == blue.sorted(by: >) && others == others.sorted())
  }

  @Test func `a point has the colour that the legend gives its tempo`() throws {
    let tempi: [Double] = [70, 120, 170]
    let image = try picture(tempi)
    // A little of the ground shines through the points.
    let ground = parts(image[20, 30])
    let colors = legend(image).map { zip(parts($0), ground).map { 0.85 * Double($0) + 0.15 * Double($1) } }
    for (index, tempo) in tempi.enumerated() {
      // In the middle of its seven pixels.
      let x = 16 + Int(Double(index + 1) / 4 * (1_168 - 7)) + 3
      let point = parts(image[x, 24 + Int(0.5 * (850 - 7)) + 3])
      let nearest = try #require(
        colors.indices.min { distance(point, colors[$0]) < distance(point, colors[$1]) })
      #expect(nearest == Int((tempo - 70) / 100 * 7), "\(tempo) BPM")
    }
  }

  private func distance(_ one: [Int], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + abs(Double($1.0) - $1.1) }
  }

  @Test func `an unknown tempo has a colour of its own in the legend`() throws {
    let colors = legend(try picture([70, nil]))
    #expect(colors.count == 9)
    // Grey: its parts differ little.
    let last = parts(colors.last)
    #expect((last.max() ?? 0) - (last.min() ?? 0) < 30)
  }

  @Test func `a map without tracks says so instead of explaining colours`() throws {
    let image = try picture([])
    #expect(legend(image).isEmpty)
    let middle = (560..<640).flatMap { x in (430..<470).map { y in parts(image[x, y])[0] } }
    #expect((middle.max() ?? 0) > 120)
  }
}

extension Array where Element == UInt32 {
  /// Equal neighbours together.
  fileprivate func chunked() -> [(pixel: UInt32, count: Int)] {
    var runs: [(pixel: UInt32, count: Int)] = []
    for pixel in self {
      if runs.last?.pixel == pixel { runs[runs.count - 1].count += 1 } else { runs.append((pixel, 1)) }
    }
    return runs
  }
}
