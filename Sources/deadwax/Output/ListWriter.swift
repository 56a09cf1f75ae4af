internal import MediaModel

/// Writes items as a JSON array, an item a line, or as lines of JSON.
struct ListWriter {
  private let isLines: Bool
  private var count = 0

  init(isLines: Bool) {
    self.isLines = isLines
  }

  mutating func add(_ item: JSONValue) throws(StandardOutput.Failure) {
    if !isLines { try StandardOutput.write(count == 0 ? "[\n" : ",\n") }
    try StandardOutput.write(item.text + (isLines ? "\n" : ""))
    count += 1
  }

  func finish() throws(StandardOutput.Failure) {
    if !isLines { try StandardOutput.write(count == 0 ? "[]\n" : "\n]\n") }
  }
}
