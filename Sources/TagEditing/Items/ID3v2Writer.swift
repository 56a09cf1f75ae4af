import AudioDecoding
import Base

/// Frames of ID3v2.2, 2.3 and 2.4 (id3.org), in the version of the tag.
struct ID3v2Writer: ItemWriter {
  let tag: RawTag
  /// False where other programs, or ours, would guess another encoding.
  var allowsLatin1 = true

  private var version: UInt8 { tag.version }

  // MARK: Properties

  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]] {
    let first = old.first
    var written = first.map { TagItemNames.id3v2Identifier($0.name) }
    // Older versions have a frame each for the year, the day and the time.
    if property.name == "DATE", written.map({ ["TYER", "TDAT", "TIME"].contains($0) }) ?? true {
      if version < 4 { return [try dateFrames(property, like: first)] }
      written = nil
    }
    if let written, written.hasPrefix("X") || written == "TRDC" { throw .unsafe("a non-standard frame \(written)") }
    let id = written ?? newFrame(of: property.name)
    switch id {
    case "TXXX": return [try described(property, id, like: first) { [$0] + $1 }]
    case "COMM", "USLT":
      if id == "USLT", property.values.count > 1 {
        throw .value(property: property.name, reason: "ID3v2 has only one lyrics text")
      }
      let language = try first.map { (item) throws(TagEditRefusal) in Array(try content(item).dropFirst().prefix(3)) }
      return [try described(property, id, like: first) { [$0] + (language ?? Array("XXX".utf8)) + $1 }]
    case "WXXX": return try addresses(property, id, like: first)
    case "UFID":
      guard property.values.count == 1, let value = Latin1.encoded(property.values[0]) else {
        throw .value(property: property.name, reason: "ID3v2 has only one track identifier, in Latin-1")
      }
      return [try frame(id, Array("http://musicbrainz.org\0".utf8) + value, like: first)]
    case _ where TagItemNames.isAddress(id3v2Frame: id): return try addresses(property, id, like: first)
    default:
      let encoding = try encoding(property.values, like: first)
      return [try frame(id, [encoding.rawValue] + encoding.joined(property.values), like: first)]
    }
  }

  private func newFrame(of property: String) -> String {
    switch property {
    case "MUSICBRAINZ_TRACKID": return "UFID"
    case _ where property == "COMMENT" || property.hasPrefix("COMMENT:"): return "COMM"
    case _ where property == "LYRICS" || property.hasPrefix("LYRICS:"): return "USLT"
    case _ where property == "URL" || property.hasPrefix("URL:"): return "WXXX"
    default:
      let id = TagItemNames.id3v2Frame(of: property, version: version)
      return id.map { TagItemNames.id3v2Identifier(Array($0.utf8)) } ?? "TXXX"
    }
  }

  /// A description, then texts.
  ///
  /// - Parameter body: of the frame, from the encoding and the description with the texts.
  private func described(
    _ property: TagEdit.Property, _ id: String, like old: RawTag.Item?, body: (UInt8, [UInt8]) -> [UInt8]
  ) throws(TagEditRefusal) -> [UInt8] {
    let description = try description(property.name, id, like: old)
    let encoding = try encoding(property.values + [description], like: old)
    let texts = encoding.bytes(description) + encoding.terminator + encoding.joined(property.values)
    return try frame(id, body(encoding.rawValue, texts), like: old)
  }

  private func description(
    _ property: String, _ id: String, like old: RawTag.Item?
  ) throws(TagEditRefusal) -> String {
    if let old {
      let content = try content(old)
      let encoding = content.first.flatMap(ID3v2Encoding.init) ?? .latin1
      return encoding.split(content.dropFirst(id == "COMM" || id == "USLT" ? 4 : 1)).text
    }
    if id == "TXXX" { return TagItemNames.id3v2Description(of: property) }
    return property.firstIndex(of: ":").map { String(property[property.index(after: $0)...]) } ?? ""
  }

  /// Addresses are in Latin-1, each in a frame of its own.
  private func addresses(
    _ property: TagEdit.Property, _ id: String, like old: RawTag.Item?
  ) throws(TagEditRefusal) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    for value in property.values {
      guard let address = Latin1.encoded(value) else {
        throw .value(property: property.name, reason: "URLs in ID3v2 are in Latin-1")
      }
      guard id == "WXXX" else {
        frames.append(try frame(id, address, like: old))
        continue
      }
      let description = try description(property.name, id, like: old)
      let encoding = try encoding([description], like: old)
      frames.append(
        try frame(
          id, [encoding.rawValue] + encoding.bytes(description) + encoding.terminator + address, like: old))
    }
    return frames
  }

  /// TYER, TDAT and TIME, of which each has four digits (ID3v2.3.0, section 4.2.1).
  private func dateFrames(
    _ property: TagEdit.Property, like old: RawTag.Item?
  ) throws(TagEditRefusal) -> [UInt8] {
    let form = /(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)(?:[ T](?<hour>\d\d):(?<minute>\d\d))?)?/
    guard property.values.count == 1, let date = try? form.wholeMatch(in: property.values[0]) else {
      throw .value(
        property: property.name,
        reason: "ID3v2.\(version) has a year, and a day and a time with it: YYYY, YYYY-MM-DD or YYYY-MM-DD hh:mm")
    }
    func text(_ id: String, _ value: String) throws(TagEditRefusal) -> [UInt8] {
      // Digits need no encoding of their own: as these frames are always written.
      try frame(id, [ID3v2Encoding.latin1.rawValue] + value.utf8, like: old)
    }
    var frames = try text("TYER", String(date.year))
    if let month = date.month, let day = date.day { frames += try text("TDAT", "\(day)\(month)") }
    if let hour = date.hour, let minute = date.minute { frames += try text("TIME", "\(hour)\(minute)") }
    return frames
  }

  // MARK: Covers

  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8]? {
    let encoding = try encoding([cover.caption], like: old)
    var type = Array(cover.mimeType.utf8) + [0]
    if version == 2 {
      switch cover.mimeType {
      case "image/jpeg": type = Array("JPG".utf8)
      case "image/png": type = Array("PNG".utf8)
      default: throw .value(property: "the cover", reason: "ID3v2.2 has JPEG and PNG only")
      }
    }
    let caption = encoding.bytes(cover.caption) + encoding.terminator
    return try frame("APIC", [encoding.rawValue] + type + [3] + caption + cover.bytes, like: old)
  }

  // MARK: Frames

  /// Flags of a frame: which of them say what may be done with it, and which that its bytes are not what they were.
  private var flags: (status: UInt32, readOnly: UInt32, encrypted: UInt32) {
    version == 4 ? (0x6000, 0x1000, 0x0004) : (0xC000, 0x2000, 0x0040)
  }

  func check(_ item: RawTag.Item) throws(TagEditRefusal) {
    let name = String(decoding: item.name, as: UTF8.self)
    if item.flags & flags.encrypted != 0 { throw .unsafe("the frame \(name) is encrypted") }
    if item.flags & flags.readOnly != 0 { throw .unsafe("the frame \(name) is marked as read-only") }
  }

  func content(_ item: RawTag.Item) throws(TagEditRefusal) -> [UInt8] {
    try check(item)
    let tag = tag
    let content = try reading { () throws(DecodingError) in try tag.content(ofFrame: item, limit: 1 << 20) }
    guard let content else { throw .malformed("the frame \(String(decoding: item.name, as: UTF8.self))") }
    return content
  }

  func encoding(_ texts: [String], like old: RawTag.Item?) throws(TagEditRefusal) -> ID3v2Encoding {
    let first = try old.map { (item) throws(TagEditRefusal) in try content(item).first } ?? nil
    return ID3v2Encoding(of: texts, like: first, version: version, allowsLatin1: allowsLatin1)
  }

  /// A frame of the tag's version; that it was compressed, or one of a group, is not kept.
  func frame(_ id: String, _ content: [UInt8], like old: RawTag.Item?) throws(TagEditRefusal) -> [UInt8] {
    let isUnsynchronised = version == 4 && tag.flags & 0x80 != 0
    let content = isUnsynchronised ? Self.unsynchronised(content) : content
    let count = UInt32(clamping: content.count)
    guard count < (version == 2 ? 1 << 24 : 1 << 28) else { throw .tooLong("a frame \(id) of ID3v2") }
    if version == 2 {
      guard let former = TagItemNames.formerFrame(id) ?? (id == "APIC" ? "PIC" : nil) else {
        throw .value(property: id, reason: "ID3v2.2 has no such frame")
      }
      return Array(former.utf8) + count.bigEndianBytes.dropFirst() + content
    }
    // What the head says of all frames, each says of itself.
    let kept = UInt16((old?.flags ?? 0) & flags.status) | (isUnsynchronised ? 0x0002 : 0)
    let size = version == 4 ? Self.synchsafe(count) : count.bigEndianBytes
    return Array(id.utf8) + size + kept.bigEndianBytes + content
  }

  /// With zeros behind bytes of 255 where they, and what follows, would look like the start of a frame of MPEG audio
  /// (ID3v2.4.0-structure, section 6.1).
  static func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      result.append(byte)
      guard byte == 0xFF else { continue }
      if index + 1 == bytes.count || bytes[index + 1] >= 0xE0 || bytes[index + 1] == 0 { result.append(0) }
    }
    return result
  }

  /// 28 bits in four bytes (ID3v2.4.0-structure, section 6.2).
  static func synchsafe(_ number: UInt32) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(number >> UInt32($0) & 0x7F) }
  }
}
