import MediaModel

/// The tags and pictures of a Matroska or WebM file, which TagLib does not read (RFC 9559 sections 5.1.6 and 5.1.8).
///
/// Languages do not matter: all values of a name are kept. Tags of chapters, editions, attachments and other tracks
/// are not those of the recording.
struct MatroskaTags {
  private static let maximumElementCount = 10_000
  /// What a tag is about (section 5.1.8.1.1.1): the track, a disc or another part of the album, the album, or what the album
  /// is part of, such as a box set.
  private enum Level: UInt64 {
    case track = 30, disc = 40, album = 50, edition = 60, collection = 70
  }

  /// The name and the values of a simple tag, and those below it.
  private enum ID {
    static let (tag, targets, simpleTag): (UInt32, UInt32, UInt32) = (0x7373, 0x63C0, 0x67C8)
    static let (name, string, attachedFile): (UInt32, UInt32, UInt32) = (0x45A3, 0x4487, 0x61A7)
  }

  private let bytes: BufferedBytes
  private let trackIdentifier: UInt64?
  private var contents = TagContents()
  /// The simple tags that are about the recording, in the order of the file.
  private var items: [(item: RawTag.Item, level: Level)] = []

  /// What the tags, the attachments and the segment say.
  static func contents(_ bytes: BufferedBytes) throws(DecodingError) -> TagContents {
    let start = try TagBounds.start(of: bytes)
    let layout = try MatroskaLayout(bytes, start: start)
    var tags = MatroskaTags(bytes: bytes, trackIdentifier: layout.track?.identifier)
    var walk = MatroskaWalk(bytes, from: start, entersClusters: false)
    var titles: [[UInt8]] = []
    while let element = try walk.next() {
      switch element.identifier {
      case MatroskaID.info:
        for element in try element.children(bytes) where element.identifier == 0x7BA9 {
          titles.append(try element.text(bytes, limit: TagLimits.maximumValueByteCount))
        }
      case MatroskaID.tags:
        for tag in try element.children(bytes).prefix(maximumElementCount) where tag.identifier == ID.tag {
          try tags.add(tag)
        }
      case MatroskaID.attachments:
        for file in try element.children(bytes).prefix(maximumElementCount) where file.identifier == ID.attachedFile {
          try tags.addAttachment(file)
        }
      default: break
      }
    }
    try tags.readItems()
    // The title of the segment counts if no tag has one.
    if let title = titles.first, !tags.contents.has("TITLE") { tags.contents.add("TITLE", title, .utf8) }
    return tags.contents
  }

  private init(bytes: BufferedBytes, trackIdentifier: UInt64?) {
    (self.bytes, self.trackIdentifier) = (bytes, trackIdentifier)
  }

  // MARK: Tags

  /// The simple tags of a tag as a list of raw items.
  private static func rawTag(_ tag: EBMLElement, _ bytes: BufferedBytes) throws(DecodingError) -> RawTag {
    var raw = RawTag(.matroska, bytes, tag.offset..<tag.body.upperBound)
    let elements = try tag.children(bytes)
    if (elements.last?.body.upperBound ?? tag.body.upperBound) < tag.body.upperBound { raw.isOdd = true }
    for element in elements.prefix(maximumElementCount) where element.identifier == ID.simpleTag {
      let name = try element.children(bytes).first { $0.identifier == ID.name }
      let item = RawTag.Item(
        name: try name?.text(bytes, limit: 256) ?? [], range: element.offset..<element.body.upperBound,
        body: element.body)
      guard raw.add(item) else { break }
    }
    return raw
  }

  private mutating func add(_ tag: EBMLElement) throws(DecodingError) {
    // Most programs do not say what their tags are about.
    var level: UInt64 = Level.track.rawValue
    for target in try tag.children(bytes) where target.identifier == ID.targets {
      for element in try target.children(bytes) {
        switch element.identifier {
        case 0x68CA: level = try element.unsigned(bytes) ?? level
        case 0x63C5: guard try [0, trackIdentifier].contains(element.unsigned(bytes)) else { return }
        // An edition, a chapter, an attachment.
        case 0x63C9, 0x63C4, 0x63C6: guard try element.unsigned(bytes) == 0 else { return }
        default: break
        }
      }
    }
    let raw = try Self.rawTag(tag, bytes)
    if raw.isOdd { contents.isOdd = true }
    // Parts of a track are below 30; a level between two others is the lower one, 0 none.
    let known = level == 0 ? .track : level < 30 ? nil : Level(rawValue: min(level, 70) / 10 * 10)
    if let known { items += raw.items.map { ($0, known) } }
  }

