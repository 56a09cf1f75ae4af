package import MediaModel

/// What the tag library says of a file.
package struct TagReading: Hashable, Sendable {
  package var tags = Tags()
  package var artwork: [Artwork] = []
  /// Of containers that no decoder takes, as far as the numbers can be; nil for all others.
  package var format: MediaFormat?
  /// `truncated-tags` where more was found than is kept, `unreadable-tags` where the library gave up.
  package var notes: [String] = []

  package init() {}
}
