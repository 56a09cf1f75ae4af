import TagEditing

/// Edits that are the same in every run.
struct RandomEdits {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ word >> 31) % UInt64(count))
  }

  private static let texts = [
    "Tide", "Émilie", "星屑の夜", "Рассвет", "a", "With, commas; and / more", String(repeating: "Long ", count: 60) + "end",
    "𝄞 beyond the plane", "two\nlines",
  ]
  /// Those that have a list of texts in each kind of tag.
  private static let lists = ["TITLE", "ARTIST", "ALBUM", "ALBUMARTIST", "COMPOSER", "GENRE", "COMMENT", "MY OWN NAME"]
  private static let single: [(name: String, values: [String])] = [
    ("DATE", ["2011", "1999-12-31", "2020-02-29"]), ("TRACKNUMBER", ["7", "3/12"]), ("BPM", ["120", "98"]),
    ("COMPILATION", ["1"]), ("REPLAYGAIN_TRACK_GAIN", ["-7.25 dB", "+1.00 dB"]),
    ("MUSICBRAINZ_TRACKID", ["b1a9c0e9-d987-4042-ae91-78d6a3267d69"]), ("LYRICS", ["La la\nla", "Nana 夜"]),
  ]
  private static let covers: [[UInt8]] = [
    [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0xFF, count: 900),
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<5000).map { UInt8($0 % 251) },
  ]

  static let names = Set(lists + single.map(\.name))

  mutating func edit(severalValues: Bool = true) -> TagEdit {
    var changes: [TagEdit.Change] = []
    for _ in 0...next(3) {
      if next(3) == 0 {
        let (name, values) = Self.single[next(Self.single.count)]
        changes.append(next(3) == 0 ? .remove(name) : .set(name, [values[next(values.count)]]))
      } else {
        let name = Self.lists[next(Self.lists.count)]
        let count = severalValues ? next(4) : next(2)
        // Mutagen takes lines for genres.
        let texts = name == "GENRE" ? Self.texts.count - 1 : Self.texts.count
        let values = (0..<count).map { _ in Self.texts[next(texts)] }
        changes.append(values.isEmpty ? .remove(name) : .set(name, values))
      }
    }
    switch next(5) {
    case 0: changes.append(.removeFrontCovers)
    case 1:
      let bytes = Self.covers[next(2)]
      changes.append(
        .setFrontCover(
          TagEdit.Cover(bytes: bytes, mimeType: bytes[0] == 0xFF ? "image/jpeg" : "image/png", caption: "Émile")))
    default: break
    }
    return TagEdit(changes)
  }
}
