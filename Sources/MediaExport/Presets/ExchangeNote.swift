/// Something that a file says and a preset cannot, or the other way round, or that was said in another way: nothing is dropped
/// in silence.
package struct ExchangeNote: Hashable, Sendable, CustomStringConvertible {
  package enum Place: Hashable, Sendable {
    /// From 1 on.
    case line(Int)
    /// Offset from the file's start.
    case byte(Int)
    /// In a document of keys, such as `output.equalizer#0.mode`.
    case key(String)
  }

  /// The included file, as it was named; nil for the file itself.
  package var file: String?
  package var place: Place?
  /// What it is about, by name, and what became of it. May hold what the file says, so it is not fit for a terminal as it is.
  package var text: String

  package var description: String {
    let position: String? =
      switch place {
      case .line(let number): "line \(number)"
      case .byte(let offset): "byte \(offset)"
      case .key(let key): key
      case nil: nil
      }
    let head = [file, position].compactMap(\.self).joined(separator: ", ")
    return head.isEmpty ? text : head + ": " + text
  }

  /// The beginning of a text, in quotation marks.
  static func quoted(_ text: some StringProtocol) -> String {
    text.count > 60 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
  }
}
