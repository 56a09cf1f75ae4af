/// What became of a file when it was last looked at.
package enum FileState: String, CaseIterable, Sendable {
  /// Decoded to the end, as long as its header promised.
  case ok
  /// Audio was decoded, but not all that was promised, or the header contradicts itself.
  case damaged
  /// Zero bytes, or a container without a single frame of audio.
  case empty
  /// Not audio, or audio that no decoder here takes; tags are kept.
  case unsupported
  /// The file system did not let us read it; tried again at the next scan.
  case unreadable
  /// A worker made no progress before its deadline.
  case timeout
  /// A worker died or broke its protocol.
  case crashed
  /// Longer or larger than the limits allow.
  case oversize
  /// Changed while it was read; the next scan finishes it.
  case pending
  /// Gone from its folder; everything known about its sound is kept.
  case missing
}
