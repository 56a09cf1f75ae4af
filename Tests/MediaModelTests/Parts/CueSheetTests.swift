import MediaModel
import Testing

/// CUE sheets as programs write them. The places were computed by hand: 75 frames a second, 588 samples each at 44.1 kHz.
struct CueSheetTests {
  private static let album = """
    REM GENRE "Progressive Rock"
    REM DATE 1973
    PERFORMER "Lathe & Lantern"
    TITLE "Run-out Groove"
    FILE "Run-out Groove.wav" WAVE
      TRACK 01 AUDIO
        TITLE "Lead-in"
        ISRC GBAYE7300001
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "The "Long" Side"
        PERFORMER "Nora Vale"
        SONGWRITER Elsa Vale
        PREGAP 00:02:00
        INDEX 00 03:20:00
        INDEX 01 03:22:37
      TRACK 03 AUDIO
        TITLE Locked groove
        INDEX 01 101:00:74
    """

  private func parts(_ text: String, file: Int = 0, rate: Int = 44_100) -> PartList? {
    CueSheet(text).parts(ofFile: file, sampleRateInHz: rate, from: .sheetFile)
  }

  @Test func `INDEX 01 begins a track, and a gap belongs to the track before it`() throws {
    let list = try #require(parts(Self.album))
    let second: Int64 = (202 * 75 + 37) * 588
    let third: Int64 = (101 * 60 * 75 + 74) * 588
    #expect(list.parts.map(\.frames) == [0..<second, second..<third, third..<Int64.max])
    #expect(list.parts.map(\.tags.title) == ["Lead-in", "The \"Long\" Side", "Locked groove"])
    #expect(list.parts.map(\.tags.artist) == ["Lathe & Lantern", "Nora Vale", "Lathe & Lantern"])
    #expect(list.parts[1].tags.songwriter == "Elsa Vale" && list.parts[0].tags.isrc == "GBAYE7300001")
    #expect(list.parts.allSatisfy { $0.tags.genre == "Progressive Rock" && $0.tags.date == "1973" })
    #expect(CueSheet(Self.album).tags.title == "Run-out Groove" && list.notes.isEmpty)
  }

  @Test(arguments: [(44_100, 588), (48_000, 640), (96_000, 1280), (32_000, 426), (8000, 106), (22_050, 294)])
  func `places are exact where a frame of a CD is a whole number of samples, else rounded down`(rate: Int, start: Int64)
  {
    let list = parts("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:01", rate: rate)
    #expect(list?.parts.map(\.frames.lowerBound) == [start])
  }

  @Test func `a sheet of nothing is empty`() {
    #expect(CueSheet.text(tags: PartTags(), files: []).isEmpty)
  }

  @Test func `each file of a sheet has the tracks whose INDEX 01 follows its line`() throws {
    // As a program writes that appends gaps to the previous file: the gap of track 2 is in the first file.
    let text = """
      FILE "01 - One.wav" WAVE
      TRACK 01 AUDIO
      INDEX 01 00:00:00
      TRACK 02 AUDIO
      TITLE "Two"
      INDEX 00 04:00:00
      FILE "02 - Two.wav" WAVE
      INDEX 01 00:00:00
      TRACK 03 AUDIO
      INDEX 01 02:00:00
      """
    #expect(CueSheet(text).files == ["01 - One.wav", "02 - Two.wav"])
    #expect(parts(text)?.parts.map(\.frames) == [0..<Int64.max])
    #expect(parts(text, file: 1)?.parts.map(\.frames) == [0..<120 * 44_100, 120 * 44_100..<Int64.max])
    #expect(parts(text, file: 1)?.parts.first?.tags.title == "Two")
    #expect(parts(text, file: 2) == nil)
  }

  @Test func `a track of data ends the sound before it`() {
    let text = "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 MODE1/2352\nINDEX 01 00:10:00"
    #expect(parts(text)?.parts.map(\.frames) == [0..<441_000])
  }

