package import MediaModel

/// What the library has of a sound, so that nothing is made twice.
package struct RecordingSummary: Hashable, Sendable {
  package var id: Int64
  package var hash: ContentHash
  /// Of the decoding.
  package var state: FileState
  package var problem: Problem?
  package var format: MediaFormat?
  /// In ascending order of kind; ``ProductKind/measures`` among them. The byte count of measures is 0.
  package var products: [StoredProduct]
}
