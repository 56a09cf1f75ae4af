import MediaModel

/// The tags and pictures of a Matroska or WebM file, which TagLib does not read (RFC 9559 sections 5.1.6 and 5.1.8).
///
/// Languages do not matter: all values of a name are kept. Tags of chapters, editions, attachments and other tracks
/// are not those of the recording.
struct MatroskaTags {
  private static let maximumElementCount = 10_000
  /// What a tag is about (section 5.1.8.1.1.1).
  private static let albumLevel: UInt64 = 50

  /// The name and the values of a simple tag, and those below it.
  private enum ID {
    static let (tag, targets, simpleTag): (UInt32, UInt32, UInt32) = (0x7373, 0x63C0, 0x67C8)
    static let (name, string, attachedFile): (UInt32, UInt32, UInt32) = (0x45A3, 0x4487, 0x61A7)
  }

  private let bytes: BufferedBytes
  private let trackIdentifier: UInt64?
  private var contents = TagContents()

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
    var level: UInt64?
    for target in try tag.children(bytes) where target.identifier == ID.targets {
      for element in try target.children(bytes) {
        switch element.identifier {
        case 0x68CA: level = try element.unsigned(bytes)
        case 0x63C5: guard try [0, trackIdentifier].contains(element.unsigned(bytes)) else { return }
        // An edition, a chapter, an attachment.
        case 0x63C9, 0x63C4, 0x63C6: guard try element.unsigned(bytes) == 0 else { return }
        default: break
        }
      }
    }
    let raw = try Self.rawTag(tag, bytes)
    if raw.isOdd { contents.isOdd = true }
    for item in raw.items { try add(item, level: level) }
  }

  private mutating func add(_ item: RawTag.Item, level: UInt64?) throws(DecodingError) {
    guard !item.name.isEmpty else {
      contents.isOdd = true
      return
    }
    let written = String(decoding: item.name, as: UTF8.self).uppercased()
    guard let known = Self.name(written, level: level) else { return }
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

  /// By TagLib's names; nil for what muxers count.
  ///
  /// - Parameter level: nil if the tag does not say what it is about, as most programs write it.
  private static func name(_ name: String, level: UInt64?) -> String? {
    if name.hasPrefix("_STATISTICS") { return nil }
    let isAlbum = level == albumLevel
    return switch name {
    case "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "SOURCE_ID": nil
    case "TITLE": isAlbum ? "ALBUM" : "TITLE"
    case "ARTIST": isAlbum ? "ALBUMARTIST" : "ARTIST"
    case "PART_NUMBER": isAlbum ? "DISCNUMBER" : "TRACKNUMBER"
    // The parts of an album are its tracks.
    case "TOTAL_PARTS": "TRACKTOTAL"
    case "DATE_RELEASED": "DATE"
    case "ALBUM_ARTIST": "ALBUMARTIST"
    case "TRACK": "TRACKNUMBER"
    case "DISC": "DISCNUMBER"
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
