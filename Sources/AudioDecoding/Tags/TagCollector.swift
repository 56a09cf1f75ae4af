import MediaModel

/// Takes what the tag library hands over, and keeps no more than ``TagLimits`` allow.
final class TagCollector {
  private var values: [String: [String]] = [:]
  private var valueCount = 0
  private var textByteCount = 0
  private(set) var artwork: [Artwork] = []
  private(set) var isTruncated = false

  var tags: Tags { Tags(values.map { Tags.Property(name: $0.key, values: $0.value) }) }

  /// Bytes that are not UTF-8 become U+FFFD; NUL ends nothing and is dropped; a value of nothing but space is none.
  func addProperty(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard name.count <= 256 else {
      isTruncated = true
      return
    }
    addProperty(name: String(decoding: name, as: UTF8.self), value: value)
  }

  private func addProperty(name: String, value: UnsafeRawBufferPointer) {
    guard valueCount < TagLimits.maximumValueCount, textByteCount < TagLimits.maximumTextByteCount else {
      isTruncated = true
      return
    }
    var kept = value[...]
    if kept.count > TagLimits.maximumValueByteCount {
      isTruncated = true
      kept = kept.prefix(TagLimits.maximumValueByteCount)
      // Not in the middle of a character.
      while let last = kept.last, last & 0xC0 == 0x80 { kept = kept.dropLast() }
      if let last = kept.last, last >= 0xC0 { kept = kept.dropLast() }
    }
    let text = String(decoding: kept.filter { $0 != 0 }, as: UTF8.self)
    guard !text.allSatisfy(\.isWhitespace) else { return }
    valueCount += 1
    textByteCount += text.utf8.count
    values[name, default: []].append(text)
  }

  /// Adds values of those names that have none yet.
  func addMissing(_ found: [MisencodedText.Value]) {
    let names = Set(values.keys)
    for value in found where !names.contains(value.name) {
      value.text.withUnsafeBytes { addProperty(name: value.name, value: $0) }
    }
  }

  func addPicture(
    type: Int, mimeType: UnsafeRawBufferPointer, caption: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    guard !bytes.isEmpty else { return }
    guard artwork.count < TagLimits.maximumPictureCount, bytes.count <= TagLimits.maximumPictureByteCount else {
      isTruncated = true
      return
    }
    var claimed = String(decoding: mimeType.prefix(256).filter { $0 != 0 }, as: UTF8.self)
    // Of what is not known by its bytes the claim counts if it is a picture, and none that could be a page.
    if !claimed.hasPrefix("image/") || claimed.hasPrefix("image/svg") { claimed = "application/octet-stream" }
    artwork.append(
      Artwork(
        pictureType: (0...20).contains(type) ? type : 0,
        mimeType: PictureSniffer.mimeType(of: bytes) ?? claimed,
        caption: String(decoding: caption.prefix(4096).filter { $0 != 0 }, as: UTF8.self),
        hash: StreamingHash.digest(of: Array(bytes)), bytes: Array(bytes)))
  }
}
