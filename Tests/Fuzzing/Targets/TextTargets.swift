import Base
import MediaDrawing
import MediaImport
import MediaModel

/// Text from anywhere: folded for a search, escaped for a terminal, truncated, used as a file name, filled into templates.
struct TextTarget: FuzzTarget {
  let name = "text"
  let maximumByteCount = 1024

  var seeds: [[UInt8]] {
    [
      "", "Émilie Søndergård", "{artist} - {track:02}{{x}}", "a\u{1B}[31m\u{202E}b\u{0}", "con.txt", "e\u{301}ﬀŒ夜👩‍👩‍👧",
      "..", "3/12", "1974-03-01",
    ]
    .map { Array($0.utf8) } + [[0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]]
  }
  var dictionary: [String] {
    ["{artist}", "{track:9}", "{{", "}}", "\u{200D}", "\u{301}", "İ", "ß", "com1", "\u{FEFF}"]
  }

  func check(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let folded = TextFolding.fold(text)
    try require(TextFolding.fold(folded) == folded, "folding twice is not folding once")
    let escaped = TerminalText.escaped(text)
    try require(!escaped.unicodeScalars.contains(where: TerminalText.mustBeEscaped), "not escaped: \(escaped)")
    for width in [0, 1, 7] {
      try require(DisplayWidth.of(DisplayWidth.truncated(text, toWidth: width)) <= width, "wider than \(width)")
    }
    _ = DisplayWidth.padded(text, toWidth: 9)
    try require(
      ArgumentText.bytes(of: ArgumentText.text(ofBytes: bytes)) == bytes
        || text.unicodeScalars.contains { $0.value >= 0x10_FF00 },
      "an argument loses bytes")
    try fileName(text)
    tags(text)
    if let template = try? FieldTemplate(text) {
      let filled = template.text(values: template.fields.map { _ in "7" })
      try require(template.fields.isEmpty || filled.contains("7"), "a field is left out")
    }
  }

  private func fileName(_ text: String) throws {
    var names = UniqueFileNames(ending: "png")
    let (one, other) = (names.next(for: text), names.next(for: text))
    try require(one.lowercased() != other.lowercased(), "two files have one name")
    for name in [one, other] {
      try require((5...SafeFileName.maximumByteCount).contains(name.utf8.count), "\(name.utf8.count) bytes")
      try require(!name.utf8.contains(0x2F) && !name.utf8.contains(0) && !name.hasPrefix("."), "not safe: \(name)")
    }
  }

  private func tags(_ text: String) {
    let names = ["TITLE", "ARTIST", "DATE", "TRACKNUMBER", "DISCNUMBER"]
    let tags = Tags(names.map { Tags.Property(name: $0, values: [text, text]) } + [.init(name: text, values: [text])])
    _ = CommonTags(tags)
    _ = SearchText(tags, path: BytePath(text))
  }
}

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

/// An ignore file, and after a NUL a path to match.
struct IgnoreRulesTarget: FuzzTarget {
  let name = "ignore-rules"

  var seeds: [[UInt8]] {
    [
      "*.tmp\n!keep.tmp\0a/keep.tmp", "/a/**/b\n**/x/\0a/c/d/b", "[!a-c]?\\*\n\0d.*", "# no\n  \r\n\\ \0 ",
      "**\n!**/\0a/b",
    ]
    .map { Array($0.utf8) }
  }
  var dictionary: [String] { ["**/", "/**", "**", "[!", "[^", "a-z]", "\\", "!", "/", "\r\n", "\0"] }

  func check(_ bytes: [UInt8]) throws {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let path = BytePath(parts.count > 1 ? Array(parts[1]) : Array("a/b.mp3".utf8))
    let own = IgnoreRules().adding(ignoreFile: Array(parts[0]), of: BytePath(""))
    let isExcluded = own.excludes(path, isDirectory: false)
    // Only a rule for folders can make a difference.
    let isExcludedFolder = own.excludes(path, isDirectory: true)
    if !parts[0].contains(0x2F) {
      try require(isExcluded == isExcludedFolder, "a file and a folder of one name differ without a rule for folders")
    }
    // The same rules one folder further down give the same result for what is below it.
    let deeper = IgnoreRules().adding(ignoreFile: Array(parts[0]), of: BytePath("deep"))
    let same = deeper.excludes(BytePath("deep").appending(path), isDirectory: false)
    if !path.bytes.isEmpty { try require(same == isExcluded, "rules depend on the folder that they are in") }
  }
}