  /// What is said of the album and its discs is said of the track, too; what is said of more only if nothing below says it.
  private mutating func readItems() throws(DecodingError) {
    let hasDiscs = items.contains { $0.level == .disc }
    let isOfMore = { (level: Level) in level == .edition || level == .collection }
    for (item, level) in items where !isOfMore(level) { try add(item, level: level, hasDiscs: hasDiscs) }
    let known = Set(contents.texts.map(\.name))
    for (item, level) in items where isOfMore(level) {
      try add(item, level: level, hasDiscs: hasDiscs, unless: known)
    }
  }

  private mutating func add(
    _ item: RawTag.Item, level: Level, hasDiscs: Bool, unless others: Set<String> = []
  ) throws(DecodingError) {
    guard !item.name.isEmpty else {
      contents.isOdd = true
      return
    }
    let written = String(decoding: item.name, as: UTF8.self).uppercased()
    guard let known = Self.name(written, level: level, hasDiscs: hasDiscs), !others.contains(known) else { return }
    for element in try EBMLElement.children(bytes, in: item.body) {
      switch element.identifier {
      // One byte more than is kept shows that there is more.
      case ID.string: contents.add(known, try element.text(bytes, limit: TagLimits.maximumValueByteCount + 1), .utf8)
      case ID.simpleTag:
        let nested = try element.children(bytes)
        guard try nested.first(where: { $0.identifier == ID.name })?.text(bytes, limit: 256) == Array("SORT_WITH".utf8)
        else { break }
        for element in nested where element.identifier == ID.string {
          contents.add(known + "SORT", try element.text(bytes, limit: TagLimits.maximumValueByteCount + 1), .utf8)
        }
      default: break
      }
    }
  }

  /// By TagLib's names; nil for what muxers count, and for what is not the track's.
  ///
  /// - Parameter hasDiscs: whether tags of the file are about discs, so that these are the parts of the album.
  private static func name(_ name: String, level: Level, hasDiscs: Bool) -> String? {
    if name.hasPrefix("_STATISTICS") { return nil }
    return switch (name, level) {
    case ("DURATION", _), ("BPS", _), ("NUMBER_OF_FRAMES", _), ("NUMBER_OF_BYTES", _), ("SOURCE_ID", _): nil
    case ("TITLE", .disc): "DISCSUBTITLE"
    case ("TITLE", .album): "ALBUM"
    case ("ARTIST", .disc), ("ARTIST", .album): "ALBUMARTIST"
    case ("PART_NUMBER", .track): "TRACKNUMBER"
    case ("PART_NUMBER", .disc): "DISCNUMBER"
    case ("PART_NUMBER", .album): hasDiscs ? nil : "DISCNUMBER"
    // The parts of an album are its tracks, unless they are discs, as those of a box set are.
    case ("TOTAL_PARTS", .track), ("TOTAL_PARTS", .disc): "TRACKTOTAL"
    case ("TOTAL_PARTS", .album): hasDiscs ? "DISCTOTAL" : "TRACKTOTAL"
    case ("TOTAL_PARTS", .edition): hasDiscs ? nil : "DISCTOTAL"
    case ("TITLE", .edition), ("ARTIST", .edition), ("PART_NUMBER", .edition): nil
    case ("TITLE", .collection), ("ARTIST", .collection), ("PART_NUMBER", .collection), ("TOTAL_PARTS", .collection):
      nil
    case ("TITLE", .track): "TITLE"
    case ("DATE_RELEASED", _): "DATE"
    case ("ALBUM_ARTIST", _): "ALBUMARTIST"
    case ("TRACK", _): "TRACKNUMBER"
    case ("DISC", _): "DISCNUMBER"
    default: name
    }
  }

  /// A picture; the one that is named `cover` is that of the front.
  private mutating func addAttachment(_ file: EBMLElement) throws(DecodingError) {
    var (name, type, caption): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var data: EBMLElement?
    for element in try file.children(bytes) {
      switch element.identifier {
      case 0x466E: name = try element.text(bytes, limit: 4096)
      case 0x4660: type = try element.text(bytes, limit: 256)
      case 0x467E: caption = try element.text(bytes, limit: 4096)
      case 0x465C: data = element
      default: break
      }
    }
    guard let data, type.starts(with: Array("image/".utf8)) else { return }
    let isFront = ["cover", "small_cover"].contains { String(decoding: name, as: UTF8.self).lowercased().hasPrefix($0) }
    contents.add(
      picture: isFront ? 3 : 0, mimeType: String(decoding: type, as: UTF8.self), caption: caption,
      bytes: try data.data(bytes, limit: TagLimits.maximumPictureByteCount + 1))
  }
}
