internal import Base
import MediaModel

/// The items of iTunes in an MP4 file (`moov.udta.meta.ilst`) as lists of raw atoms.
package enum MP4ItemReader {
  /// All lists of items: some programs leave an empty one before that with the tags, or put it elsewhere.
  package static func tags(_ bytes: BufferedBytes, _ boxes: MP4TagBoxes) throws(DecodingError) -> [RawTag] {
    var tags: [RawTag] = []
    for metadata in try boxes.metadata(hasNamedKeys: false) {
      let lists = try MP4Box.boxes(bytes, in: metadata.range).filter { $0.isType("ilst") }
      for list in lists.prefix(maximumCount) { tags.append(try tag(bytes, list)) }
    }
    return tags
  }

  private static let maximumCount = 16

  private static func tag(_ bytes: BufferedBytes, _ list: MP4Box) throws(DecodingError) -> RawTag {
    var tag = RawTag(.mp4, bytes, list.offset..<list.body.upperBound)
    tag.isOdd = list.isCut
    var searchedByteCount = 0
    var offset = list.body.lowerBound
    while offset + 8 <= list.body.upperBound {
      let box = try MP4Box.boxes(bytes, in: offset..<list.body.upperBound, maximumCount: 1).first
      guard let box, !box.isCut else {
        // An impossible size: the next atom with a value is searched.
        tag.isOdd = true
        let found = try nextItem(bytes, in: offset + 1..<list.body.upperBound, &searchedByteCount)
        let next = found ?? list.body.upperBound
        let type = try bytes.copy(at: offset + 4, count: 4)
        let body = min(next, box?.body.lowerBound ?? offset + 8)..<next
        guard tag.add(RawTag.Item(name: type, range: offset..<next, body: body, isCut: true)) else { break }
        offset = next
        continue
      }
      guard tag.add(RawTag.Item(name: box.type, range: box.offset..<box.body.upperBound, body: box.body)) else { break }
      offset = box.body.upperBound
    }
    return tag
  }

  /// Where the next atom begins that fits and starts with a value or a name of its own.
  private static func nextItem(
    _ bytes: BufferedBytes, in range: Range<Int64>, _ searchedByteCount: inout Int
  ) throws(DecodingError) -> Int64? {
    var offset = range.lowerBound
    while offset + 16 <= range.upperBound, searchedByteCount < RawTag.maximumSearchByteCount {
      let window = try bytes.copy(at: offset, count: Int(min(range.upperBound - offset, 1 << 14)))
      guard window.count >= 16 else { return nil }
      for index in 0...window.count - 16 {
        let place = offset + Int64(index)
        if window[index + 12] == UInt8(ascii: "d")
          ? window.has("data", at: index + 12) : window.has("mean", at: index + 12),
          let size = window.bigEndian(UInt32.self, at: index), size >= 16, place + Int64(size) <= range.upperBound,
          let inner = window.bigEndian(UInt32.self, at: index + 8), inner <= size - 8
        {
          return place
        }
      }
      searchedByteCount += window.count - 15
      offset += Int64(window.count - 15)
    }
    return nil
  }
}

/// A `data` atom: the type of its value and the value (QuickTime File Format, "Well-known types").
private struct MP4Value {
  let type: UInt32
  let bytes: [UInt8]
  /// Whether it claims to be longer.
  let isCut: Bool

  /// A big-endian number of one to eight bytes; nil for more.
  func number(isSigned: Bool) -> Int64? {
    guard (1...8).contains(bytes.count) else { return nil }
    let sign: Int64 = isSigned && bytes[0] & 0x80 != 0 ? -1 : 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  var isText: Bool { (1...5).contains(type) }

  /// Whether it is a text where a binary number is usual: some programs give that number the type of UTF-8, too. One of
  /// more than two bytes has zeros, and a shorter text is a number.
  var isTextInPlaceOfNumber: Bool {
    guard isText, type == 1 || type == 4 else { return isText }
    guard let first = bytes.first, !bytes.contains(where: { $0 < 0x20 }) else { return false }
    return bytes.count > 2 || (0x30...0x39).contains(first)
  }
}

extension TagContents {
  /// What the items of iTunes say. All atoms of a name and all values in them count, and atoms of other types than the
  /// usual one as far as they can be read.
  init(mp4 tag: RawTag) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    for item in tag.items {
      let type = LegacyText.western(item.name[...])
      switch type {
      case "----": try addFreeForm(tag, item)
      case "covr": try addCovers(tag, item)
      case "free", "skip": break
      default:
        guard let name = type == "gnre" ? "GENRE" : Self.mp4Name(type) else { continue }
        source = type
        for value in try values(tag, item) { add(value, type, name) }
      }
    }
  }

