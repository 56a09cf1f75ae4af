/// A text with fields of a track in it: `{artist} - {title}`, `{track:02} {title}`.
package struct FieldTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    /// A field by its place in `fields`, and the digits that a number is filled up to.
    case field(Int, digits: Int)
  }

  /// Names between braces, each once, in the order in which they appear.
  package private(set) var fields: [String] = []
  private var parts: [Part] = []

  /// - Throws: ``ExportError/template(reason:)`` for braces that do not match, or a name that is none.
  package init(_ template: String) throws(ExportError) {
    var text = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        rest.removeFirst()
        text.append(character)
        continue
      }
      guard character == "{" || character == "}" else {
        text.append(character)
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}") else {
        throw .template(reason: "a brace in '\(template)' has no other; {{ and }} are braces themselves")
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      try append(field: rest[..<end], of: template)
      rest = rest[rest.index(after: end)...]
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  private mutating func append(field: Substring, of template: String) throws(ExportError) {
    let words = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = words[0].lowercased()
    let digits = words.count == 1 ? 0 : Int(words[1]) ?? -1
    guard !name.isEmpty, (0...9).contains(digits) else {
      throw .template(reason: "{\(field)} in '\(template)' is no field, or :0 to :9 digits of one")
    }
    if !fields.contains(name) { fields.append(name) }
    parts.append(.field(fields.firstIndex(of: name) ?? 0, digits: digits))
  }

  /// The text with values in it.
  ///
  /// - Parameter values: one for each of `fields`; numbers are filled up with zeros where the template says so.
  package func text(values: [String]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .field(let index, let digits):
        guard values.indices.contains(index) else { return "" }
        let value = values[index]
        let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? String(repeating: "0", count: max(0, digits - value.utf8.count)) + value : value
      }
    }.joined()
  }
}
