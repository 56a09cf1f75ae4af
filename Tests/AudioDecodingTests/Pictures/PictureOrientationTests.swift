import Testing

@testable import AudioDecoding

struct PictureOrientationTests {
  /// A picture of 3 by 2 pixels, `abc` above `def`, as it is shown with each value: Exif 2.32, 4.6.4 A, says where its first row
  /// and its first column are then.
  @Test(arguments: [
    (1, ["abc", "def"]), (2, ["cba", "fed"]), (3, ["fed", "cba"]), (4, ["def", "abc"]), (5, ["ad", "be", "cf"]),
    (6, ["da", "eb", "fc"]), (7, ["fc", "eb", "da"]), (8, ["cf", "be", "ad"]),
  ])
  func `a picture is turned as Exif says`(value: Int, shown: [String]) throws {
    let orientation = try #require(PictureOrientation(rawValue: value))
    func pixels(_ text: String) -> [UInt8] { text.utf8.flatMap { (byte: UInt8) -> [UInt8] in [byte, byte &+ 100, 7] } }
    let result = orientation.applied(to: pixels("abcdef"), of: PixelSize(width: 3, height: 2))
    #expect(result.size == PixelSize(width: shown[0].utf8.count, height: shown.count))
    #expect(result.pixels == pixels(shown.joined()))
  }

  @Test(arguments: 1...8, [true, false])
  func `JPEG, PNG and WebP say it`(value: Int, isLittle: Bool) {
    let exif = Exif.bytes(value, isLittle: isLittle)
    for picture in [Exif.jpeg(exif), Exif.png(exif), Exif.webp(exif), Exif.webp(Array("Exif\0\0".utf8) + exif)] {
      #expect(PictureOrientation(of: picture).rawValue == value)
    }
  }

  @Test func `what is not whole or makes no sense is upright`() {
    let exif = Exif.bytes(6, isLittle: true)
    for picture in [Exif.jpeg(exif), Exif.png(exif), Exif.webp(exif)] {
      // The value is in the last four bytes of the directory, of which the other two need not be there.
      for count in 0..<picture.count {
        let found = PictureOrientation(of: Array(picture.prefix(count)))
        #expect(found == .upright || found == .turnedRight && count > picture.count - 16, "\(count)")
      }
    }
    for value in [0, 9, 255, 65_535] {
      #expect(PictureOrientation(of: Exif.jpeg(Exif.bytes(value, isLittle: false))) == .upright, "\(value)")
    }
    var wrong = exif
    wrong.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(PictureOrientation(of: Exif.jpeg(wrong)) == .upright)
    #expect(PictureOrientation(of: Array("GIF89a".utf8)) == .upright)
  }

  @Test(arguments: [(1, 64, 32), (3, 64, 32), (6, 32, 64), (8, 32, 64)])
  func `a smaller picture is upright`(value: Int, width: Int, height: Int) throws {
    let bmp = Bitmap.bytes(width: 400, height: 200) { x, _ in x < 200 ? (255, 0, 0) : (0, 0, 255) }
    let stored = try #require(try ReducedPicture.jpeg(of: bmp, longestSide: 256))
    let picture = Exif.jpeg(Exif.bytes(value, isLittle: true), before: stored)
    let reduced = try #require(try ReducedPicture.jpeg(of: picture, longestSide: 64))
    // The frame header: marker, length, precision, height and width (ITU-T T.81, B.2.2).
    let frame = try #require(reduced.indices.first { reduced[$0...].starts(with: [0xFF, 0xC0]) })
    let size = reduced[(frame + 5)..<(frame + 9)].map(Int.init)
    #expect((size[2] << 8 | size[3], size[0] << 8 | size[1]) == (width, height))
  }
}

/// Files with nothing but an orientation.
private enum Exif {
  static func bytes(_ value: Int, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
      return isLittle ? bytes : bytes.reversed()
    }
    let make = number(271, 2) + number(2, 2) + number(4, 4) + Array("abc\0".utf8)
    let orientation = number(274, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2)
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2) + make + orientation
      + number(0, 4)
  }

  static func jpeg(_ exif: [UInt8], before picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA]) -> [UInt8] {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }
    let profile = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
    return [0xFF, 0xD8] + profile + [0xFF] + segment(0xE1, Array("Exif\0\0".utf8) + exif) + picture.dropFirst(2)
  }

  static func png(_ exif: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [1, 2, 3, 4]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [UInt8](repeating: 1, count: 13))
      + chunk("eXIf", exif)
  }

  static func webp(_ exif: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count % 2 == 0 ? [] : [0])
    }
    return Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + chunk("VP8X", [8, 0, 0]) + chunk("EXIF", exif)
  }
}
