/// A condition on one file, as a tree of tests.
package indirect enum QueryCondition: Hashable, Sendable {
  /// Every one of at least two.
  case all([QueryCondition])
  /// At least one of at least two.
  case any([QueryCondition])
  /// True wherever the other is not, so also where a field has no value.
  case not(QueryCondition)
  /// The folded text is in the title, artist, album, album artist, genre or the file's name.
  case word(String)
  case test(QueryField, QueryMatch)
}
