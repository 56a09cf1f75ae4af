/// The fields that a query may name.
package struct QueryVocabulary: Sendable {
  package let fields: [QueryField]
  private let byName: [String: QueryField]
  private let hasTag: @Sendable (String) -> Bool

  /// - Parameter hasTag: whether a property, in upper case, is the name of a tag; asked for names that are no field.
  package init(_ fields: [QueryField], hasTag: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.fields = fields
    byName = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.hasTag = hasTag
  }

  /// A field by its name in any case.
  package subscript(name: String) -> QueryField? {
    let lower = name.lowercased()
    if let field = byName[lower] { return field }
    if let hertz = QueryField.bandFrequency(of: lower) {
      return SpectrumBands.standard.index(ofHz: hertz).map { _ in QueryField(lower, .real) }
    }
    return TagNames.known.contains(name.uppercased()) || hasTag(name.uppercased()) ? QueryField(lower, .tag) : nil
  }

  /// Up to three names that a mistyped one may stand for, the nearest first.
  package func names(near name: String) -> [String] {
    SpellingSuggestions.of(name, among: Set(fields.map(\.name) + TagNames.known.map { $0.lowercased() }))
  }
}