  @Test(arguments: [
    ("FILE \"a b.wav\" WAVE", "a b.wav"), ("FILE a.wav WAVE", "a.wav"), ("file my album.flac wave", "my album.flac"),
    ("FILE \"C:\\Music\\a.ape\" WAVE", "C:\\Music\\a.ape"), ("FILE \"a\"b.wav\" WAVE", "a\"b.wav"),
    ("\u{FEFF}FILE \"a.wav\" BINARY", "a.wav"), ("FILE 'a b.wav' WAVE", "a b.wav"), ("FILE “a b.wav” WAVE", "a b.wav"),
    ("FILE \"a b.wav WAVE", "a b.wav"), ("FILE\"a.wav\"", "a.wav"), ("FILE a b.wav", "a b.wav"),
    ("FILE: \"a.wav\" WAVE", "a.wav"), ("FILE \" a.wav \" WAVE", " a.wav "), ("FILE 'Til.wav WAVE", "'Til.wav"),
  ])
  func `names of files are read with and without quotation marks`(line: String, name: String) {
    #expect(CueSheet(line).files == [name])
  }

  @Test(arguments: [
    "-1:00:00", "1e3:00:00", "99999999999:00:00", "", "::", "٠٠:٠٠:٠٠", "00", "1:2:3:4:5", "00:00:9999",
  ])
  func `a text that is no time is no place, and its line is noted`(time: String) throws {
    let text = "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 \(time)\nTRACK 02 AUDIO\nINDEX 01 00:01:00"
    let list = try #require(parts(text))
    #expect(list.parts.map(\.frames) == [44_100..<Int64.max] && list.notes == [PartList.oddPlacesNote])
    #expect(CueSheet(text).faults.map(\.line) == [3, 2])
  }

  /// In 75ths of a second, and whether the line is noted.
  private static let places: [(String, Int64, Bool)] = [
    ("00:95:00", 7_125, false), ("00:60:00", 4_500, false), ("120:00:00", 540_000, false), ("0:5:7", 382, false),
    ("00:40", 3_000, true), ("01:15:88", 5_691, true), ("00:00:75", 56, true), ("00:01:500", 112, true),
    ("00:03:00:00", 13_500, true), ("01:00:00:10", 270_010, true), ("\"00:40:00\"", 3_000, false),
    ("00:40:00;", 3_000, false), ("“00:40:00”", 3_000, false), ("００:４０：００", 3_000, false), ("+00:40:00", 3_000, false),
    ("00.40.10", 3_010, true), ("00-40-00", 3_000, true), ("00;40;00", 3_000, true), ("00:40:00 ; x", 3_000, false),
  ]

  @Test(arguments: places)
  func `places in other forms are read as they are meant`(time: String, place: Int64, isNoted: Bool) throws {
    let text = "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 \(time)\n"
    #expect(parts(text)?.parts.map(\.frames.lowerBound) == [place * 588])
    #expect(CueSheet(text).faults.map(\.line) == (isNoted ? [3] : []))
  }

  /// A line of track 2, and the title that it gives.
  private static let titles: [(String, String?)] = [
    ("TITLE 'Two'", "Two"), ("TITLE “Two”", "Two"), ("TITLE „Two“", "Two"), ("TITLE\"Two\"", "Two"),
    ("TITLE \"Two", "Two"),
    ("TITLE \"Two\" ; x", "Two"), ("TITLE \"Two\" // x \"y\"", "Two\" // x \"y"),
    ("TITLE \"Two \\\"x\\\"\"", "Two \"x\""),
    ("TITLE \"12\"\" mix\"", "12\" mix"), ("TITLE \"\"Two\" x\"", "\"Two\" x"), ("TITLE \"Two\" live", "\"Two\" live"),
    ("TITLE “Two” and “Three”", "“Two” and “Three”"), ("TITLE 'Til Rock 'n' Roll'", "'Til Rock 'n' Roll'"),
    ("title: Two", "Two"), ("TITLE \"'Two'\"", "'Two'"), ("TITLE \"\"", nil),
  ]

  @Test(arguments: titles)
  func `quotation marks and comments are no part of a title`(line: String, title: String?) throws {
    let text = "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n\(line)\nINDEX 01 00:02:00"
    let list = try #require(parts(text))
    #expect(list.parts.map(\.tags.title) == [nil, title] && list.notes.isEmpty)
  }

