import AudioDecoding

/// Changes an ID3v2 tag where it is: its padding gives way as far as there is some, so that the sound behind it stays in its
/// place.
struct ID3v2TagEditor {
  /// What a tag gets if it has to grow.
  static let newPaddingByteCount = 2048
  /// New tags have several values and whole dates in a standard way, which older versions have not.
  static let newVersion: UInt8 = 4

  private static let headByteCount: Int64 = 10

  let tag: RawTag
  let allowsLatin1: Bool

  init(_ tag: RawTag, allowsLatin1: Bool) throws(TagEditRefusal) {
    (self.tag, self.allowsLatin1) = (tag, allowsLatin1)
    guard (2...4).contains(tag.version) else { throw .unsafe("an ID3v2 tag of version 2.\(tag.version)") }
    if tag.flags & 0x80 != 0 || tag.isRestored { throw .unsafe("the ID3v2 tag is unsynchronised") }
    // Of version 2.2 that is a compression that was never defined.
    if tag.flags & 0x40 != 0 { throw .unsafe("the ID3v2 tag has an extended header, which may have a checksum") }
    if tag.version == 4, tag.flags & 0x10 != 0 { throw .unsafe("the ID3v2 tag has a footer") }
    guard !tag.isOdd else { throw .malformed("the ID3v2 tag has a frame with an impossible length or name") }
  }

  /// - Parameter adds: whether to add what the tag does not have.
  func splices(_ edit: TagEdit, adds: Bool) throws(TagEditRefusal) -> [Splice] {
    let end = tag.range.upperBound
    let framesEnd = tag.items.last?.range.upperBound ?? tag.range.lowerBound + Self.headByteCount
    let tag = tag
    let padding = try reading { () throws(DecodingError) in
      try tag.bytes.file.bytes(at: framesEnd, count: Int(end - framesEnd))
    }
    guard padding.count == Int(end - framesEnd), padding.allSatisfy({ $0 == 0 }) else {
      throw .malformed("the ID3v2 tag has other bytes than zeros behind its frames")
    }
    var list = try ItemList(tag, end: framesEnd)
    let writer = ID3v2Writer(tag: tag, allowsLatin1: allowsLatin1)
    try list.apply(edit, writer, adds: adds, except: ID3v2People.has)
    try ID3v2People(writer).apply(edit, to: &list, adds: adds)
    let growth = Int(list.growth)
    if list.splices.isEmpty { return [] }
    if growth <= padding.count {
      return list.splices
        + (growth < 0
          ? [Splice(insert: [UInt8](repeating: 0, count: -growth), at: end)]
          : growth > 0 ? [Splice(end - Int64(growth)..<end, [])] : [])
    }
    let pad = [UInt8](repeating: 0, count: Self.newPaddingByteCount)
    let size = framesEnd + Int64(growth) + Int64(pad.count) - tag.range.lowerBound - Self.headByteCount
    guard size < 1 << 28 else { throw .tooLong("an ID3v2 tag of more than 256 MiB") }
    let place = tag.range.lowerBound + 6
    return [Splice(place..<place + 4, ID3v2Writer.synchsafe(UInt32(size)))] + list.splices + [
      Splice(framesEnd..<end, pad)
    ]
  }

  /// A new tag; nil if there is nothing to write.
  static func tag(_ edit: TagEdit) throws(TagEditRefusal) -> [UInt8]? {
    let empty = Array("ID3".utf8) + [newVersion, 0, 0, 0, 0, 0, 0]
    let tag = try reading { () throws(DecodingError) in
      try ID3v2Reader.tag(BytesInMemory(empty).file, at: 0, before: headByteCount)
    }
    guard let tag else { return nil }
    let splices = try ID3v2TagEditor(tag, allowsLatin1: false).splices(edit, adds: true)
    return splices.isEmpty ? nil : splices.applied(to: empty)
  }
}
