internal import CTagLib
import MediaModel

/// An ID3v2.4 tag as TagLib writes it; it knows which frame each name belongs into.
enum ID3v2Tag {
  /// Empty where nothing is to be said.
  static func bytes(_ tags: SoundTags) -> [UInt8] {
    guard !tags.tags.isEmpty || !tags.artwork.isEmpty, let tag = dw_id3v2_create() else { return [] }
    defer { dw_id3v2_delete(tag) }
    for property in tags.tags.properties {
      for value in property.values { dw_id3v2_add(tag, property.name, value) }
    }
    for picture in tags.artwork {
      dw_id3v2_add_picture(
        tag, Int32(picture.pictureType), picture.mimeType, picture.caption, picture.bytes, picture.bytes.count)
    }
    var size = 0
    guard let bytes = dw_id3v2_render(tag, &size), size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}
