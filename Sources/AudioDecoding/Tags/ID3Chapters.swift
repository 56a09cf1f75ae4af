internal import Base
import MediaModel

/// The chapters in an ID3v2 tag ("ID3v2 Chapter Frame Addendum" 1.0): frames CHAP with times in milliseconds.
///
/// A table of contents (CTOC) with the flag of the top level chooses among them, by itself or by the tables that it
/// lists.
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
    guard let tag = try ID3v2Reader.tag(bytes, at: tag.lowerBound, before: tag.upperBound), tag.version > 2 else {
      return
    }
    for frame in tag.items.prefix(Self.maximumFrameCount) {
      let name = ID3v2Names.identifier(frame.name)
      guard name == "CHAP" || name == "CTOC", marks.count <= PartList.maximumCount,
        frame.body.upperBound - frame.body.lowerBound <= Self.maximumFrameByteCount,
        let content = try tag.content(ofFrame: frame, limit: Int(Self.maximumFrameByteCount))
      else { continue }
      if name == "CHAP" { try addChapter(content, version: tag.version, rate) } else { addContents(content) }
    }
  }

  /// An identifier that ends with NUL, four numbers (start and end in ms, two offsets that nobody uses), then frames.
  private mutating func addChapter(_ body: [UInt8], version: UInt8, _ rate: Int) throws(DecodingError) {
    guard let mark = body.firstIndex(of: 0), let start = body.bigEndian(UInt32.self, at: mark + 1),
      let end = body.bigEndian(UInt32.self, at: mark + 5)
    else { return }
    func frame(_ time: UInt32) -> Int64? { FrameIndex.frame(atTick: Int64(time), ticksPerSecond: 1000, rateInHz: rate) }
    guard let first = frame(start) else { return }
    var tags = PartTags()
    let inner = try TagContents(id3v2: ID3v2Reader.frames(Array(body.dropFirst(mark + 17)), version: version))
    var decoder = TagContents.Decoder(inner.texts)
    for text in inner.texts {
      switch text.name {
      case "TITLE" where tags.title == nil: tags.title = decoder.decoded(text)
      case "ARTIST" where tags.artist == nil: tags.artist = decoder.decoded(text)
      case "ISRC" where tags.isrc == nil: tags.isrc = decoder.decoded(text)
      default: break
      }
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
