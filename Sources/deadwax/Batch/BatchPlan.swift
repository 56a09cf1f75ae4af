internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// The files that tracks become: one for each recording, with names that are safe and differ.
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
  /// Files whose sound another file has, which is written for both.
  private(set) var copyCount = 0
  /// All files that were found.
  private(set) var inputs: [BytePath] = []

  /// - Parameter needsSound: Whether files whose sound could not be decoded are left out.
  init(
    of query: Query, in store: MediaStore, template: FileNameTemplate, folder: BytePath, ending: String,
    needsSound: Bool = true
  ) throws {
    let words = try TemplateValues(template.template, option: "name", vocabulary: store.vocabulary)
    let fields =
      [.id, QueryField("path", .path), QueryField("duration", .duration)]
      + words.fields
    var names = UniqueFileNames(ending: ending)
    var seen: Set<Int64> = []
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .path(let path) = values[1] else { return }
      inputs.append(path)
      guard case .integer(let id) = values[0], !needsSound || values[2] != .none else {
        silentCount += 1
        return
      }
      guard seen.insert(id).inserted else {
        copyCount += 1
        return
      }
      let name = names.next(for: template.name(values: words.words(values[3...], path: path)))
      items.append(Item(recordingID: id, path: path, output: folder.appending(BytePath(name))))
    }
  }
}
