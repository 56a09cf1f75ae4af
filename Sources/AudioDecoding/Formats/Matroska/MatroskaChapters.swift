import MediaModel

/// The chapters of a Matroska or WebM file (RFC 9559 sections 5.1.7 and 20).
///
/// Of several editions the first default one counts, or else the first one. Hidden editions are left out, and so are
/// ordered ones, which play the file in another order. If several chapters lie in a chapter, they are the parts; what
/// the outer one has before them is a part, too. Points of an index are no parts. Of titles in several languages the
/// first one counts.
struct MatroskaChapters {
  private static let maximumDepth = 16
  private static let maximumEditionCount = 1000
  private static let maximumTitleByteCount = 4096

  private let bytes: BufferedBytes
  private let rate: Int
  /// Of the audio track.
  private let trackIdentifier: UInt64?

  /// nil if there are none.
  static func parts(_ bytes: BufferedBytes, sampleRateInHz rate: Int) throws(DecodingError) -> PartList? {
    let start = try TagBounds.start(of: bytes)
    let track = try MatroskaLayout(bytes, start: start).track
    let chapters = MatroskaChapters(bytes: bytes, rate: rate, trackIdentifier: track?.identifier)
    var walk = MatroskaWalk(bytes, from: start, entersClusters: false)
    while let element = try walk.next() {
      guard element.identifier == MatroskaID.chapters, let atoms = try chapters.edition(element) else { continue }
      return PartList(try chapters.marks(of: atoms), from: .matroska)
    }
    return nil
  }

  private init(bytes: BufferedBytes, rate: Int, trackIdentifier: UInt64?) {
    (self.bytes, self.rate, self.trackIdentifier) = (bytes, rate, trackIdentifier)
  }

  /// What is in the edition that counts; nil if there is none.
  private func edition(_ chapters: EBMLElement) throws(DecodingError) -> [EBMLElement]? {
    var first: [EBMLElement]?
    for edition in try chapters.children(bytes).prefix(Self.maximumEditionCount) where edition.identifier == 0x45B9 {
      let elements = try edition.children(bytes)
      func hasFlag(_ identifier: UInt32) throws(DecodingError) -> Bool {
        guard let flag = elements.first(where: { $0.identifier == identifier }) else { return false }
        return try flag.unsigned(bytes) == 1
      }
      guard try !hasFlag(0x45BD), try !hasFlag(0x45DD) else { continue }
      if try hasFlag(0x45DB) { return elements }
      first = first ?? elements
    }
    return first
  }

  /// The chapters among some elements, without the hidden ones: what is in a hidden one may be visible.
  private func marks(of elements: [EBMLElement], depth: Int = 0) throws(DecodingError) -> [PartList.Mark] {
    var marks: [PartList.Mark] = []
    for element in elements where element.identifier == 0xB6 && marks.count <= PartList.maximumCount {
      let chapter = try Chapter(element, bytes, rate)
      guard let start = chapter.start, chapter.isEnabled, !chapter.isIndexPoint,
        chapter.tracks.isEmpty || trackIdentifier.map({ chapter.tracks.contains($0) }) == true
      else { continue }
      var inner = depth < Self.maximumDepth ? try self.marks(of: chapter.elements, depth: depth + 1) : []
      inner.removeAll { $0.start < start }
      // One that is all of the outer one adds nothing but a name.
      if inner.count == 1, inner[0].start == start, !chapter.isHidden { inner = [] }
      if let last = inner.indices.max(by: { inner[$0].start < inner[$1].start }), inner[last].end == nil {
        inner[last].end = chapter.end.flatMap { $0 > inner[last].start ? $0 : nil }
      }
      let innerStart = inner.map(\.start).min()
      if !chapter.isHidden, innerStart.map({ $0 > start }) ?? true {
        let end = innerStart ?? chapter.end
        marks.append(PartList.Mark(start: start, end: end, tags: PartTags(title: chapter.title)))
      }
      marks += inner
    }
    return marks
  }

  private struct Chapter {
    let elements: [EBMLElement]
    private(set) var start: Int64?
    /// nil if it is not stated, or not behind the start.
    private(set) var end: Int64?
    private(set) var isHidden = false
    private(set) var isEnabled = true
    private(set) var isIndexPoint = false
    /// To which it applies; empty for all.
    private(set) var tracks: [UInt64] = []
    private(set) var title: String?

    init(_ element: EBMLElement, _ bytes: BufferedBytes, _ rate: Int) throws(DecodingError) {
      elements = try element.children(bytes)
      for element in elements {
        switch element.identifier {
        case 0x91: start = try Self.frame(element, bytes, rate)
        case 0x92: end = try Self.frame(element, bytes, rate)
        case 0x98: isHidden = try element.unsigned(bytes) == 1
        case 0x4598: isEnabled = try element.unsigned(bytes) != 0
        case 0x63C3: isIndexPoint = try element.unsigned(bytes) == 10
        case 0x8F:
          for track in try element.children(bytes) where track.identifier == 0x89 {
            if let number = try track.unsigned(bytes) { tracks.append(number) }
          }
        case 0x80 where title == nil:
          let text = try element.children(bytes).first { $0.identifier == 0x85 }
          title = try text.map { text throws(DecodingError) in
            String(decoding: try text.text(bytes, limit: maximumTitleByteCount), as: UTF8.self)
          }
        default: break
        }
      }
      if let start, let end, end <= start { self.end = nil }
    }

    /// A time in nanoseconds, which are rounded down: those of a frame are up to one too few.
    private static func frame(
      _ element: EBMLElement, _ bytes: BufferedBytes, _ rate: Int
    ) throws(DecodingError) -> Int64? {
      guard let time = try element.unsigned(bytes), time < UInt64(Int64.max) else { return nil }
      return FrameIndex.frame(atTick: Int64(time) + 1, ticksPerSecond: 1_000_000_000, rateInHz: rate)
    }
  }
}
