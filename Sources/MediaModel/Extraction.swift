/// All that was found out about the content of one file: a row for the store, never a failure of the scan.
package struct Extraction: Hashable, Sendable {
  package var state: FileState
  /// Why `state` is not `ok`.
  package var problem: Problem?
  /// Remarks that do not change the state, such as `extension-mismatch` or `header-lies`.
  package var notes: [String]
  package var format: MediaFormat?
  /// Of the encoded audio without tags and headers; nil where the file could not be read.
  package var payloadHash: ContentHash?
  package var payloadByteCount: Int64?
  package var tags: Tags
  package var artwork: [Artwork]
  package var measures: Measures?
  /// Empty where analysis was not asked for or not possible.
  package var products: [Product]

  package init(
    state: FileState,
    problem: Problem? = nil,
    notes: [String] = [],
    format: MediaFormat? = nil,
    payloadHash: ContentHash? = nil,
    payloadByteCount: Int64? = nil,
    tags: Tags = Tags(),
    artwork: [Artwork] = [],
    measures: Measures? = nil,
    products: [Product] = []
  ) {
    self.state = state
    self.problem = problem
    self.notes = notes
    self.format = format
    self.payloadHash = payloadHash
    self.payloadByteCount = payloadByteCount
    self.tags = tags
    self.artwork = artwork
    self.measures = measures
    self.products = products
  }
}
