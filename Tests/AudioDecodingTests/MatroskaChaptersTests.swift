import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Chapters of Matroska: made-up ones, and those that other programs write.
struct MatroskaChaptersTests {
  private typealias Bytes = MatroskaBytes
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func parts(_ editions: [UInt8]...) throws -> PartList? {
    var file = Bytes()
    file.others = [Bytes.element(0x1043_A770, editions.flatMap { $0 })]
    try folder.write(file.bytes, to: "a.mka")
    return try parts(folder.appending("a.mka"))
  }

  private func parts(_ url: URL) throws -> PartList? {
    let file = try OpenFile(url)
    defer { withExtendedLifetime(file) {} }
    return try file.mediaFile().readParts(Tags(), sampleRateInHz: 48_000)
  }

  /// Start and end in milliseconds, and the title.
  private func shown(_ list: PartList?) -> [String] {
    list?.parts.map { part in
      let end = part.frames.upperBound == .max ? "" : "\(part.frames.upperBound / 48)"
      return "\(part.frames.lowerBound / 48)-\(end) \(part.tags.title ?? "")"
    } ?? []
  }

  @Test func `of titles in several languages the first one counts, and an end may be missing`() throws {
    let list = try parts(Bytes.edition(Bytes.chapter(0, nil, "One", "Eins"), Bytes.chapter(70, 90, "Two", "Zwei")))
    #expect(shown(list) == ["0-70 One", "70-90 Two"])
    #expect(list?.source == .matroska && list?.notes == [])
  }

  @Test func `of editions the default one counts, else the first one that is neither hidden nor ordered`() throws {
    let first = Bytes.edition(Bytes.chapter(0, nil, "first"), Bytes.chapter(5))
    let chosen = Bytes.edition(flags: [0x45DB], Bytes.chapter(10, nil, "default"))
    #expect(shown(try parts(first, chosen)) == ["10- default"])
    let hidden = Bytes.edition(flags: [0x45BD, 0x45DB], Bytes.chapter(20, nil, "hidden"))
    let ordered = Bytes.edition(flags: [0x45DD, 0x45DB], Bytes.chapter(30, nil, "ordered"))
    #expect(shown(try parts(hidden, ordered, first)) == ["0-5 first", "5- "])
    #expect(try parts(hidden, ordered) == nil)
  }

  @Test func `hidden and disabled chapters are no parts, but one that is visible in a hidden one is`() throws {
    let flags = (hidden: Bytes.element(0x98, number: 1), disabled: Bytes.element(0x4598, number: 0))
    let list = try parts(
      Bytes.edition(
        Bytes.chapter(0, 10, "a"),
        Bytes.chapter(10, 40, "hidden", more: flags.hidden + Bytes.chapter(20, 30, "b")),
        Bytes.chapter(40, 50, "disabled", more: flags.disabled + Bytes.chapter(41, 42, "c"))))
    #expect(shown(list) == ["0-10 a", "20-30 b"])
  }

  @Test func `chapters in a chapter are the parts, and what it has before them is one too`() throws {
    let movements = Bytes.chapter(10, 20, "Allegro") + Bytes.chapter(20, nil, "Adagio")
    let deep = Bytes.chapter(60, 80, "Scene", more: Bytes.chapter(60, 70, "Aria") + Bytes.chapter(70, 75, "Duet"))
    let list = try parts(
      Bytes.edition(Bytes.chapter(0, 50, "Concerto", more: movements), Bytes.chapter(60, 90, "Act", more: deep)))
    #expect(shown(list) == ["0-10 Concerto", "10-20 Allegro", "20-50 Adagio", "60-70 Aria", "70-75 Duet"])
    #expect(list?.notes == [])
  }

  @Test func `one chapter that is all of a chapter leaves it its name, and points of an index are no parts`() throws {
    let points = Bytes.chapter(8, nil, "INDEX 00") + Bytes.chapter(10, nil, "INDEX 01")
    let level = Bytes.element(0x63C3, number: 10)
    let marked = Bytes.chapter(20, nil, "INDEX 01", more: level) + Bytes.chapter(25, nil, "INDEX 02", more: level)
    let list = try parts(
      Bytes.edition(Bytes.chapter(10, nil, "One", more: points), Bytes.chapter(20, nil, "Two", more: marked)))
    #expect(shown(list) == ["10-20 One", "20- Two"])
  }

  @Test func `chapters of other tracks are left out`() throws {
    func of(_ track: Int) -> [UInt8] { Bytes.element(0x8F, Bytes.element(0x89, number: track)) }
    let list = try parts(
      Bytes.edition(Bytes.chapter(0, 10, "a", more: of(1001)), Bytes.chapter(10, 20, "b", more: of(7))))
    #expect(shown(list) == ["0-10 a"])
  }

  @Test func `times without sense are left out, and very deep chapters end nothing`() throws {
    var nested = Bytes.chapter(1, 2, "deepest")
    for _ in 0..<200 { nested = Bytes.chapter(0, 3, "x", more: nested) }
    let impossible = Bytes.element(0xB6, Bytes.element(0x91, [UInt8](repeating: 255, count: 8)))
    let untimed = Bytes.element(0xB6, Bytes.element(0x80, Bytes.element(0x85, text: "no time")))
    let list = try parts(Bytes.edition(impossible, untimed, nested, Bytes.chapter(5, 4, "back")))
    #expect(shown(list) == ["0-3 x", "5- back"])
  }

  @Test func `changed bytes of chapters are never worse than none`() throws {
    var file = Bytes()
    let inner = Bytes.chapter(100, 200, "b", more: Bytes.element(0x98, number: 0))
    let chapters = Bytes.element(
      0x1043_A770, Bytes.edition(flags: [0x45DB], Bytes.chapter(0, 300, "a", more: inner), Bytes.chapter(300)))
    file.others = [chapters]
    let bytes = file.bytes
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: chapters) })
    try folder.readMutations(
      of: bytes, as: "b.mka", count: 500, seed: 45, changes: 1...4, places: start..<start + chapters.count
    ) {
      guard let list = try parts($0) else { return }
      #expect(PartList(checking: list.parts, from: list.source, notes: list.notes) == list)
    }
  }

  @Test(.enabled(if: Tool.exist("mkvmerge"), "mkvmerge is not installed"), arguments: ["a.mka", "a.webm"])
  func `a sheet that mkvmerge stores keeps its places to the frame`(_ name: String) throws {
    let codec = name == "a.webm" ? "opus" : "flac"
    let sheet = """
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          PERFORMER "P"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          PERFORMER "Q"
          INDEX 00 00:02:50
          INDEX 01 00:03:01
      """
    try folder.write(sheet.utf8, to: "a.cue")
    try folder.write(
      WaveFile.bytes([Int16](repeating: 9, count: 240_000), sampleRateInHz: 48_000, channelCount: 1), to: "a.wav")
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", folder.appending("a.wav").path, "-c:a", codec == "opus" ? "libopus" : "flac",
      folder.appending("b.mka").path)
    let file = folder.appending(name)
    let flags = name == "a.webm" ? ["--webm"] : []
    try Tool.run(
      "mkvmerge",
      arguments: ["-q"] + flags + [
        "--chapters", folder.appending("a.cue").path, "-o", file.path, folder.appending("b.mka").path,
      ])
    let list = try #require(try parts(file))
    #expect(list.parts.map(\.frames.lowerBound) == [0, 226 * 640])
    #expect(list.parts.map(\.tags.title) == ["P - One", "Q - Two"])
  }
}
