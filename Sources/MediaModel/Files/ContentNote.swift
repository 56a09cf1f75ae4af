/// Remarks that say that a file holds something that was not decoded: what that is, nobody knows.
///
/// They are among ``Extraction/notes``, and change neither the state nor the identity of a file. A file with one of them
/// is not removed for another one (docs/decisions/0088).
package enum ContentNote {
  /// Another track: with sound, a film, or texts other than chapters; or a part of a chain that is not decoded.
  package static let otherStreams = "other-streams"
  /// Bytes that belong neither to the stream, nor to the structure of the container, nor to tags, and are no padding; or
  /// sound that the headers cut off.
  package static let surplus = "surplus"
  /// Rows that an earlier version of the extractor wrote do not have them.
  package static let firstExtractorVersion = 7
}
