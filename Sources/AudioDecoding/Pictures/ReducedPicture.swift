internal import CFFmpeg
internal import Glibc
internal import MediaModel

/// A picture from tags in a smaller size, as JPEG.
///
/// FFmpeg decodes and encodes; the pixels of the result are the means of the areas that they cover. What is transparent
/// lies on white, of a moving picture the first one counts, and one that Exif data turn is turned, because they are not kept.
package enum ReducedPicture {
  /// Of what is decoded: 200 MB with everything.
  static let largestPixelCount: Int64 = 50_000_000
  /// FFmpeg's scale, from 1 to 31: some 90 of libjpeg's 100.
  private static let quantizer: Int32 = 3

  /// Loads the library. Call this in a process that may not open files later; without the library no picture is
  /// decoded.
  package static func loadLibrary() { _ = dw_ffmpeg_picture_load() }

  /// - Parameters:
  ///   - bytes: JPEG, PNG, WebP, GIF or BMP, whatever they are said to be.
  ///   - longestSide: In pixels, of the result.
  /// - Returns: nil if no side of the picture is longer.
  /// - Throws: ``DecodingError`` if it cannot be decoded.
  package static func jpeg(of bytes: [UInt8], longestSide: Int) throws(DecodingError) -> [UInt8]? {
    if let problem = dw_ffmpeg_picture_load() { throw .missingLibrary(reason: String(cString: problem)) }
    guard let decoder = decoder(of: bytes) else { throw .unsupported(reason: "no picture that can be decoded") }
    var picture = dw_ffmpeg_picture()
    let code = bytes.withUnsafeBufferPointer {
      dw_ffmpeg_decode_picture(decoder, $0.baseAddress, $0.count, largestPixelCount, &picture)
    }
    guard code == 0, let pixels = picture.pixels else {
      throw .damaged(Problem(code: "picture", reason: "the picture cannot be decoded"))
    }
    defer { free(pixels) }
    let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    guard let target = size.fitted(longestSide: longestSide) else { return nil }
    let all = UnsafeBufferPointer(start: pixels, count: 3 * size.width * size.height)
    let shown = PictureOrientation(of: bytes).applied(to: reduced(all.span, of: size, to: target), of: target)
    return encoded(shown.pixels, of: shown.size)
  }

  /// FFmpeg's name of the decoder, by the first bytes.
  private static func decoder(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "mjpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "gif" }
    if bytes.starts(with: Array("BM".utf8)) { return "bmp" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "webp" }
    return nil
  }

  private static func encoded(_ pixels: [UInt8], of size: PixelSize) -> [UInt8]? {
    var pixels = pixels
    return pixels.withUnsafeMutableBufferPointer { pixels in
      var picture = dw_ffmpeg_picture(
        width: Int32(size.width), height: Int32(size.height), pixels: pixels.baseAddress)
      var bytes: UnsafeMutablePointer<UInt8>?
      var count = 0
      guard dw_ffmpeg_encode_jpeg(&picture, quantizer, &bytes, &count) == 0, let bytes else { return nil }
      defer { free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  // MARK: - Averaging

  /// Pixels of three bytes, each the mean of the area that it covers.
  static func reduced(_ pixels: Span<UInt8>, of size: PixelSize, to target: PixelSize) -> [UInt8] {
    let columns = Coverage.all(from: size.width, to: target.width)
    let rows = Coverage.all(from: size.height, to: target.height)
    var result: [UInt8] = []
    result.reserveCapacity(3 * target.width * target.height)
    // The row that two rows of the result share is averaged once.
    var row = [Float](repeating: 0, count: 3 * target.width)
    var known = -1
    var sums = row
    for area in rows {
      for index in sums.indices { sums[index] = 0 }
      for y in area.first...area.last {
        if y != known { average(pixels, y * size.width, columns, into: &row) }
        known = y
        let weight = area.weight(of: y)
        for index in sums.indices { sums[index] += weight * row[index] }
      }
      for sum in sums { result.append(UInt8(min(max(sum, 0), 255).rounded())) }
    }
    return result
  }

  private static func average(_ pixels: Span<UInt8>, _ start: Int, _ columns: [Coverage], into row: inout [Float]) {
    for (x, area) in columns.enumerated() {
      var (red, green, blue) = (Float(0), Float(0), Float(0))
      for column in area.first...area.last {
        let (place, weight) = (3 * (start + column), area.weight(of: column))
        red += weight * Float(pixels[place])
        green += weight * Float(pixels[place + 1])
        blue += weight * Float(pixels[place + 2])
      }
      (row[3 * x], row[3 * x + 1], row[3 * x + 2]) = (red, green, blue)
    }
  }

  /// Which of the former pixels of a line a new one covers, with weights that add up to 1.
  private struct Coverage {
    let first: Int
    let last: Int
    private let lower: Double
    private let upper: Double

    static func all(from count: Int, to target: Int) -> [Coverage] {
      let width = Double(count) / Double(target)
      return (0..<target).map { Coverage(Double($0) * width, min(Double($0 + 1) * width, Double(count))) }
    }

    private init(_ lower: Double, _ upper: Double) {
      (self.lower, self.upper) = (lower, upper)
      first = Int(lower)
      last = max(first, Int(upper.rounded(.up)) - 1)
    }

    func weight(of index: Int) -> Float {
      Float((min(upper, Double(index + 1)) - max(lower, Double(index))) / (upper - lower))
    }
  }
}

/// Of a picture.
struct PixelSize: Hashable, Sendable {
  var width: Int
  var height: Int

  /// The same shape with a shorter longest side, at least one pixel wide and high; nil if it is not longer now.
  func fitted(longestSide: Int) -> PixelSize? {
    let longest = max(width, height)
    guard longest > longestSide, longestSide > 0 else { return nil }
    func scaled(_ side: Int) -> Int {
      max(1, Int((Double(side) * Double(longestSide) / Double(longest)).rounded()))
    }
    return PixelSize(width: scaled(width), height: scaled(height))
  }
}