  /// The line of a track, its number, whether it is sound, and whether it is noted.
  private static let trackLines: [(String, Int, Bool, Bool)] = [
    ("TRACK02 AUDIO", 2, true, false), ("TRACK \"02\" AUDIO", 2, true, false), ("TRACK ０２ AUDIO;", 2, true, false),
    ("TRACK 02", 2, true, false), ("TRACK AUDIO", 1, true, false), ("TRACK 02 WAVE", 2, true, true),
    ("TRACK 02 AUDIO x", 2, true, false), ("TRACK 02 \"MODE1/2352\"", 2, false, false),
    ("TRACK x MODE2/2336", 1, false, false),
  ]

  @Test(arguments: trackLines)
  func `a track is read in any form of its line`(line: String, number: Int, isAudio: Bool, isNoted: Bool) throws {
    let sheet = CueSheet("FILE a WAVE\n\(line)\nINDEX01 00:01:00")
    #expect(sheet.tracks.map(\.number) == [number] && sheet.tracks.map(\.isAudio) == [isAudio])
    #expect(sheet.tracks.map(\.start) == [75] && sheet.faults.map(\.line) == (isNoted ? [2] : []))
    #expect(sheet.parts(ofFile: 0, sampleRateInHz: 44_100, from: .sheetFile)?.notes == (isAudio ? [] : nil))
  }

  @Test func `a track begins at INDEX 01, whatever precedes it`() {
    let text = "FILE a WAVE\nTRACK 01 AUDIO\nINDEX 03 00:05:00\nINDEX 02 00:04:00\nINDEX 00 00:01:00\nINDEX 01 00:02:00"
    #expect(parts(text)?.parts.map(\.frames) == [88_200..<Int64.max])
    #expect(parts(text.replacing("\nINDEX 01 00:02:00", with: ""))?.parts.map(\.frames) == [4 * 44_100..<Int64.max])
  }

  @Test func `what describes nothing is noted`() {
    #expect(CueSheet("").faults.map(\.line) == [1] && CueSheet("T\0\0\0R\0\0\0").faults.count == 1)
    let sheet = CueSheet("FILE a WAVE\nINDEX 01 00:00:00\nTRACK 01 AUDIO\nINDEX 01 00:00:00")
    #expect(sheet.faults.map(\.description) == ["line 2: an INDEX before the first TRACK"])
  }

  @Test func `a track without INDEX 01 begins at INDEX 00, or is left out with a note`() throws {
    let text = """
      PERFORMER "Sheet"
      FILE a WAVE
      TRACK 01 AUDIO
      PERFORMER ""
      INDEX 00 00:01:00
      TRACK 02 AUDIO
      TITLE "Nowhere"
      TRACK 03 AUDIO
      INDEX 00 00:02:00
      INDEX 01 00:03:00
      INDEX 02 00:04:00
      """
    let list = try #require(parts(text))
    #expect(list.parts.map(\.frames) == [44_100..<132_300, 132_300..<Int64.max])
    #expect(list.parts.map(\.tags.artist) == ["Sheet", "Sheet"])
    #expect(CueSheet(text).faults.map(\.line) == [6])
  }

  /// Titles, and their bytes as Python encodes them.
  private static let encoded: [(String, String, [UInt8])] = [
    ("cp949", "사랑의 노래", [0xBB, 0xE7, 0xB6, 0xFB, 0xC0, 0xC7, 0x20, 0xB3, 0xEB, 0xB7, 0xA1]),
    ("big5", "愛的音樂", [0xB7, 0x52, 0xAA, 0xBA, 0xAD, 0xB5, 0xBC, 0xD6]),
    ("koi8-r", "Песня о любви", [0xF0, 0xC5, 0xD3, 0xCE, 0xD1, 0x20, 0xCF, 0x20, 0xCC, 0xC0, 0xC2, 0xD7, 0xC9]),
    (
      "cp1250", "Příliš žluťoučký",
      [0x50, 0xF8, 0xED, 0x6C, 0x69, 0x9A, 0x20, 0x9E, 0x6C, 0x75, 0x9D, 0x6F, 0x75, 0xE8, 0x6B, 0xFD]
    ),
  ]

