/// A text with placeholders for fields of a track: `{artist} - {title}`, `{track:02} {title}`.
package struct FieldTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    /// A field by its index in `fields`, and to how many digits a number is padded.
    case field(Int, digits: Int)
  }

  /// The names between braces, each once, in order of appearance.
  package private(set) var fields: [String] = []
  private var parts: [Part] = []

  /// To how many digits numbers are padded if the template does not say it.
  private let usualDigits: [String: Int]

  /// - Parameter usualDigits: To how many digits numbers of these fields are padded if the template does not say it.
  /// - Throws: ``TemplateError`` for unbalanced braces or an invalid field name.
  package init(_ template: String, usualDigits: [String: Int] = [:]) throws(TemplateError) {
    self.usualDigits = usualDigits
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
        throw TemplateError(reason: "unbalanced braces in '\(template)'; write {{ and }} for literal braces")
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      try append(field: rest[..<end], of: template)
      rest = rest[rest.index(after: end)...]
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  private mutating func append(field: Substring, of template: String) throws(TemplateError) {
    let words = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = words[0].lowercased()
    let digits = words.count == 1 ? usualDigits[name] ?? 0 : Int(words[1]) ?? -1
    guard !name.isEmpty, (0...9).contains(digits) else {
      throw TemplateError(reason: "{\(field)} in '\(template)' is not a field, optionally with :0 to :9 digits")
    }
    if !fields.contains(name) { fields.append(name) }
    parts.append(.field(fields.firstIndex(of: name) ?? 0, digits: digits))
  }

  /// The text with values for its fields.
  ///
  /// - Parameter values: one for each of `fields`; numbers are padded with zeros if the template says so.
  package func text(values: [String]) -> String { pieces(values: values).map(\.text).joined() }

  /// The same in pieces, each with the index of its field in ``fields``; nil for the text between fields.
  package func pieces(values: [String]) -> [(text: String, field: Int?)] {
    parts.map { part in
      switch part {
      case .text(let text): return (text, nil)
      case .field(let index, let digits):
        guard values.indices.contains(index) else { return ("", index) }
        let value = values[index]
        let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return (isNumber ? String(repeating: "0", count: max(0, digits - value.utf8.count)) + value : value, index)
      }
    }
  }
}

/// A template for names of files, and of folders before them, made of fields of a track: `{artist} - {title}`,
/// `{albumartist}/{album}/{track} {title}`. A track number has two digits unless the template says otherwise.
package struct FileNameTemplate: Hashable, Sendable {
  package let template: FieldTemplate

  /// - Throws: ``TemplateError`` for an invalid template, one without a field, or one in which a folder or the file has
  ///   no name.
  package init(_ template: String) throws(TemplateError) {
    let names = template.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 1 || !names.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw TemplateError(reason: "'\(template)' must give the file and each folder a name inside the output folder")
    }
    self.template = try FieldTemplate(template, usualDigits: ["track": 2])
    guard !fields.isEmpty else {
      throw TemplateError(reason: "'\(template)' has no field; all files would have the same name")
    }
  }

  /// The names between braces, each once, in order of appearance.
  package var fields: [String] { template.fields }

  /// The names of the folders and of the file, without its extension, before ``SafeFileName``.
  ///
  /// - Parameter values: one for each of `fields`; a slash in them begins no folder.
  package func names(values: [String]) -> [String] {
    let values = values.map { String($0.map { $0 == "/" ? "_" : $0 }) }
    return template.text(values: values).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Why a template is invalid.
package struct TemplateError: Error, Hashable, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }
}
