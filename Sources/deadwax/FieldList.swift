internal import ArgumentParser
internal import MediaModel

/// Names of fields in an option, parted by commas.
enum FieldList {
  /// - Parameter option: for the message, such as `--fields`.
  static func fields(_ text: String, _ vocabulary: QueryVocabulary, option: String) throws -> [QueryField] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map {
      try field(String($0.trimmingPrefix(" ")), vocabulary, option: option)
    }
  }

  static func field(_ name: String, _ vocabulary: QueryVocabulary, option: String) throws -> QueryField {
    if let field = vocabulary[name] { return field }
    throw ValidationError("\(option): unknown field '\(name)'" + SpellingSuggestions.question(vocabulary.names(near: name)))
  }
}