  @Test(arguments: encoded)
  func `the encoding of a sheet is guessed and kept`(name: String, title: String, bytes: [UInt8]) throws {
    var sheet = Array("PERFORMER \"".utf8) + bytes + Array("\"\nFILE \"a.wav\" WAVE\n".utf8)
    for number in 1...3 {
      sheet += Array("  TRACK 0\(number) AUDIO\n    TITLE \"".utf8) + bytes
      sheet += Array("\"\n    INDEX 01 0\(number):00:00\n".utf8)
    }
    let read = CueSheet(bytes: sheet)
    #expect(read.tags.artist == title && read.tracks.map(\.tags.title) == [title, title, title], "\(name)")
    #expect(read.guessedEncoding != nil && CueSheet(bytes: Array("TITLE \"ä\"".utf8)).guessedEncoding == nil)
  }

  @Test func `of a sheet full of faults some are kept`() {
    let text = String(repeating: "TRACK 01 AUDIO\nINDEX 01 x\n", count: 1_000)
    #expect(CueSheet(text).faults.count == 20)
  }

  @Test func `of a million tracks the first 4,096 are kept`() {
    var text = "FILE a WAVE\n"
    for number in 0..<1_000_000 { text += "TRACK 1 AUDIO\nINDEX 01 \(number / 60):\(number % 60):0\n" }
    let list = parts(text)
    #expect(list?.parts.count == PartList.maximumCount && list?.notes == [PartList.tooManyNote])
  }

  @Test func `what is written is read again`() throws {
    let rate = 44_100
    let list = try #require(parts(Self.album)?.cut(toFrameCount: 300_000_000))
    var tags = PartTags(title: "Run-out Groove", artist: "Lathe & Lantern")
    tags.genre = "Progressive Rock"
    tags.date = "1973"
    let text = CueSheet.text(
      tags: tags, files: [.init(name: "a.flac", sampleRateInHz: rate, parts: list.parts)])
    let again = try #require(parts(text)?.cut(toFrameCount: 300_000_000))
    #expect(again.parts.map(\.frames) == list.parts.map(\.frames))
    #expect(again.parts.map(\.tags.title) == ["Lead-in", "The 'Long' Side", "Locked groove"])
    #expect(again.parts.map(\.tags.artist) == list.parts.map(\.tags.artist))
    #expect(again.parts.map(\.tags.date) == list.parts.map(\.tags.date))
  }

  @Test(arguments: ["\u{B}", "\u{C}", "\u{1C}", "\u{85}", "\u{2028}", "\u{2029}", "\r\n", "\u{1B}[2J", "\0", "\""])
  func `no name ends its line`(characters: String) throws {
    let name = "a\(characters)FILE \"/etc/passwd\" WAVE"
    let text = CueSheet.text(
      tags: PartTags(title: name, artist: name),
      files: [.init(name: name, sampleRateInHz: 44_100, parts: [], tags: PartTags(title: name))])
    #expect(text.split(separator: "\n").count == 6 && text.split(whereSeparator: \.isNewline).count == 6)
    let written = text.unicodeScalars.filter { $0 != "\n" }
    #expect(!written.contains { $0.properties.generalCategory == .control })
    let sheet = CueSheet(text)
    #expect(sheet.files.count == 1 && sheet.tracks.count == 1)
    #expect(try #require(sheet.tags.title).hasSuffix("FILE '/etc/passwd' WAVE"))
  }

  @Test func `random sheets give parts in order that do not overlap`() {
    let words = [
      "FILE \"a\" WAVE", "TRACK 01 AUDIO", "TRACK 02 MODE1/2352", "INDEX 00 00:01:00", "INDEX 01 00:02:00",
      "INDEX 01 00:01:74", "INDEX 01 00:01:99", "INDEX 01 1:0", "INDEX 01 1:0:0:0", "INDEX 02 00:03:00",
      "INDEX 01 99999:59:74", "INDEX 01 -1:0:0", "TITLE \"", "REM", "\0",
      "ISRC",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...20)).compactMap { _ in words.randomElement() }.joined(separator: "\n")
      for index in 0...2 {
        guard let list = parts(text, file: index) else { continue }
        #expect(PartList(checking: list.parts, from: list.source, notes: list.notes) == list, "\(text)")
      }
    }
  }
}
