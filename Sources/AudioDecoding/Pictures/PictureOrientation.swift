/// How a stored picture has to be turned and mirrored to be shown upright: the values of tag 274 of Exif 2.32.
enum PictureOrientation: Int {
  case upright = 1
  case mirrored, upsideDown, flipped, transposed, turnedRight, transversed, turnedLeft

  /// That of a JPEG, PNG or WebP file, as far as its Exif data say one; else upright.
  init(of picture: [UInt8]) {
    let value = Self.exif(in: picture).flatMap { Self.orientation(inTIFF: $0) }
    self = value.flatMap(Self.init(rawValue:)) ?? .upright
  }

  /// Whether width and height change places.
  private var isOnItsSide: Bool { rawValue >= 5 }

  /// Pixels of three bytes as they are shown.
  func applied(to pixels: [UInt8], of size: PixelSize) -> (pixels: [UInt8], size: PixelSize) {
    guard self != .upright else { return (pixels, size) }
    let shown = isOnItsSide ? PixelSize(width: size.height, height: size.width) : size
    let (right, bottom) = (size.width - 1, size.height - 1)
    var result: [UInt8] = []
    result.reserveCapacity(pixels.count)
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        let (column, row) =
          switch self {
          case .upright: (x, y)
          case .mirrored: (right - x, y)
          case .upsideDown: (right - x, bottom - y)
          case .flipped: (x, bottom - y)
          case .transposed: (y, x)
          case .turnedRight: (y, bottom - x)
          case .transversed: (right - y, bottom - x)
          case .turnedLeft: (right - y, x)
          }
        let place = 3 * (row * size.width + column)
        result += pixels[place..<place + 3]
      }
    }
    return (result, shown)
  }

  // MARK: - Exif

  /// The TIFF structure with the Exif data of a file; nil if it has none.
  private static func exif(in picture: [UInt8]) -> ArraySlice<UInt8>? {
    if picture.starts(with: [0xFF, 0xD8]) { return exif(inJPEG: picture) }
    if picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      return chunk("eXIf", of: picture, from: 8) { place in
        // Its checksum follows.
        picture.bigEndian(4, at: place).map { (4, $0, $0 + 4) }
      }
    }
    if picture.starts(with: Array("RIFF".utf8)) {
      let content = chunk("EXIF", of: picture, from: 12) { place in
        picture.littleEndian(4, at: place + 4).map { (0, $0, $0 + $0 & 1) }
      }
      // Some writers keep the mark that JPEG has in front.
      return content.map { $0.starts(with: mark) ? $0.dropFirst(mark.count) : $0 }
    }
    return nil
  }

  private static let mark = Array("Exif\0\0".utf8)

  /// The first APP1 segment with the mark of Exif, before the scans.
  private static func exif(inJPEG picture: [UInt8]) -> ArraySlice<UInt8>? {
    var place = 2
    while place + 4 <= picture.count, picture[place] == 0xFF {
      let marker = picture[place + 1]
      // Fill bytes.
      guard marker != 0xFF else {
        place += 1
        continue
      }
      guard marker != 0xDA, marker != 0xD9, let length = picture.bigEndian(2, at: place + 2), length >= 2 else {
        return nil
      }
      let content = picture[(place + 4)...].prefix(length - 2)
      if marker == 0xE1, content.starts(with: mark) { return content.dropFirst(mark.count) }
      place += 2 + length
    }
    return nil
  }

  /// The content of the first chunk of that name.
  ///
  /// - Parameter head: Says of the eight bytes at a place where the name is among them, how long the content is, and with what
  ///   follows it.
  private static func chunk(
    _ name: String, of picture: [UInt8], from start: Int,
    _ head: (_ place: Int) -> (nameOffset: Int, byteCount: Int, paddedByteCount: Int)?
  ) -> ArraySlice<UInt8>? {
    var place = start
    while place + 8 <= picture.count, let chunk = head(place) {
      let found = picture[(place + chunk.nameOffset)...].prefix(4)
      if found.elementsEqual(name.utf8) { return picture[(place + 8)...].prefix(chunk.byteCount) }
      place += 8 + chunk.paddedByteCount
    }
    return nil
  }

  /// Tag 274 of the first directory of a TIFF structure; nil if it is not there.
  private static func orientation(inTIFF slice: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(slice.prefix(1 << 16))
    let isLittle = bytes.starts(with: Array("II".utf8))
    guard isLittle || bytes.starts(with: Array("MM".utf8)) else { return nil }
    func number(_ count: Int, _ place: Int) -> Int? {
      isLittle ? bytes.littleEndian(count, at: place) : bytes.bigEndian(count, at: place)
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(2, directory) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let tag = number(2, place) else { return nil }
      // One SHORT.
      if tag == 274 { return number(2, place + 2) == 3 ? number(2, place + 8) : nil }
    }
    return nil
  }
}

extension [UInt8] {
  /// A number of so many bytes; nil if they are not there.
  fileprivate func bigEndian(_ byteCount: Int, at place: Int) -> Int? {
    place + byteCount <= count ? self[place..<place + byteCount].reduce(0) { $0 << 8 | Int($1) } : nil
  }

  fileprivate func littleEndian(_ byteCount: Int, at place: Int) -> Int? {
    place + byteCount <= count ? self[place..<place + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) } : nil
  }
}
