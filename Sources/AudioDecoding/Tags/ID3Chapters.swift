internal import Base
import MediaModel

/// The chapters in an ID3v2 tag ("ID3v2 Chapter Frame Addendum" 1.0): frames CHAP with times in milliseconds.
///
/// A table of contents (CTOC) with the flag of the top level chooses among them, by itself or by the tables that it
/// lists. A tag that is unsynchronised as a whole has none for us.
struct ID3Chapters {
  private static let maximumFrameCount = 20_000
  private static let maximumFrameByteCount: Int64 = 64 << 10
  private static let maximumTableCount = 1000

  private var marks: [(id: [UInt8], mark: PartList.Mark)] = []
  /// What tables list, by their identifiers; the first table of the top level.
  private var tables: [[UInt8]: [[UInt8]]] = [:]
  private var top: [UInt8]?

  /// nil if there are none.
  ///
  /// - Parameter tag: where it begins; it ends with the file or its chunk.
  static func parts(
    _ bytes: BufferedBytes, tag: Range<Int64>, sampleRateInHz rate: Int
  ) throws(DecodingError) -> PartList? {
    var chapters = ID3Chapters()
    try chapters.read(bytes, tag: tag, rate)
    let listed = chapters.contents
    let kept = chapters.marks.filter { listed.contains($0.id) }
    return PartList((kept.isEmpty ? chapters.marks : kept).map(\.mark), from: .id3)
  }

  /// Everything that the table of the top level lists, also by other tables.
  private var contents: Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    var pending = top.map { [$0] } ?? []
    while let id = pending.popLast() {
      if found.insert(id).inserted { pending += tables[id] ?? [] }
    }
    return found
  }

  private mutating func read(_ bytes: BufferedBytes, tag: Range<Int64>, _ rate: Int) throws(DecodingError) {
    let head = try bytes.copy(at: tag.lowerBound, count: 10)
    guard let length = TagBounds.id3v2Length(head), head[3] == 3 || head[3] == 4, head[5] & 0xC0 == 0 else { return }
    let end = min(tag.upperBound, tag.lowerBound + length)
    var offset = tag.lowerBound + 10
    for _ in 0..<Self.maximumFrameCount where offset + 10 < end && marks.count <= PartList.maximumCount {
      guard let frame = ID3Frame(try bytes.copy(at: offset, count: 10), version: head[3]) else { return }
      let body = offset + 10
      offset = body + frame.byteCount
      guard frame.isPlain, frame.name == "CHAP" || frame.name == "CTOC", frame.byteCount <= Self.maximumFrameByteCount,
        offset <= end
      else { continue }
      let content = try bytes.copy(at: body, count: Int(frame.byteCount))
      if frame.name == "CHAP" { addChapter(content, version: head[3], rate) } else { addContents(content) }
    }
  }

  /// An identifier that ends with NUL, four numbers (start and end in ms, two offsets that nobody uses), then frames.
  private mutating func addChapter(_ body: [UInt8], version: UInt8, _ rate: Int) {
    guard let mark = body.firstIndex(of: 0), let start = body.bigEndian(UInt32.self, at: mark + 1),
      let end = body.bigEndian(UInt32.self, at: mark + 5)
    else { return }
    func frame(_ time: UInt32) -> Int64? { FrameIndex.frame(atTick: Int64(time), ticksPerSecond: 1000, rateInHz: rate) }
    guard let first = frame(start) else { return }
    var tags = PartTags()
    var offset = mark + 17
    while offset + 10 < body.count, let frame = ID3Frame(Array(body[offset..<offset + 10]), version: version) {
      let content = body[(offset + 10)...].prefix(Int(clamping: frame.byteCount))
      if frame.isPlain, frame.name == "TIT2" { tags.title = ID3Text.decoded(content) }
      if frame.isPlain, frame.name == "TPE1" { tags.artist = ID3Text.decoded(content) }
      if frame.isPlain, frame.name == "TSRC" { tags.isrc = ID3Text.decoded(content) }
      offset += 10 + content.count
    }
    // All bits set, or no length, stand for an unknown end.
    let last = end == .max || end <= start ? nil : frame(end)
    marks.append((Array(body[..<mark]), PartList.Mark(start: first, end: last, tags: tags)))
  }

  /// An identifier, flags (2: top level), a number of entries, then their identifiers.
  private mutating func addContents(_ body: [UInt8]) {
    guard let mark = body.firstIndex(of: 0), mark + 3 <= body.count, tables.count < Self.maximumTableCount else {
      return
    }
    let id = Array(body[..<mark])
    let entries = body[(mark + 3)...].split(separator: 0, omittingEmptySubsequences: false)
    tables[id] = entries.prefix(Int(body[mark + 2])).map { Array($0) }
    if body[mark + 1] & 2 != 0, top == nil { top = id }
  }
}

/// The head of an ID3v2 frame.
struct ID3Frame {
  let name: String
  let byteCount: Int64
  /// Whether its bytes are neither compressed, encrypted nor unsynchronised, and have no number before them.
  let isPlain: Bool

  /// nil for padding.
  ///
  /// - Parameter version: 3 or 4.
  init?(_ head: [UInt8], version: UInt8) {
    guard head.count == 10, head[0] != 0, let size = head.bigEndian(UInt32.self, at: 4) else { return nil }
    name = String(decoding: head[..<4], as: UTF8.self)
    // Some programs write plain sizes in version 4, too.
    let isSynchsafe = version == 4 && size & 0x8080_8080 == 0
    byteCount = isSynchsafe ? head[4..<8].reduce(Int64(0)) { $0 << 7 | Int64($1) } : Int64(size)
    isPlain = head[9] == 0
  }
}

/// Text in ID3v2 frames: a byte for the encoding, then the text.
enum ID3Text {
  static func decoded(_ body: ArraySlice<UInt8>) -> String? {
    guard let encoding = body.first else { return nil }
    let text = body.dropFirst()
    switch encoding {
    case 0: return LegacyText.decoded(text.prefix { $0 != 0 })
    case 1: return isWide(text) ? wide(text) : wide([0xFF, 0xFE] + text)
    case 2: return wide([0xFE, 0xFF] + text)
    default: return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Whether there is a mark of UTF-16.
  static func isWide(_ text: ArraySlice<UInt8>) -> Bool { LegacyText.isWide(Array(text.prefix(2))) }

  /// Up to the first NUL.
  static func wide(_ text: ArraySlice<UInt8>) -> String {
    String(LegacyText.decoded(text).prefix { $0 != "\0" })
  }
}
