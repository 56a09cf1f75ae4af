import Testing

@testable import AudioDecoding

struct ReducedPictureTests {
  @Test(
    arguments: [
      (1200, 800, 300, PixelSize(width: 300, height: 200)), (800, 1200, 300, PixelSize(width: 200, height: 300)),
      (301, 300, 300, PixelSize(width: 300, height: 299)), (10_000, 1, 64, PixelSize(width: 64, height: 1)),
      (300, 300, 300, nil), (64, 2, 300, nil),
    ] as [(Int, Int, Int, PixelSize?)])
  func `a picture keeps its shape and never becomes larger`(width: Int, height: Int, side: Int, fitted: PixelSize?) {
    #expect(PixelSize(width: width, height: height).fitted(longestSide: side) == fitted)
  }

  /// Both pictures consist of cells: an old pixel has `newWidth` of them in a row, a new one `width`.
  @Test(arguments: [(6, 4, 3, 2), (7, 5, 3, 2), (5, 7, 4, 1), (12, 5, 5, 4)])
  func `each pixel is the mean of the area that it covers`(width: Int, height: Int, newWidth: Int, newHeight: Int) {
    let pixels = (0..<3 * width * height).map { (place: Int) -> UInt8 in UInt8(place * (97 + place * 31) % 256) }
    let found = ReducedPicture.reduced(
      pixels.span, of: PixelSize(width: width, height: height), to: PixelSize(width: newWidth, height: newHeight))
    var expected: [Double] = []
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        for channel in 0..<3 {
          var sum = 0.0
          for row in (y * height..<(y + 1) * height).map({ $0 / newHeight }) {
            for column in (x * width..<(x + 1) * width).map({ $0 / newWidth }) {
              sum += Double(pixels[3 * (row * width + column) + channel])
            }
          }
          expected.append(sum / Double(width * height))
        }
      }
    }
    #expect(found.count == expected.count)
    // Half a step by rounding.
    for (one, other) in zip(found, expected) { #expect(abs(Double(one) - other) < 0.5 + 0.001) }
  }

  @Test func `a picture of one colour is one after it was reduced and encoded`() throws {
    let bmp = Bitmap.bytes(width: 200, height: 150) { _, _ in (200, 100, 50) }
    let jpeg = try #require(try ReducedPicture.jpeg(of: bmp, longestSide: 64))
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && jpeg.suffix(2) == [0xFF, 0xD9])
    #expect(try ReducedPicture.jpeg(of: jpeg, longestSide: 64) == nil)
    #expect(try ReducedPicture.jpeg(of: bmp, longestSide: 200) == nil)
  }

  @Test(arguments: [0, 2, 3, 17, 54, 60, 5000])
  func `what cannot be decoded is an error`(length: Int) {
    let bmp = Bitmap.bytes(width: 200, height: 150) { x, y in (UInt8(x), UInt8(y), 0) }
    #expect(throws: DecodingError.self) { try ReducedPicture.jpeg(of: Array(bmp.prefix(length)), longestSide: 64) }
  }

  @Test func `a picture with too many pixels is an error`() {
    var bmp = Bitmap.bytes(width: 2, height: 2) { _, _ in (0, 0, 0) }
    // 65,535 by 65,535.
    bmp.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0])
    #expect(throws: DecodingError.self) { try ReducedPicture.jpeg(of: bmp, longestSide: 64) }
  }
}

/// A BMP with 24 bits for each pixel.
enum Bitmap {
  static func bytes(width: Int, height: Int, _ colour: (Int, Int) -> (UInt8, UInt8, UInt8)) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let rowByteCount = (3 * width + 3) / 4 * 4
    let size = rowByteCount * height
    var bytes = Array("BM".utf8) + number(54 + size, 4) + number(0, 4) + number(54, 4)
    bytes += number(40, 4) + number(width, 4) + number(height, 4) + number(1, 2) + number(24, 2) + number(0, 4)
    bytes += number(size, 4) + number(2835, 4) + number(2835, 4) + number(0, 8)
    for y in (0..<height).reversed() {
      var row: [UInt8] = []
      for x in 0..<width {
        let (red, green, blue) = colour(x, y)
        row += [blue, green, red]
      }
      bytes += row + [UInt8](repeating: 0, count: rowByteCount - row.count)
    }
    return bytes
  }
}
