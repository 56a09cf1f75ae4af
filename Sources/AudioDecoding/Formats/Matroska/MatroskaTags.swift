import MediaModel

/// The tags and pictures of a Matroska or WebM file, which TagLib does not read (RFC 9559 sections 5.1.6 and 5.1.8).
///
/// Languages do not matter: all values of a name are kept. Tags of chapters, editions, attachments and other tracks
/// are not those of the recording.
struct MatroskaTags {
  private static let maximumElementCount = 10_000
  /// What a tag is about (section 5.1.8.1.1.1).
  private static let albumLevel: UInt64 = 50

  private let bytes: BufferedBytes
  private let collector: TagCollector
  private let trackIdentifier: UInt64?
  private var names: Set<String> = []

  /// Adds what the file has to `collector`.
  static func read(_ bytes: BufferedBytes, into collector: TagCollector) throws(DecodingError) {
    let start = try TagBounds.start(of: bytes)
    let layout = try MatroskaLayout(bytes, start: start)
    var tags = MatroskaTags(bytes: bytes, collector: collector, trackIdentifier: layout.track?.identifier)
    var walk = MatroskaWalk(bytes, from: start, entersClusters: false)
    var titles: [[UInt8]] = []
    while let element = try walk.next() {
      switch element.identifier {
      case MatroskaID.info:
        for element in try element.children(bytes) where element.identifier == 0x7BA9 {
          titles.append(try element.text(bytes, limit: TagLimits.maximumValueByteCount))
        }
      case MatroskaID.tags:
        for tag in try element.children(bytes).prefix(maximumElementCount) where tag.identifier == 0x7373 {
          try tags.readTag(tag)
        }
      case MatroskaID.attachments:
        for file in try element.children(bytes).prefix(maximumElementCount) where file.identifier == 0x61A7 {
          try tags.readAttachment(file)
        }
      default: break
      }
    }
    // The title of the segment counts if no tag has one.
    if let title = titles.first, !tags.names.contains("TITLE") { tags.add("TITLE", title) }
  }

  private init(bytes: BufferedBytes, collector: TagCollector, trackIdentifier: UInt64?) {
    (self.bytes, self.collector, self.trackIdentifier) = (bytes, collector, trackIdentifier)
  }

  private mutating func readTag(_ tag: EBMLElement) throws(DecodingError) {
    let elements = try tag.children(bytes)
    var level: UInt64?
    for target in elements where target.identifier == 0x63C0 {
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
    for element in elements.prefix(Self.maximumElementCount) where element.identifier == 0x67C8 {
      try readSimpleTag(element, level: level)
    }
  }

  private mutating func readSimpleTag(_ tag: EBMLElement, level: UInt64?) throws(DecodingError) {
    let elements = try tag.children(bytes)
    guard let name = try elements.first(where: { $0.identifier == 0x45A3 })?.text(bytes, limit: 256) else { return }
    let written = String(decoding: name, as: UTF8.self).uppercased()
    guard let known = Self.name(written, level: level) else { return }
    for element in elements {
      switch element.identifier {
      // One byte more than is kept shows that there is more.
      case 0x4487: add(known, try element.text(bytes, limit: TagLimits.maximumValueByteCount + 1))
      case 0x67C8:
        let nested = try element.children(bytes)
        guard try nested.first(where: { $0.identifier == 0x45A3 })?.text(bytes, limit: 256) == Array("SORT_WITH".utf8)
        else { break }
        for element in nested where element.identifier == 0x4487 {
          add(known + "SORT", try element.text(bytes, limit: TagLimits.maximumValueByteCount + 1))
        }
      default: break
      }
    }
  }

  private mutating func add(_ name: String, _ value: [UInt8]) {
    names.insert(name)
    Array(name.utf8).withUnsafeBytes { name in value.withUnsafeBytes { collector.addProperty(name: name, value: $0) } }
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
  private func readAttachment(_ file: EBMLElement) throws(DecodingError) {
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
    let picture = try data.data(bytes, limit: TagLimits.maximumPictureByteCount + 1)
    type.withUnsafeBytes { type in
      caption.withUnsafeBytes { caption in
        picture.withUnsafeBytes {
          collector.addPicture(type: isFront ? 3 : 0, mimeType: type, caption: caption, bytes: $0)
        }
      }
    }
  }
}
