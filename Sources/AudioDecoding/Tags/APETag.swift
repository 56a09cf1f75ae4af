/// APEv1 and APEv2 (wiki.hydrogenaud.io, APEv2 specification) as a list of raw items.
package enum APEReader {
  private static let maximumKeyByteCount = 255

  /// The tag with its header or footer in `range`, as ``TagBounds`` finds it; nil if there is none.
  package static func tag(_ file: BufferedBytes, _ range: Range<Int64>) throws(DecodingError) -> RawTag? {
    let (first, last) = (
      try file.copy(at: range.lowerBound, count: 32), try file.copy(at: range.upperBound - 32, count: 32)
    )
    let hasHeader = first.count == 32 && first.has("APETAGEX", at: 0)
    let hasFooter = range.upperBound - range.lowerBound >= 32 && last.has("APETAGEX", at: 0)
    guard hasHeader || hasFooter else { return nil }
    let head = hasFooter ? last : first
    var tag = RawTag(.ape, file, range)
    tag.version = UInt8(clamping: (head.littleEndian(UInt32.self, at: 8) ?? 0) / 1000)
    tag.flags = head.littleEndian(UInt32.self, at: 20) ?? 0
    let declared = Int(head.littleEndian(UInt32.self, at: 16) ?? 0)
    // A header alone says that a footer is as good as there, or that there is none.
    let isSame = hasHeader && range.upperBound - range.lowerBound < 64
    var offset = range.lowerBound + (hasHeader ? 32 : 0)
    let end = max(offset, range.upperBound - (hasFooter && !isSame ? 32 : 0))
    var searchedByteCount = 0
    while offset + 9 <= end {
      let item = try file.copy(at: offset, count: min(8 + maximumKeyByteCount + 1, Int(end - offset)))
      guard let size = item.littleEndian(UInt32.self, at: 0), let flags = item.littleEndian(UInt32.self, at: 4),
        item.count > 8
      else {
        break
      }
      if size == 0, flags == 0, item[8] == 0 { break }
      let keyEnd = item[8...].firstIndex(of: 0)
      let body = offset + Int64(keyEnd ?? 8) + 1
      var next = body + Int64(size)
      let isCut = !isItem(item, at: offset, before: end)
      if isCut {
        // An impossible length or key: the next item is searched.
        tag.isOdd = true
        next = try search(file, in: (keyEnd == nil ? offset + 1 : body)..<end, &searchedByteCount) ?? end
      }
      let name = keyEnd.map { Array(item[8..<$0]) } ?? []
      guard
        tag.add(RawTag.Item(name: name, flags: flags, range: offset..<next, body: min(body, next)..<next, isCut: isCut))
      else {
        break
      }
      offset = next
    }
    if tag.items.count != declared { tag.isOdd = true }
    return tag
  }

  /// Whether an item that fits begins at `offset`.
  static func isItem(_ file: BufferedBytes, at offset: Int64, before end: Int64) throws(DecodingError) -> Bool {
    let count = Int(clamping: min(8 + Int64(maximumKeyByteCount) + 1, end - offset))
    guard count > 10 else { return false }
    return isItem(try file.copy(at: offset, count: count), at: offset, before: end)
  }

  /// Whether an item that fits begins with these bytes.
  private static func isItem(_ head: some RandomAccessCollection<UInt8>, at offset: Int64, before end: Int64) -> Bool {
    let head = Array(head)
    guard head.count > 10, let size = head.littleEndian(UInt32.self, at: 0),
      let flags = head.littleEndian(UInt32.self, at: 4), flags & 0x7FFF_FFF8 == 0
    else { return false }
    guard let keyEnd = head[8...].firstIndex(of: 0), keyEnd > 9 else { return false }
    return head[8..<keyEnd].allSatisfy { (0x20...0x7E).contains($0) } && offset + Int64(keyEnd) + 1 + Int64(size) <= end
  }

  private static func search(
    _ file: BufferedBytes, in range: Range<Int64>, _ searchedByteCount: inout Int
  ) throws(DecodingError) -> Int64? {
    var offset = range.lowerBound
    while offset + 11 <= range.upperBound, searchedByteCount < RawTag.maximumSearchByteCount {
      let window = try file.copy(at: offset, count: Int(min(range.upperBound - offset, 1 << 14)))
      guard window.count >= 11 else { return nil }
      for index in 0...window.count - 11 where window[index + 5] == 0 && window[index + 6] == 0 && window[index + 4] < 8
      {
        let head = window[index..<min(window.count, index + 9 + maximumKeyByteCount)]
        if isItem(head, at: offset + Int64(index), before: range.upperBound) { return offset + Int64(index) }
      }
      searchedByteCount += window.count - 10
      offset += Int64(window.count - 10)
    }
    return nil
  }
}

extension TagContents {
  /// The kinds of items of APE, in bits 1 and 2 of their flags.
  private static let (textType, binaryType): (UInt32, UInt32) = (0, 1)

  static let apeNames = [
    "TRACK": "TRACKNUMBER", "YEAR": "DATE", "ALBUM ARTIST": "ALBUMARTIST", "DISC": "DISCNUMBER",
    "MIXARTIST": "REMIXER", "MUSICBRAINZ_ALBUMSTATUS": "RELEASESTATUS", "MUSICBRAINZ_ALBUMTYPE": "RELEASETYPE",
  ]

  /// What the items of an APE tag say.
  init(ape tag: RawTag) throws(DecodingError) {
    self.init()
    isOdd = tag.isOdd
    for item in tag.items {
      let key = String(decoding: item.name, as: UTF8.self).uppercased()
      guard item.name.count > 1, item.name.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        isOdd = true
        continue
      }
      source = key
      let type = item.flags >> 1 & 3
      if key.hasPrefix("COVER ART ("), type != 2 {
        guard !item.isCut else { continue }
        let body = try tag.body(item, limit: TagLimits.maximumPictureByteCount + 4096)
        // A file name, NUL, then the picture.
        let picture = body.firstIndex(of: 0).map { body[($0 + 1)...] } ?? body[...]
        add(
          picture: key.contains("BACK") ? 4 : key.contains("FRONT") ? 3 : 0, mimeType: "", bytes: Array(picture))
      } else if type == Self.textType {
        let body = try tag.body(item, limit: Self.maximumBodyByteCount)
        for value in body.split(separator: 0) { add(Self.apeNames[key] ?? key, value, .utf8) }
      }
    }
  }
}
