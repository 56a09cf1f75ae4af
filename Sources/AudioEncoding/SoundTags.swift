internal import Base
internal import CTagLib
package import MediaModel
internal import Synchronization

/// The tags and pictures of a sound file.
package struct SoundTags: Hashable, Sendable {
  package static let none = SoundTags()

  package var tags = Tags()
  package var artwork: [Artwork] = []

  package init() {}

  /// The tags that are still true of a recording made from one with these tags.
  ///
  /// Left out is what describes the old recording: its loudness, length, fingerprint and loudspeakers and the program
  /// that made it; and its tempo and key if the new one is faster or higher.
  package init(carriedOver tags: Tags, artwork: [Artwork], through chain: EffectChain = .neutral) {
    let changesKey = chain.rate != 1 || chain.pitch != 0
    let untrue: Set = Set(chain.rate != 1 ? ["BPM"] : []).union(changesKey ? ["INITIALKEY", "KEY"] : [])
    self.tags = Tags(
      tags.properties.filter { !Self.describesRecording($0.name) && !untrue.contains($0.name.uppercased()) })
    self.artwork = artwork
  }

  private static func describesRecording(_ name: String) -> Bool {
    let name = name.uppercased()
    // Comments with a description, in which other programs keep values, have names such as COMMENT:DESCRIPTION.
    let own = name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
    let names: Set = [
      "ENCODER", "ENCODING", "ENCODERSETTINGS", "LENGTH", "CUESHEET", "ITUNSMPB", "ITUNNORM", "ACOUSTID_FINGERPRINT",
      "LOUDNESS_INTEGRATED", "LOUDNESS_RANGE", "LOUDNESS_PEAK", "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
    ]
    return names.contains(own) || ["REPLAYGAIN_", "R128_", "MP3GAIN_"].contains { own.hasPrefix($0) }
  }
}

/// An ID3v2.4 tag as TagLib writes it, which knows the frame of each name.
enum ID3v2Tag {
  /// TagLib 1.13 fills its tables of names without a lock when they are first needed.
  private static let oneAtATime = Mutex(())

  /// Empty if nothing is to be said.
  static func bytes(_ tags: SoundTags) -> [UInt8] { oneAtATime.withLock { _ in make(tags) } }

  private static func make(_ tags: SoundTags) -> [UInt8] {
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

/// Tags as in Vorbis, Opus and FLAC: `NAME=value` in UTF-8, each after its length (Vorbis I, section 5).
enum XiphComments {
  /// The body of the packet, without what the codec puts before and after it.
  ///
  /// - Parameter embedsPictures: Whether to add pictures as METADATA_BLOCK_PICTURE in Base64; FLAC has blocks of its
  ///   own.
  static func block(vendor: String, _ tags: SoundTags, embedsPictures: Bool) -> [UInt8] {
    let comments = comments(tags) + (embedsPictures ? tags.artwork.map(comment) : [])
    var writer = ByteWriter()
    writer.append(lengthPrefixed: Array(vendor.utf8))
    writer.append(UInt32(clamping: comments.count))
    for comment in comments { writer.append(lengthPrefixed: comment) }
    return writer.bytes
  }

  /// One comment for each value; names that are not allowed are left out.
  static func comments(_ tags: SoundTags) -> [[UInt8]] {
    tags.tags.properties.flatMap { property in
      let name = Array(property.name.utf8)
      guard !name.isEmpty, name.allSatisfy({ (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }) else {
        return [[UInt8]]()
      }
      return property.values.map { name + [UInt8(ascii: "=")] + Array($0.utf8) }
    }
  }

  private static func comment(_ picture: Artwork) -> [UInt8] {
    Array("METADATA_BLOCK_PICTURE=".utf8) + base64(block(picture))
  }

  /// The body of FLAC's PICTURE block, big-endian (RFC 9639 section 8.8); size and colours are left at 0.
  static func block(_ picture: Artwork) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(clamping: value).bigEndian) { Array($0) } }
    func counted(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
    return number(picture.pictureType) + counted(Array(picture.mimeType.utf8)) + counted(Array(picture.caption.utf8))
      + number(0) + number(0) + number(0) + number(0) + counted(picture.bytes)
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
