/// Collects notes; beyond a thousand they are only counted, because a hostile file could ask for millions.
struct ExchangeNotes {
  static let maximumCount = 1_000

  private var notes: [ExchangeNote] = []
  private var omittedCount = 0

  /// The included file that is being read; nil for the file itself.
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
