import AudioDecoding
import Base

/// Comments of Vorbis (xiph.org, Vorbis I specification, section 5): a length and `NAME=value`, one for each value.
struct VorbisCommentWriter: ItemWriter {
  func items(_ property: TagEdit.Property, like old: [RawTag.Item]) throws(TagEditRefusal) -> [[UInt8]] {
    guard VorbisCommentReader.isName(Array(property.name.utf8)[...]) else {
      throw .value(property: property.name, reason: "a comment cannot have this name")
    }
    return property.values.enumerated().map { index, value in
      let name = old.isEmpty ? nil : keptName(old[min(index, old.count - 1)])
      return Self.comment(name ?? Array(property.name.utf8), value)
    }
  }

  func cover(_ cover: TagEdit.Cover, like old: RawTag.Item?) -> [UInt8]? {
    Self.comment(Array("METADATA_BLOCK_PICTURE".utf8), Base64Text.encoded(FLACPicture(cover).bytes))
  }

  /// The name as it is written; nil if an instrument is in it, which is part of the value.
  private func keptName(_ item: RawTag.Item) -> [UInt8]? {
    String(decoding: item.name, as: UTF8.self).uppercased().hasPrefix("PERFORMER:") ? nil : item.name
  }

  private static func comment(_ name: [UInt8], _ value: String) -> [UInt8] {
    let text = name + [UInt8(ascii: "=")] + value.utf8
    return UInt32(text.count).littleEndianBytes + text
  }

  /// A list without comments.
  static let emptyList: [UInt8] = {
    let vendor = "Deadwax"
    return UInt32(vendor.utf8.count).littleEndianBytes + vendor.utf8 + UInt32(0).littleEndianBytes
  }()

  /// The splices of an edit, with the number of comments.
  ///
  /// - Parameter adds: whether to add what the list does not have.
  static func splices(_ tag: RawTag, _ edit: TagEdit, adds: Bool = true) throws(TagEditRefusal) -> [Splice] {
    var list = try ItemList(tag, end: tag.range.upperBound)
    try list.apply(edit, VorbisCommentWriter(), adds: adds)
    guard list.itemCountChange != 0 else { return list.splices }
    let vendor = try reading { () throws(DecodingError) in
      try tag.bytes.copy(at: tag.range.lowerBound, count: 4).littleEndian(UInt32.self, at: 0)
    }
    let place = tag.range.lowerBound + 4 + Int64(vendor ?? 0)
    let count = UInt32(tag.items.count + list.itemCountChange)
    return list.splices + [Splice(place..<place + 4, count.littleEndianBytes)]
  }
}

/// A picture as FLAC has it (RFC 9639 section 8.8). The numbers of pixels and colours are 0, for which decoders look into the
/// picture.
struct FLACPicture {
  let bytes: [UInt8]

  init(_ cover: TagEdit.Cover) {
    func field(_ bytes: [UInt8]) -> [UInt8] { UInt32(bytes.count).bigEndianBytes + bytes }
    bytes =
      UInt32(3).bigEndianBytes + field(Array(cover.mimeType.utf8)) + field(Array(cover.caption.utf8))
      + [UInt8](repeating: 0, count: 16) + field(cover.bytes)
  }
}
