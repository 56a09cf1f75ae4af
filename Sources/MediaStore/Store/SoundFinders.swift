/// Who answers what queries ask about the sound of recordings, which a library cannot compare itself.
///
/// Two, because likeness and copies are found by different indexes. Without one, such queries are errors.
package struct SoundFinders: Sendable {
  /// The recordings that sound like one: itself, then the nearest first.
  package typealias Similar = @Sendable (_ store: MediaStore, _ recordingID: Int64) throws -> [Int64]
  /// The recordings that are the same to the ear as one, with itself; or, for nil, all that have a copy.
  package typealias Copies = @Sendable (_ store: MediaStore, _ recordingID: Int64?) throws -> [Int64]

  package let similar: Similar?
  package let copies: Copies?

  package init(similar: Similar? = nil, copies: Copies? = nil) {
    self.similar = similar
    self.copies = copies
  }
}
