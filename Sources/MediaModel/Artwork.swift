/// A picture embedded in an audio file.
package struct Artwork: Hashable, Sendable {
  /// What the picture shows, `0...20` of ID3v2 APIC; 3 is the front cover.
  package var pictureType: Int
  /// As sniffed from the bytes, else as the tag claims, such as `image/jpeg`.
  package var mimeType: String
  package var caption: String
  /// The first 128 bits of a hash of the bytes; equal pictures are stored once.
  package var hash: ContentHash
  package var bytes: [UInt8]

  package init(pictureType: Int, mimeType: String, caption: String, hash: ContentHash, bytes: [UInt8]) {
    self.pictureType = pictureType
    self.mimeType = mimeType
    self.caption = caption
    self.hash = hash
    self.bytes = bytes
  }
}