  /// The values in an atom; others in it are odd.
  private mutating func values(
    _ tag: RawTag, _ item: RawTag.Item, limit: Int = maximumBodyByteCount
  ) throws(DecodingError) -> [MP4Value] {
    var values: [MP4Value] = []
    for box in try MP4Box.boxes(tag.bytes, in: item.body) {
      guard values.count <= TagLimits.maximumValueCount else { break }
      if box.isType("data") {
        let body = try tag.body(RawTag.Item(name: [], range: box.body, body: box.body), limit: limit + 8)
        if let type = body.bigEndian(UInt32.self, at: 0), body.count >= 8 {
          values.append(MP4Value(type: type & 0xFF_FFFF, bytes: Array(body[8...]), isCut: box.isCut || item.isCut))
          if box.isCut { isOdd = true }
          continue
        }
      } else if box.isType("mean") || box.isType("name") || box.isType("itif") || box.isType("free") {
        continue
      }
      isOdd = true
    }
    if values.isEmpty { isOdd = true }
    return values
  }

  private mutating func add(_ value: MP4Value, _ type: String, _ name: String) {
    switch type {
    case _ where Self.mp4Numbers.contains(type) && value.isTextInPlaceOfNumber: addText(value, name)
    case "trkn", "disk":
      guard value.bytes.count >= 4 else {
        isOdd = true
        return
      }
      let number = Int16(bitPattern: value.bytes.bigEndian(UInt16.self, at: 2) ?? 0)
      let total = Int16(bitPattern: value.bytes.bigEndian(UInt16.self, at: 4) ?? 0)
      add(name, total == 0 ? "\(number)" : "\(number)/\(total)")
    case "gnre":
      guard let number = value.number(isSigned: false), let genre = TagGenres.name(Int(clamping: number) - 1) else {
        isOdd = true
        return
      }
      add(name, genre)
    case "cpil", "pgap", "pcst", "shwm":
      add(name, value.number(isSigned: false) ?? 0 == 0 ? "0" : "1")
    case "tmpo", "©mvi", "©mvc", "tves", "tvsn":
      guard let number = value.number(isSigned: true) else {
        isOdd = true
        return
      }
      add(name, "\(number)")
    default: addText(value, name)
    }
  }

  private mutating func addText(_ value: MP4Value, _ name: String) {
    switch value.type {
    case 1: add(name, value.bytes, .utf8)
    case 2: add(name, value.bytes, .utf16BigEndian)
    // UTF-8 and UTF-16 for sorting.
    case 4: add(name, value.bytes, .utf8)
    case 5: add(name, value.bytes, .utf16BigEndian)
    case 3: add(name, value.bytes, .page(.japanese))
    case 21, 22, 65...67, 74...78:
      guard let number = value.number(isSigned: value.type != 22 && value.type < 75) else {
        isOdd = true
        return
      }
      add(name, "\(number)")
    default:
      // Of no type, or one that is none of a text: what looks like a text is one.
      isOdd = true
      if Self.isReadable(value.bytes) { add(name, value.bytes, .none) }
    }
  }

  private static func isReadable(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && (TextEncoding.wide(bytes) != nil || !bytes.contains { $0 < 0x09 })
  }

