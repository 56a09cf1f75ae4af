package import MediaModel

/// All that was made of one recording.
package struct TrackAnalysis: Hashable, Sendable {
  /// In ascending order of their kinds; that of the kind `measures` has no bytes.
  package var products: [Product]
  /// nil where they were not asked for.
  package var measures: Measures?

  package init(products: [Product], measures: Measures?) {
    self.products = products
    self.measures = measures
  }
}
