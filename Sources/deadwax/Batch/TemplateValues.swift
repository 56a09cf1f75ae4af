internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// What a template's fields are called in queries, and their values for a track.
struct TemplateValues: Sendable {
  private let template: FieldTemplate
  /// nil for `{stem}`, the name of the audio file without its ending.
  private let named: [QueryField?]

  /// - Parameter option: which option the template was given with, for the message about a field that is none.
  init(_ template: FieldTemplate, option: String, vocabulary: QueryVocabulary) throws {
    self.template = template
    named = try template.fields.map { name -> QueryField? in
      if name == "stem" { return nil }
      guard let field = vocabulary[name] else {
        throw ValidationError("--\(option): unknown field '\(name)'" + SpellingSuggestions.question(vocabulary.names(near: name)))
      }
      return field
    }
  }

  /// The fields that a query must bring.
  var fields: [QueryField] { named.compactMap { $0 } }

  /// One text for each field of the template.
  ///
  /// - Parameter values: of ``fields``.
  func words(_ values: some Collection<FieldValue>, path: BytePath) -> [String] {
    var rest = values[...]
    return zip(template.fields, named).map { name, field in
      Self.text(of: name, field.map { rest.popFirst()?.readable($0) ?? "" }, path: path)
    }
  }

  /// Where nothing is known a title is the audio file's name without its ending, and everything else `Unknown`.
  ///
  /// - Parameter value: nil for `{stem}`.
  private static func text(of name: String, _ value: String?, path: BytePath) -> String {
    if let value, !value.isEmpty { return value }
    guard value == nil || name == "title" else { return "Unknown" }
    return path.stem.displayString
  }
}
