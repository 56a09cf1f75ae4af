internal import MediaExport
internal import MediaModel

/// Text from anywhere: folded for a search, escaped for a terminal, cut, made a file's name, filled into templates.
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
