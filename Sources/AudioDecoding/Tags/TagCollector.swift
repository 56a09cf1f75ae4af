internal import Base
import MediaModel

/// Collects what tags say, and keeps no more than ``TagLimits`` allow.
final class TagCollector {
  private var values: [String: [String]] = [:]
  private var valueCount = 0
  private var textByteCount = 0
  private(set) var artwork: [Artwork] = []
  private(set) var isTruncated = false
  /// Whether a tag has items that are not as its standard has them.
  private var isOdd = false
  /// Whether texts are in other encodings than their tag says.
  private var isGuess = false

  /// What to remark about the tags.
  var notes: [String] {
    [(isTruncated, Tags.truncatedNote), (isOdd, "malformed-tags"), (isGuess, "misencoded-tags")].filter(\.0).map(\.1)
  }

  var tags: Tags { Tags(values.map { Tags.Property(name: $0.key, values: $0.value) }) }

  /// Bytes that are not UTF-8 become U+FFFD, NUL is dropped, and values of white space and invisible marks are ignored.
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
    guard !text.withoutBlankEnds.isEmpty else { return }
    valueCount += 1
    textByteCount += text.utf8.count
    values[name, default: []].append(text)
  }

  /// Adds what a tag says under names that no tag before it has, and its pictures. Programs write one value under two
  /// names, of which the second says nothing new.
  func add(_ contents: TagContents) {
    if contents.isOdd { isOdd = true }
    if contents.isTruncated { isTruncated = true }
    let known = Set(values.keys)
    var decoder = TagContents.Decoder(contents.texts)
    var sources: [[String]: String] = [:]
    for text in contents.texts {
      let (property, written) = Self.property(text.name)
      guard !known.contains(property) else { continue }
      var decoded = decoder.decoded(text)
      if let instrument = text.instrument ?? written, !decoded.withoutBlankEnds.isEmpty {
        decoded += " (\(instrument))"
      }
      let source = text.source.isEmpty ? text.name : text.source
      let first = sources[[property, decoded], default: source]
      guard first == source else { continue }
      sources[[property, decoded]] = source
      let value = Array(decoded.utf8)
      Array(property.utf8).withUnsafeBytes { name in
        value.withUnsafeBytes { addProperty(name: name, value: $0) }
      }
    }
    for picture in contents.pictures {
      let caption = Array(decoder.decoded(picture.caption, picture.encoding).utf8)
      Array(picture.mimeType.utf8).withUnsafeBytes { mimeType in
        caption.withUnsafeBytes { caption in
          picture.bytes.withUnsafeBytes {
            addPicture(type: picture.type, mimeType: mimeType, caption: caption, bytes: $0)
          }
        }
      }
    }
    if decoder.isGuess { isGuess = true }
  }

  /// The one name of what programs call differently, and what a performer plays, if it is in the name.
  static func property(_ name: String) -> (name: String, instrument: String?) {
    let performer = "PERFORMER:"
    guard name.hasPrefix(performer) else { return (otherNames[name] ?? name, nil) }
    let instrument = name.dropFirst(performer.count).lowercased().withoutBlankEnds
    return ("PERFORMER", instrument.isEmpty ? nil : instrument)
  }

  /// Names in Vorbis comments, APE and texts of Matroska that other tags have under the library's names.
  private static let otherNames = [
    "MOVEMENT": "MOVEMENTNUMBER", "MOVEMENTTOTAL": "MOVEMENTCOUNT", "REMIXED_BY": "REMIXER", "MIXED_BY": "MIXER",
    "SOUND_ENGINEER": "ENGINEER", "LEAD_PERFORMER": "PERFORMER", "ACCOMPANIMENT": "PERFORMER",
  ]

  /// Remarks that there is something in the tags that cannot be read.
  func noteOddity() { isOdd = true }

  func addPicture(
    type: Int, mimeType: UnsafeRawBufferPointer, caption: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    guard !bytes.isEmpty else { return }
    guard artwork.count < TagLimits.maximumPictureCount, bytes.count <= TagLimits.maximumPictureByteCount else {
      isTruncated = true
      return
    }
    var claimed = String(decoding: mimeType.prefix(256).filter { $0 != 0 }, as: UTF8.self)
    // If the bytes are not known, the tag's type counts, if it is that of a picture without scripts.
    if !claimed.hasPrefix("image/") || claimed.hasPrefix("image/svg") { claimed = "application/octet-stream" }
    artwork.append(
      Artwork(
        pictureType: (0...20).contains(type) ? type : 0,
        mimeType: PictureMediaType.name(ofPictureThatBegins: bytes) ?? claimed,
        caption: String(decoding: caption.prefix(4096).filter { $0 != 0 }, as: UTF8.self),
        hash: ContentHash(of: Array(bytes)), bytes: Array(bytes)))
  }
}
