internal import MediaExport
internal import MediaModel

/// The values of options: numbers, sizes, colours, ranges, bands.
struct OptionTarget: FuzzTarget {
  let name = "options"
  let maximumByteCount = 64

  var seeds: [[UInt8]] {
    [
      "256MiB", "1.5e3", "-96..0", "-0.25", "#ff8800", "peak 1000 -3 q1.4 left off", "lowshelf 100 3 oct0.7", "auto",
      "00112233445566778899aabbccddeeff", "9007199254740993", "1:02:03.5", "2m10s",
    ].map { Array($0.utf8) }
  }
  var dictionary: [String] {
    ["MiB", "KB", "e308", "e-320", "nan", "inf", "..", "slope", "oct", "left", "right", "off", "0x1p3"]
      + FilterShape.allCases.map(\.rawValue)
  }

  func check(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let count = ByteCount.parse(text) { try require(count >= 0, "\(count) bytes") }
    if let number = DecimalText.parse(text) {
      try require(number.isFinite, "no number")
      for places in [0, 3, 9] {
        let shown = DecimalText.number(number, places: places)
        try require(Double(shown) != nil, "\(shown) is no number")
      }
      _ = DurationText.clock(number)
      _ = DurationText.seconds(number)
    }
    if let seconds = DurationText.parse(text) { try require(!seconds.isNaN, "no duration") }
    if let range = DecibelRange(text) { try require(range.bottom < range.top, "a range without an extent") }
    if let scale = AmplitudeScale(text), case .factor(let factor) = scale { try require(factor.isFinite, "no factor") }
    if let color = PictureColor(hexadecimal: text) { _ = color.rgb }
    if let hash = ContentHash(hexadecimal: text) {
      try require(ContentHash(bytes: hash.bytes) == hash, "a hash is not read as it is written")
    }
    if let band = try? EqualizerBand(text: text) {
      let again = try EqualizerBand(text: band.text)
      try require(again.text == band.text, "\(band.text) is read as \(again.text)")
    }
  }
}
