internal import Base
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// Remarks about a query on standard error: how it was understood, if that may be why it finds nothing.
enum QueryRemarks {
  /// - Parameter count: the number of files found.
  static func write(about query: Query, foundCount count: Int, in store: MediaStore, _ output: OutputOptions) throws {
    guard !output.quiet else { return }
    let wanted = query.texts(comparedWith: "preset")
    if !wanted.isEmpty {
      let names = try store.presets().map { TextFolding.fold($0.name.text) }
      for text in wanted where !names.contains(where: { $0.contains(TextFolding.fold(text)) }) {
        StandardError.line(TerminalText.escaped("there is no preset '\(text)'; `deadwax preset ls` shows all"))
      }
    }
    guard count == 0, let loose = query.looseWord else { return }
    let verb = loose.isExact ? "is" : "contains"
    let sign = loose.isExact ? "=" : ""
    StandardError.line(
      TerminalText.escaped(
        "nothing found: understood as \(loose.field.name) \(verb) \"\(loose.text)\", and the word \"\(loose.word)\" "
          + "anywhere; put quotes around a text with blanks: \(loose.field.name):\(sign)\"…\""))
  }
}
