internal import MediaExport
internal import MediaModel
internal import MediaStore

extension LibraryOptions {
  /// What is not written onto: the library, and those of `outputs` that it knows as music.
  ///
  /// - Throws: ``ExportError/wouldReplaceInput(path:)`` where one of them has the name of a file that SQLite keeps beside the
  ///   library, and which is there only at times.
  func protectedFiles(among outputs: [BytePath]) throws -> [BytePath] {
    let library = try path()
    // As they are called, and where links of that name lead.
    let outputs = outputs + outputs.map { OutputFile($0).target }
    if let file = outputs.first(where: { MediaStore.isCompanion($0, ofLibraryAt: library) }) {
      throw ExportError.wouldReplaceInput(path: file.displayString)
    }
    // Where no library can be read, nothing is known as music.
    let fileIDs = outputs.isEmpty ? nil : try? reading { try $0.fileIDs(at: outputs) }
    return [library] + zip(outputs, fileIDs ?? []).filter { $0.1 != nil }.map(\.0)
  }

  /// The same for one output as it was typed, which may be none.
  func protectedFiles(for output: String?) throws -> [BytePath] {
    try protectedFiles(among: output.map { $0 == "-" ? [] : [BytePath(argument: $0)] } ?? [])
  }
}
