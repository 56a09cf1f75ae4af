package import MediaModel

/// What a new file holds, read again, beside what the old one holds: equal if its sound is unchanged.
package struct SoundProof: Hashable, Sendable {
  package struct Sound: Hashable, Sendable {
    /// Of all packets, or of the samples of a format without packets.
    package var hash: ContentHash
    /// Of these.
    package var byteCount: Int64
    /// As the file says; nil if only decoding tells.
    package var frameCount: Int64?
  }

  package var before: Sound
  package var after: Sound

  package var isUnchanged: Bool { before == after }

  /// nil if nothing is known of one of them.
  init?(_ before: Extraction?, _ after: Extraction) {
    guard let before = before.flatMap(Sound.init), let after = Sound(after) else { return nil }
    (self.before, self.after) = (before, after)
  }
}

extension SoundProof.Sound {
  fileprivate init?(_ extraction: Extraction) {
    guard let stream = extraction.stream else { return nil }
    self.init(
      hash: stream.hash, byteCount: stream.byteCount,
      frameCount: stream.declaration.frameCount ?? extraction.format?.declaredFrameCount)
  }
}
