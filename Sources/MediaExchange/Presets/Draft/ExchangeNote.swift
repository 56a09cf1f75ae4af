/// Something that was ignored, changed or approximated when a preset was imported or exported. Nothing is lost without
/// such a note.
package struct ExchangeNote: Hashable, Sendable, CustomStringConvertible {
  package enum Place: Hashable, Sendable {
    /// From 1.
    case line(Int)
    /// The offset from the start of the file.
    case byte(Int)
    /// A path of keys, such as `output.equalizer#0.mode`.
    case key(String)
  }

  /// The included file, as the including file names it; nil for the imported file itself.
  package var file: String?
  package var place: Place?
  /// What it is about and what was done. May quote the file, so it must be escaped before a terminal shows it.
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

/// Collects notes. Beyond a thousand they are only counted, because a hostile file could cause millions.
struct ExchangeNotes {
  static let maximumCount = 1_000

  private var notes: [ExchangeNote] = []
  private var omittedCount = 0

  /// The included file that is being read; nil for the imported file itself.
  var file: String?

  mutating func add(_ text: @autoclosure () -> String, at place: ExchangeNote.Place? = nil) {
    guard notes.count < Self.maximumCount else {
      omittedCount += 1
      return
    }
    notes.append(ExchangeNote(file: file, place: place, text: text()))
  }

  /// In the order in which they were added.
  var all: [ExchangeNote] {
    omittedCount == 0 ? notes : notes + [ExchangeNote(text: "and \(omittedCount) more")]
  }
}
