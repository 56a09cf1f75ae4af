/// Who answers what queries ask about the sound of recordings, which a library cannot compare itself.
///
/// Likeness and copies are found by different indexes. Without one, such queries are errors.
package struct SoundFinders: Sendable {
  /// The recordings that sound like one: itself, then the nearest first.
  package typealias Similar = @Sendable (_ store: MediaStore, _ recordingID: Int64) throws -> [Int64]
  /// The recordings that are the same to the ear as one, with itself; or, for nil, all that have a copy.
  package typealias Copies = @Sendable (_ store: MediaStore, _ recordingID: Int64?) throws -> [Int64]

  /// The files that `duplicates` would not keep, because another file that is present has their sound.
  package typealias RedundantFiles = @Sendable (_ store: MediaStore) throws -> [Int64]

  package let similar: Similar?
  package let copies: Copies?
  package let redundantFiles: RedundantFiles?

  package init(similar: Similar? = nil, copies: Copies? = nil, redundantFiles: RedundantFiles? = nil) {
    self.similar = similar
    self.copies = copies
    self.redundantFiles = redundantFiles
  }
}
