internal import Base
internal import MediaExchange

/// Settings that could not be converted: for people on standard error, for programs in a document.
enum ExchangeReport {
  /// The number of notes that are shown without --verbose.
  private static let usualCount = 20

  static func write(_ notes: [ExchangeNote], about name: String, output: OutputOptions) {
    guard !output.quiet else { return }
    let shown = output.verbose ? notes.count : usualCount
    for note in notes.prefix(shown) { StandardError.line(TerminalText.escaped("\(name): \(note)")) }
    if notes.count > shown {
      StandardError.line(TerminalText.escaped("\(name): \(notes.count - shown) more; --verbose shows all"))
    }
  }

  static func json(_ note: ExchangeNote) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let file = note.file { members.append(.init("file", .string(file))) }
    switch note.place {
    case .line(let number): members.append(.init("line", .integer(number)))
    case .byte(let offset): members.append(.init("byte", .integer(offset)))
    case .key(let key): members.append(.init("key", .string(key)))
    case nil: break
    }
    return .object(members + [.init("text", .string(note.text))])
  }
}
