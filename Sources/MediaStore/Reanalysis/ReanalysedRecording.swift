package import MediaModel

/// What was made anew of a recording.
package struct ReanalysedRecording: Sendable {
  package var id: Int64
  package var products: [Product]
  package var measures: Measures?

  package init(id: Int64, products: [Product], measures: Measures? = nil) {
    self.id = id
    self.products = products
    self.measures = measures
  }
}
