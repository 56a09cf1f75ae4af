import MediaModel

/// CUE sheets and chapters in tags: whatever they say, parts are in order and do not overlap.
struct PartsTarget: FuzzTarget {
  let name = "parts"
  let maximumByteCount = 4096

  var seeds: [[UInt8]] {
    [
      "PERFORMER \"A\"\nFILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"One\"\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n"
        + "    INDEX 00 03:58:10\n    INDEX 01 04:00:12\n",
      "REM GENRE Rock\nFILE a.bin BINARY\nTRACK 1 MODE1/2352\nINDEX 1 0:0:0\nTRACK 2 AUDIO\nPREGAP 0:2:0\nINDEX 1 101:59:74",
      "00:01:02.500",
    ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x46, 0, 0x49, 0], [0x46, 0xC3, 0xF0, 0xF3, 0xEF]]
  }
  var dictionary: [String] {
    [
      "FILE ", "TRACK ", "AUDIO", "INDEX 01 ", "INDEX 00 ", "99:59:74", "00:95:99", "1:0:0:0", "TITLE ", "PERFORMER ",
      "ISRC ", "REM DATE ",
      "\"",
    ]
  }

  func check(_ bytes: [UInt8]) throws {
    let sheet = CueSheet(bytes: bytes)
    for rate in [8000, 44_100, 192_000] {
      for index in 0...1 {
        guard let list = sheet.parts(ofFile: index, sampleRateInHz: rate, from: .sheetFile) else { continue }
        try Self.check(list)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let tags = Tags([.init(name: "CHAPTER001", values: [text]), .init(name: "CUESHEET", values: [text])])
    if let list = PartList(describedBy: tags, sampleRateInHz: 48_000) { try Self.check(list) }
  }

  /// Throws unless the parts, also those of a short recording, are in order.
  static func check(_ list: PartList) throws {
    for found in [list, list.cut(toFrameCount: 100_000)].compactMap({ $0 }) {
      let again = PartList(checking: found.parts, from: found.source, notes: found.notes)
      try require(again == found, "parts without order: \(found.parts.map(\.frames))")
    }
  }
}
