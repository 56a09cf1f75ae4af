/// How files are named after what is known of their tracks: `{artist} - {title}`, `{track:02} {title}`.
package struct FileNameTemplate: Hashable, Sendable {
  package let template: FieldTemplate

  /// - Throws: ``ExportError/template(reason:)`` for what is no template, one without a field, or a slash: it names files, not
  ///   folders.
  package init(_ template: String) throws(ExportError) {
    guard !template.contains("/") else {
      throw .template(reason: "'\(template)' holds a slash, but names files and no folders")
    }
    self.template = try FieldTemplate(template)
    guard !fields.isEmpty else {
      throw .template(reason: "'\(template)' holds no field: all files would have one name")
    }
  }

  /// Names between braces, each once, in the order in which they appear.
  package var fields: [String] { template.fields }

  /// The name without its ending, as yet unsafe.
  ///
  /// - Parameter values: one for each of `fields`; numbers are filled up with zeros where the template says so.
  package func name(values: [String]) -> String { template.text(values: values) }
}
