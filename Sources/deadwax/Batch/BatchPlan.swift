internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// The files that a query's tracks become: one for each recording, with names that are safe and differ.
struct BatchPlan: Sendable {
  struct Item: Sendable {
    let recordingID: Int64
    /// Of the audio, for messages.
    let path: BytePath
    let output: BytePath
  }

  private(set) var items: [Item] = []
  /// Files whose sound could not be decoded.
  private(set) var silentCount = 0
  /// All files that were found.
  private(set) var inputs: [BytePath] = []

  init(of query: Query, in store: MediaStore, template: FileNameTemplate, folder: BytePath, ending: String) throws {
    let vocabulary = store.vocabulary
    let named = try template.fields.map { name -> QueryField? in
      if name == "stem" { return nil }
      guard let field = vocabulary[name] else {
        let near = vocabulary.names(near: name)
        throw ValidationError(
          "--name: unknown field '\(name)'" + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"))
      }
      return field
    }
    let fields =
      [QueryField("id", .integer), QueryField("path", .path), QueryField("duration", .duration)]
      + named.compactMap { $0 }
    var names = UniqueFileNames(ending: ending)
    var seen: Set<Int64> = []
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .path(let path) = values[1] else { return }
      inputs.append(path)
      guard case .integer(let id) = values[0], values[2] != .none else {
        silentCount += 1
        return
      }
      guard seen.insert(id).inserted else { return }
      var rest = values[3...]
      let words = zip(template.fields, named).map { name, field in
        Self.text(of: name, field.map { rest.popFirst()?.readable($0) ?? "" }, path: path)
      }
      let name = names.next(for: template.name(values: words))
      items.append(Item(recordingID: id, path: path, output: folder.appending(BytePath(name))))
    }
  }

  /// Where nothing is known a title is the audio file's name without its ending, and everything else `Unknown`.
  ///
  /// - Parameter value: nil for `{stem}`.
  private static func text(of name: String, _ value: String?, path: BytePath) -> String {
    if let value, !value.isEmpty { return value }
    guard value == nil || name == "title" else { return "Unknown" }
    let file = path.lastComponent
    guard !file.pathExtension.isEmpty, let dot = file.bytes.lastIndex(of: UInt8(ascii: ".")) else {
      return file.displayString
    }
    return BytePath(file.bytes[..<dot]).displayString
  }
}
