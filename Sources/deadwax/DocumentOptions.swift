internal import ArgumentParser
internal import MediaModel

/// Results for programs instead of people.
struct DocumentOptions: ParsableArguments {
  @Flag(help: "One JSON document.")
  var json = false

  @Flag(help: "JSON, one line an item.")
  var jsonl = false

  var isWanted: Bool { json || jsonl }

  func validate() throws {
    if json && jsonl { throw ValidationError("--json and --jsonl exclude each other") }
  }

  /// Writes items: a line each with `--jsonl`, else in one document, under a key.
  func write(_ items: [JSONValue], under key: String) throws {
    guard jsonl else { return try write(.object([.init("schema", .integer(1)), .init(key, .array(items))])) }
    for item in items { try StandardOutput.line(item.text) }
  }

  /// Writes a document: in lines for people to read along, or in one with `--jsonl`.
  func write(_ document: JSONValue) throws {
    try StandardOutput.line(jsonl ? document.text : document.prettyText)
  }
}
