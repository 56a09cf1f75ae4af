import AudioDecoding

/// Items of APE (wiki.hydrogenaud.io, APEv2 specification): a length, flags, a key and a value; NUL separates several values.
struct APEWriter: ItemWriter {
  private static let readOnly: UInt32 = 1
  private static let binary: UInt32 = 1 << 1
  private static let headByteCount: Int64 = 32
  /// What no key may be, because other tags and streams begin so.
  private static let forbiddenKeys: Set<String> = ["ID3", "TAG", "OGGS", "MP+"]

  let version: UInt8

  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]] {
    let isNamedByInstrument = old.first.map {
      String(decoding: $0.name, as: UTF8.self).uppercased().hasPrefix("PERFORMER:")
    }
    let key = isNamedByInstrument == false ? old[0].name : Array(TagItemNames.apeKey(of: property.name).utf8)
    guard (2...255).contains(key.count), key.allSatisfy({ (0x20...0x7E).contains($0) }),
      !Self.forbiddenKeys.contains(property.name)
    else { throw .value(property: property.name, reason: "an APE item cannot have this name") }
    let value = Array(property.values.joined(separator: "\0").utf8)
    if version < 2, value.contains(where: { $0 >= 0x80 }) {
      throw .value(property: property.name, reason: "APEv1 has ASCII only")
    }
    return [Self.item(key, value, flags: 0)]
  }

  /// A file name, NUL and the picture.
  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) -> [UInt8]? {
    guard version >= 2 else { return nil }
    let name = "cover" + (cover.mimeType == "image/png" ? ".png" : ".jpg")
    return Self.item(
      old?.name ?? Array("Cover Art (Front)".utf8), Array(name.utf8) + [0] + cover.bytes, flags: Self.binary)
  }

  func check(_ item: RawTag.Item) throws(TagEditRefusal) {
    if item.flags & Self.readOnly != 0 { throw .unsafe("an APE item is marked as read-only") }
  }

  private static func item(_ key: [UInt8], _ value: [UInt8], flags: UInt32) -> [UInt8] {
    UInt32(clamping: value.count).littleEndianBytes + flags.littleEndianBytes + key + [0] + value
  }

  /// The splices of an edit of the tag, with its length and the number of its items in header and footer.
  static func splices(_ tag: RawTag, _ edit: TagEdit, adds: Bool) throws(TagEditRefusal) -> [Splice] {
    let (first, last) = try reading { () throws(DecodingError) in
      (
        try tag.bytes.copy(at: tag.range.lowerBound, count: 8),
        try tag.bytes.copy(at: tag.range.upperBound - headByteCount, count: 8)
      )
    }
    let hasHeader = first.has("APETAGEX", at: 0)
    guard last.has("APETAGEX", at: 0),
      tag.range.upperBound - tag.range.lowerBound >= (hasHeader ? 2 : 1) * headByteCount
    else { throw .unsafe("an APE tag has no footer") }
    let end = tag.range.upperBound - headByteCount
    let itemsEnd = tag.items.last?.range.upperBound ?? (tag.range.lowerBound + (hasHeader ? headByteCount : 0))
    guard !tag.isOdd, itemsEnd == end else { throw .malformed("the length of an APE tag is not the declared one") }
    var list = try ItemList(tag, end: end)
    try list.apply(edit, APEWriter(version: tag.version), adds: adds)
    guard !list.splices.isEmpty else { return [] }
    if tag.flags & readOnly != 0 { throw .unsafe("an APE tag is marked as read-only") }
    let byteCount = end - tag.range.lowerBound - (hasHeader ? headByteCount : 0) + headByteCount + list.growth
    guard let size = UInt32(exactly: byteCount) else { throw .tooLong("an APE tag of more than 4 GiB") }
    let fields = size.littleEndianBytes + UInt32(tag.items.count + list.itemCountChange).littleEndianBytes
    let heads = (hasHeader ? [tag.range.lowerBound] : []) + [end]
    return list.splices + heads.map { Splice($0 + 12..<$0 + 20, fields) }
  }

  /// A new tag with header and footer; nil if there is nothing to write.
  static func tag(_ edit: TagEdit) throws(TagEditRefusal) -> [UInt8]? {
    var empty: [UInt8] = []
    for flags in [UInt32(0xA000_0000), 0x8000_0000] {
      empty += Array("APETAGEX".utf8) + UInt32(2000).littleEndianBytes + UInt32(headByteCount).littleEndianBytes
      empty += UInt32(0).littleEndianBytes + flags.littleEndianBytes + [UInt8](repeating: 0, count: 8)
    }
    let bytes = empty
    let tag = try reading { () throws(DecodingError) in
      try APEReader.tag(BytesInMemory(bytes).file, 0..<Int64(bytes.count))
    }
    guard let tag else { return nil }
    let splices = try splices(tag, edit, adds: true)
    return splices.isEmpty ? nil : splices.applied(to: bytes)
  }
}
