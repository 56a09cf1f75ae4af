import Foundation
import MediaDrawing
import MediaModel
import TestSupport
import Testing

struct PNGCompressionTests {
  private func picture(background: PictureColor? = nil) throws -> WaveformPicture {
    var values: [Int16] = []
    for point in 0..<400 {
      values.append(Int16(-(point * 7919 % 30_000)))
      values.append(Int16(point * 104_729 % 30_000))
    }
    var picture = WaveformPicture(
      size: try PictureSize(width: 400, height: 100),
      peaks: WaveformPeaks(
        sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits16, values: values))
    if let background { picture.colors.background = background }
    return picture
  }

  /// Red, green, blue and alpha of every pixel of a PNG, as FFmpeg reads it.
  private func decoded(_ png: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "picture.png")
    try Data(png).write(to: url)
    return Array(
      try Tool.run("ffmpeg", "-v", "error", "-i", url.path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"))
  }

  @Test func `there are zlib's levels and no others`() {
    #expect((-3...12).filter { PNGCompression(level: $0) != nil } == Array(-1...9))
  }

  @Test func `-1 gives the same bytes as no level`() throws {
    #expect(try picture().bytes(as: .png, compression: PNGCompression(level: -1)) == picture().bytes(as: .png))
  }

  @Test func `more compression makes fewer bytes, and none leaves the rows as they are`() throws {
    let sizes = try [0, 1, 9].map { try picture().bytes(as: .png, compression: PNGCompression(level: $0)).count }
    #expect(sizes[0] > 400 * 100 * 3 && sizes[0] < 400 * 100 * 3 + 1000)
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `an opaque picture has the same pixels at every level`() throws {
    let pixels = try picture().pixels().pixels.flatMap { pixel in
      [UInt8(pixel >> 16 & 255), UInt8(pixel >> 8 & 255), UInt8(pixel & 255), 255]
    }
    for level in [-1, 0, 9] {
      #expect(try decoded(picture().bytes(as: .png, compression: PNGCompression(level: level))) == pixels)
    }
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `colours of transparent pixels are not darkened by their opacity`() throws {
    let background = PictureColor(200, 100, 50, alpha: 0.5)
    let pictures = try [-1, 0, 9].map { level in
      try decoded(picture(background: background).bytes(as: .png, compression: PNGCompression(level: level)))
    }
    #expect(pictures[0] == pictures[1] && pictures[0] == pictures[2])
    // A pixel below the border that no tick or peak covers: 8 bits of premultiplied colour are within 1 after the division.
    let pixel = pictures[0][(2 * 400 + 390) * 4..<(2 * 400 + 391) * 4].map(Int.init)
    #expect(zip(pixel, [200, 100, 50, 128]).allSatisfy { abs($0 - $1) <= 1 })
  }
}