  /// An item with a name of its own: who gave it, the name, then values. What iTunes counts is no text.
  private mutating func addFreeForm(_ tag: RawTag, _ item: RawTag.Item) throws(DecodingError) {
    func part(_ name: StaticString, _ isOdd: inout Bool) throws(DecodingError) -> String? {
      guard let body = try MP4Box.body(tag.bytes, of: name, in: item.body) else { return nil }
      let bytes = try tag.body(RawTag.Item(name: [], range: body, body: body), limit: 4096)
      let text = bytes.dropFirst(4)
      guard let last = text.lastIndex(where: { $0 != 0 }) else { return "" }
      // Some programs count the NUL at the end.
      if last + 1 < text.endIndex { isOdd = true }
      return String(decoding: text[...last], as: UTF8.self)
    }
    guard let name = try part("name", &isOdd), !name.isEmpty else {
      isOdd = true
      return
    }
    let key = name.uppercased()
    source = key
    guard try part("mean", &isOdd) == "com.apple.iTunes", !["ITUNSMPB", "ITUNNORM"].contains(key) else { return }
    for value in try values(tag, item) {
      // Others are no texts, nor meant to be.
      guard value.isText || value.type == 0 && Self.isReadable(value.bytes) else { continue }
      if value.type == 0 {
        add(Self.mp4FreeFormNames[key] ?? key, value.bytes, .utf8)
      } else {
        addText(value, Self.mp4FreeFormNames[key] ?? key)
      }
    }
  }

  private mutating func addCovers(_ tag: RawTag, _ item: RawTag.Item) throws(DecodingError) {
    for value in try values(tag, item, limit: TagLimits.maximumPictureByteCount + 1) where !value.isCut {
      add(picture: 3, mimeType: "", bytes: value.bytes)
    }
  }

  /// What an atom with a type of its own is called.
  static func mp4Name(_ type: String) -> String? { mp4Names[type] ?? otherMP4Names[type] }

  /// Atoms that QuickTime has for the same, or that only other programs know.
  private static let otherMP4Names: [String: String] = [
    "©com": "COMPOSER", "©aut": "ARTIST", "©cpy": "COPYRIGHT", "©des": "DESCRIPTION", "ldes": "DESCRIPTION",
    "©trk": "TRACKNUMBER", "©swr": "ENCODING", "©isr": "ISRC", "©lab": "LABEL", "©pub": "LABEL", "©enc": "ENCODEDBY",
    "©ope": "ORIGINALARTIST", "©st3": "SUBTITLE",
  ]

  /// By TagLib's names.
  static let mp4Names: [String: String] = [
    "©nam": "TITLE", "©ART": "ARTIST", "©alb": "ALBUM", "©cmt": "COMMENT", "©gen": "GENRE", "©day": "DATE",
    "©wrt": "COMPOSER", "©grp": "GROUPING", "aART": "ALBUMARTIST", "trkn": "TRACKNUMBER", "disk": "DISCNUMBER",
    "cpil": "COMPILATION", "tmpo": "BPM", "cprt": "COPYRIGHT", "©lyr": "LYRICS", "©too": "ENCODEDBY",
    "soal": "ALBUMSORT", "soaa": "ALBUMARTISTSORT", "soar": "ARTISTSORT", "sonm": "TITLESORT",
    "soco": "COMPOSERSORT", "sosn": "SHOWSORT", "shwm": "SHOWWORKMOVEMENT", "pgap": "GAPLESSPLAYBACK",
    "pcst": "PODCAST", "catg": "PODCASTCATEGORY", "desc": "PODCASTDESC", "egid": "PODCASTID", "purl": "PODCASTURL",
    "tves": "TVEPISODE", "tven": "TVEPISODEID", "tvnn": "TVNETWORK", "tvsn": "TVSEASON", "tvsh": "TVSHOW",
    "©wrk": "WORK", "©mvn": "MOVEMENTNAME", "©mvi": "MOVEMENTNUMBER", "©mvc": "MOVEMENTCOUNT",
    "©con": "CONDUCTOR", "©dir": "DIRECTOR", "©prd": "PRODUCER", "©prf": "PERFORMER", "©arg": "ARRANGER",
  ]

  /// The items whose values are binary numbers.
  private static let mp4Numbers: Set<String> = [
    "trkn", "disk", "gnre", "cpil", "pgap", "pcst", "shwm", "tmpo", "©mvi", "©mvc", "tves", "tvsn",
  ]

  /// Of names in capitals; others are names already.
  static let mp4FreeFormNames = describedNames.merging(["MUSICBRAINZ TRACK ID": "MUSICBRAINZ_TRACKID"]) { one, _ in one
  }
}
